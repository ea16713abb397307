"""Families of the corpus that are judged together, by a model that saw none of them: each with its nearest relatives."""
RELATIVES = [["band", "molecules", "uniform", "residues", "smallworld"],
             ["rmat", "fem", "pruned", "stencil", "attention"], ["communities", "road", "power", "reviews"],
             ["hubs", "blocks", "arrow"], ["web", "rectangular", "ratings"]]
