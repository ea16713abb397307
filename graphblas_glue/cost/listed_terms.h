/* listed_terms.h: how many multiplications the entries of a sparse D ask for. */
#ifndef TORC_LISTED_TERMS_H
#define TORC_LISTED_TERMS_H

#include "product.h"

/* Each entry of D meets the entries of one column of op(S). Where S is stored by these columns the lengths of
 * some are read, one for each of at most 1024 entries of D: in a search the vertices that are met first are
 * those of the largest degree. Elsewhere all count as of mean length. */
double torc_listed_terms(const torc_product *product);

#endif
