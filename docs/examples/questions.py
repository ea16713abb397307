"""questions.py: three questions to one graph, each asked for many vertices at once: torc run python questions.py

Each is a loop of products of the sparse graph and a dense matrix with a column for each vertex that is asked for.
With the name of a file it draws a chart there.
"""
import sys

import numpy as np
from graphblas import Matrix, binary, dtypes, monoid, semiring

# A ring road of n places, and some long roads across: edges in both directions, each with a length.
n, k = 3000, 16
random = np.random.default_rng(1)
places = np.arange(n)
start = np.concatenate([places, random.integers(0, n, n // 4)])
end = np.concatenate([(places + 1) % n, random.integers(0, n, n // 4)])
length = np.concatenate([np.full(n, 3.0), random.integers(5, 50, n // 4).astype(float)])
start, end, length = start[start != end], end[start != end], length[start != end]
start, end, length = np.r_[start, end], np.r_[end, start], np.r_[length, length]
roads = Matrix.from_coo(end, start, length, nrows=n, ncols=n, dup_op=binary.min)
asked = (np.arange(k) * n) // k


def full(value, at_asked):
    """A dense matrix with a column for each vertex that is asked for."""
    values = np.full((n, k), value)
    values[asked, np.arange(k)] = at_asked
    return Matrix.from_dense(values)


# Who matters to each of them? Personalised PageRank: walk on with probability 0.85, or start again.
to, origin, _ = roads.to_coo()
ways_out = np.bincount(origin, minlength=n)
walk = Matrix.from_coo(to, origin, 0.85 / ways_out[origin], nrows=n, ncols=n)
restart, ranks = full(0.0, 0.15), full(0.0, 1.0)
for _ in range(40):
    following = restart.dup()
    following(binary.plus) << semiring.plus_times(walk @ ranks)
    ranks = following
rank = ranks.to_dense()
print("PageRank: shares add up to", np.round(rank.sum(axis=0), 6).tolist()[:3])
print("PageRank: the first keeps", np.round(100 * rank[asked[0], 0], 3), "% of its own")

# How far is it to the nearest of them? Lengths add up, the shortest wins: min-plus.
distances = full(np.inf, 0.0)
rounds = 0
while True:
    before = distances.dup()
    distances(binary.min) << semiring.min_plus(roads @ before)
    rounds += 1
    if distances.isequal(before):
        break
distance = distances.to_dense()
nearest = distance.argmin(axis=1)
print("distances:", rounds, "rounds, the farthest is", distance.max(), "away")
print("nearest:", np.bincount(nearest, minlength=k).tolist())

# In how many steps is everything reached? Breadth-first search: a frontier for each of them.
frontier = Matrix.from_coo(asked, np.arange(k), True, nrows=n, ncols=k)
levels = Matrix(dtypes.INT64, n, k)
level = 0
while frontier.nvals > 0:
    levels(frontier.S) << level
    frontier(~levels.S, replace=True) << semiring.any_pair(roads @ frontier)
    level += 1
reached = np.bincount(levels.to_coo()[2])
print("search:", level - 1, "levels,", reached.sum(), "pairs")

if len(sys.argv) > 1:  # bars: how many pairs at each level
    width, height = 720, 260
    step = (width - 90) / len(reached)
    bars = "".join(
        f'<rect x="{70 + i * step:.1f}" y="{height - 45 - 180 * c / reached.max():.1f}" width="{0.85 * step:.1f}" '
        f'height="{180 * c / reached.max():.1f}" fill="#1f6f9c"/>' for i, c in enumerate(reached))
    ticks = "".join(f'<text x="{70 + (i + 0.42) * step:.1f}" y="{height - 28}" text-anchor="middle">{i}</text>'
                    for i in range(0, len(reached), 5))
    with open(sys.argv[1], "w") as chart:
        chart.write(
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" '
            f'font-size="12"><rect width="100%" height="100%" fill="white"/><text x="70" y="22" font-size="14">'
            f'Search from {k} places: vertices by number of steps</text>{bars}{ticks}'
            f'<text x="{width / 2}" y="{height - 8}" text-anchor="middle">steps</text>'
            f'<text x="62" y="44" text-anchor="end">{reached.max()}</text>'
            f'<text x="62" y="{height - 45}" text-anchor="end">0</text></svg>\n')
