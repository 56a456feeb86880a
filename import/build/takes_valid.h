#ifndef LUNA_TAKES_VALID_H
#define LUNA_TAKES_VALID_H

/// How an operator takes inputs with a valid length (luna-c/bounded_sizes.h).
typedef enum LunaTakesValid {
  LUNA_TAKES_NONE,
  LUNA_TAKES_EACH,     ///< in any dimension
  LUNA_TAKES_BATCH,    ///< in the first dimension of the first input
  LUNA_TAKES_NOT_LAST, ///< in all but the last dimension
  LUNA_TAKES_KEPT,     ///< in dimensions that its result has, and leaves open
  LUNA_TAKES_ITSELF,   ///< by its handler
  LUNA_TAKES_CALLS,    ///< by the graphs that it calls
} LunaTakesValid;

#endif // LUNA_TAKES_VALID_H
