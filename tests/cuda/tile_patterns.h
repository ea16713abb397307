/* tile_patterns.h: those of ugly_csr.h, and others that share much, all or nothing. */
#ifndef TORC_TILE_PATTERNS_H
#define TORC_TILE_PATTERNS_H

#include "ugly_csr.h"

enum { TORC_TILE_PATTERNS = TORC_UGLY_COUNT + 6 };

torc_ugly_csr torc_tile_pattern_build(int which);

#endif
