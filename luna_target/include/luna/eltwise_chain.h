#ifndef LUNA_ELTWISE_CHAIN_H
#define LUNA_ELTWISE_CHAIN_H

// A sum, difference or product of two tensors of any scale as vector calls of
// the unit (luna/vector_chain.h), for what fits the scratch at a time: each
// operand is widened less its zero point and scaled, then both are combined and
// requantised. An operand with fewer channels is copied to rows as long as the
// output's first, beside its zero point; of planes those that it lacks are its
// zero point.
//
//   LunaEltwiseChain chain;
//   if (luna_eltwise_has_chain(desc, &chain))
//     ... chain.chain, for pieces of chain.piece elements
//
// The core walks it, the simulator and the cost model count it.

#include "luna/vector_chain.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct LunaEltwiseChain {
  LunaVectorChain chain;
  int32_t elements, piece; ///< of the output; the last piece may be smaller
  /// The operand that is padded, LUNA_VECTOR_LHS or RHS; else NOWHERE.
  LunaVectorPlace padded;
  int32_t row; ///< elements of an output row if it is copied to such, else 1
  /// Elements of the output before the planes that a padded operand lacks; else
  /// all. No piece has both.
  int32_t covered;
} LunaEltwiseChain;

/// Returns true if the elements of a tensor lie side by side, in order, or
/// plane by plane.
static inline bool luna_tensor_is_packed(const LunaTensorDesc *desc,
                                         bool has_planes) {
  static const int orders[2][4] = {{3, 2, 1, 0}, {2, 1, 3, 0}};
  int32_t stride = 1;
  for (int k = 0; k < 4; ++k) {
    const int i = orders[has_planes][k];
    if (desc->dims[i] != 1 && desc->strides[i] != stride)
      return false;
    stride *= desc->dims[i];
  }
  return true;
}

//===- Operands -----------------------------------------------------------===//

/// An operand that a chain loads, and what it holds then: numbers between
/// -limit and limit.
typedef struct LunaChainOperand {
  LunaVectorPlace place; ///< LUNA_VECTOR_LHS or RHS
  const LunaTensorDesc *desc;
  int32_t zero_point, multiplier, shift, rounding;
  int64_t limit;
  bool has_negative;
} LunaChainOperand;

static inline LunaChainOperand luna_chain_operand(const LunaEltwiseDesc *desc,
                                                  LunaVectorPlace place) {
  bool is_left = place == LUNA_VECTOR_LHS;
  LunaChainOperand operand;
  operand.place = place;
  operand.desc = is_left ? &desc->lhs : &desc->rhs;
  operand.zero_point = is_left ? desc->lhs_zero_point : desc->rhs_zero_point;
  operand.multiplier = is_left ? desc->lhs_multiplier : desc->rhs_multiplier;
  operand.shift = is_left ? desc->lhs_shift : desc->rhs_shift;
  operand.rounding = desc->input_rounding;
  operand.limit = 0;
  operand.has_negative = false;
  return operand;
}

static inline bool luna_chain_rounds_twice(const LunaChainOperand *operand) {
  return operand->multiplier != 0 && operand->shift > 31 &&
         operand->rounding == LUNA_ROUND_DOUBLE;
}

// Widens an operand to 32 bits at `to`, less its zero point.
static inline bool luna_chain_widen(LunaVectorChain *chain,
                                    LunaChainOperand *operand,
                                    LunaVectorPlace to) {
  int32_t type = operand->desc->type, bits = 8 * luna_element_bytes(type);
  int32_t high = (int32_t)luna_chain_type_max(bits == 32 ? 16 : bits);
  int32_t zero_point = operand->zero_point;
  if ((type != LUNA_TYPE_I8 && type != LUNA_TYPE_I16) || zero_point > high ||
      zero_point < -high - 1)
    return false;
  bool is_low = zero_point == -high - 1; // its opposite has one bit more
  bool is_scaled = zero_point == 0 || is_low;
  luna_chain_add(chain,
                 luna_chain_call(is_scaled ? LUNA_CALL_SCALE : LUNA_CALL_OFFSET,
                                 bits, 32, operand->place, to,
                                 is_scaled ? 1 : -zero_point));
  if (is_low)
    luna_chain_add_scalar(chain, LUNA_CALL_OFFSET, to, -zero_point, 0);
  operand->limit = high + 1 + (zero_point < 0 ? -zero_point : zero_point);
  operand->has_negative = !is_low;
  return true;
}

// Widens and scales an operand. Only the sums have a place for their signs.
static inline bool luna_chain_load(LunaVectorChain *chain,
                                   LunaChainOperand *operand,
                                   LunaVectorPlace to) {
  int32_t multiplier = operand->multiplier, shift = operand->shift;
  bool rounds_twice = luna_chain_rounds_twice(operand);
  if (!luna_chain_widen(chain, operand, to))
    return false;
  if (multiplier == 0)
    return true;
  int64_t limit = operand->limit * multiplier >> (shift & 63);
  bool has_signs = rounds_twice && operand->has_negative;
  if (multiplier < 0 || shift < 0 || shift > 62 || limit >= INT32_MAX ||
      (has_signs && to != LUNA_VECTOR_SUMS))
    return false;
  luna_chain_add_scalar(chain, LUNA_CALL_SCALE, to, multiplier,
                        rounds_twice ? 31 : shift);
  if (has_signs)
    luna_chain_fix_signs(chain);
  if (rounds_twice)
    luna_chain_add_scalar(chain, LUNA_CALL_SCALE, to, 1, shift - 31);
  operand->limit = limit + 1;
  return true;
}

// Combines the left and the right operand, of which `first` is in the sums.
// Returns the limit of the results, which have 32 bits; 0 if they have not.
static inline int64_t luna_chain_combine(LunaVectorChain *chain, int32_t kind,
                                         const LunaChainOperand *first,
                                         const LunaChainOperand *second) {
  LunaVectorPlace left = LUNA_VECTOR_SUMS, right = LUNA_VECTOR_OTHER;
  if (first->place == LUNA_VECTOR_RHS) {
    left = LUNA_VECTOR_OTHER;
    right = LUNA_VECTOR_SUMS;
  }
  const LunaCallName name = kind == LUNA_ELTWISE_ADD   ? LUNA_CALL_ADD
                            : kind == LUNA_ELTWISE_SUB ? LUNA_CALL_SUB
                                                       : LUNA_CALL_MUL;
  luna_chain_add_pair(chain, name, left, right, 0);
  chain->calls[chain->count - 1].output = LUNA_VECTOR_SUMS;
  int64_t limit = kind == LUNA_ELTWISE_MUL ? first->limit * second->limit
                                           : first->limit + second->limit;
  return limit <= INT32_MAX ? limit : 0;
}

// What is rounded twice is loaded first.
static inline bool luna_eltwise_chain_calls(const LunaEltwiseDesc *desc,
                                            LunaVectorChain *chain) {
  LunaChainOperand first = luna_chain_operand(desc, LUNA_VECTOR_LHS);
  LunaChainOperand second = luna_chain_operand(desc, LUNA_VECTOR_RHS);
  if (luna_chain_rounds_twice(&second)) {
    const LunaChainOperand left = first;
    first = second;
    second = left;
  }
  *chain = luna_chain_empty();
  if (desc->kind < LUNA_ELTWISE_ADD || desc->kind > LUNA_ELTWISE_MUL ||
      desc->requant.per_channel ||
      !luna_chain_load(chain, &first, LUNA_VECTOR_SUMS) ||
      !luna_chain_load(chain, &second, LUNA_VECTOR_OTHER))
    return false;
  int64_t limit = luna_chain_combine(chain, desc->kind, &first, &second);
  bool has_negative = desc->kind == LUNA_ELTWISE_SUB || first.has_negative ||
                      second.has_negative;
  return limit > 0 &&
         luna_chain_requant(chain, &desc->requant, desc->output.type, limit,
                            has_negative);
}

//===- Pieces -------------------------------------------------------------===//

// Returns true if an operand is the output's box, or one of fewer channels, of
// planes in one batch.
static inline bool luna_eltwise_matches(const LunaTensorDesc *operand,
                                        const LunaTensorDesc *output,
                                        bool has_planes) {
  for (int i = 0; i < 3; ++i)
    if (operand->dims[i] != output->dims[i])
      return false;
  return luna_tensor_is_packed(operand, has_planes) &&
         (operand->dims[3] == output->dims[3] ||
          (operand->dims[3] > 1 && operand->dims[3] < output->dims[3] &&
           (!has_planes || output->dims[0] == 1)));
}

// Returns the tensor that is padded.
static inline const LunaTensorDesc *
luna_chain_padded(const LunaEltwiseDesc *desc, const LunaEltwiseChain *chain) {
  return chain->padded == LUNA_VECTOR_LHS ? &desc->lhs : &desc->rhs;
}

/// Returns the elements of an operand for those of an output row.
static inline int32_t luna_chain_own(const LunaTensorDesc *operand,
                                     const LunaEltwiseChain *chain) {
  return chain->row > 1 ? operand->dims[3] : 1;
}

/// Returns the scratch of an element of the output.
static inline int32_t luna_eltwise_chain_step(const LunaEltwiseDesc *desc,
                                              const LunaEltwiseChain *chain) {
  return 8 + (chain->padded
                  ? luna_element_bytes(luna_chain_padded(desc, chain)->type)
                  : 0);
}

/// Returns the fill of the scratch where the padded operand comes, with its
/// zero point.
static inline LunaFillDesc luna_chain_fill(const LunaEltwiseDesc *desc,
                                           const LunaEltwiseChain *chain) {
  const LunaFillDesc fill = {{luna_chain_padded(desc, chain)->type,
                              {1, 1, 1, chain->piece},
                              {0, 0, 0, 1}},
                             chain->padded == LUNA_VECTOR_LHS
                                 ? desc->lhs_zero_point
                                 : desc->rhs_zero_point,
                             0};
  return fill;
}

/// Returns the copy of the padded operand's rows for so many elements of the
/// output.
static inline LunaCopyDesc luna_chain_copy(const LunaEltwiseDesc *desc,
                                           const LunaEltwiseChain *chain,
                                           int32_t elements) {
  const LunaTensorDesc *padded = luna_chain_padded(desc, chain);
  int32_t rows = elements / chain->row, own = padded->dims[3];
  const LunaCopyDesc copy = {
      {padded->type, {1, 1, rows, own}, {0, 0, own, 1}},
      {padded->type, {1, 1, rows, own}, {0, 0, chain->row, 1}}};
  return copy;
}

/// Writes the chain that computes `desc`, but not its pieces. Returns false if
/// none does so exactly.
static inline bool luna_eltwise_chain(const LunaEltwiseDesc *desc,
                                      LunaEltwiseChain *chain) {
  const LunaTensorDesc *output = &desc->output;
  bool has_planes = luna_strides_have_planes(output->strides + 1);
  bool pads_lhs = desc->lhs.dims[3] != output->dims[3];
  bool pads_rhs = desc->rhs.dims[3] != output->dims[3];
  for (int i = 0; i < 4; ++i)
    if (output->dims[i] < 1)
      return false;
  if (!luna_tensor_is_packed(output, has_planes) ||
      !luna_eltwise_matches(&desc->lhs, output, has_planes) ||
      !luna_eltwise_matches(&desc->rhs, output, has_planes) ||
      (pads_lhs && pads_rhs))
    return false;
  chain->padded = pads_lhs   ? LUNA_VECTOR_LHS
                  : pads_rhs ? LUNA_VECTOR_RHS
                             : LUNA_VECTOR_NOWHERE;
  chain->row = chain->padded && !has_planes ? output->dims[3] : 1;
  chain->elements =
      output->dims[0] * output->dims[1] * output->dims[2] * output->dims[3];
  chain->covered = chain->elements;
  if (chain->padded && has_planes)
    chain->covered = chain->elements / output->dims[3] *
                     luna_chain_padded(desc, chain)->dims[3];
  return luna_eltwise_chain_calls(desc, &chain->chain);
}

/// Writes the chain of `desc`, whose scratch holds a piece. Returns false if it
/// has no chain or no such scratch.
static inline bool luna_eltwise_has_chain(const LunaEltwiseDesc *desc,
                                          LunaEltwiseChain *chain) {
  if (desc->scratch.strides[3] != 1 || !luna_eltwise_chain(desc, chain))
    return false;
  int32_t fits = desc->scratch.dims[3] / luna_eltwise_chain_step(desc, chain);
  chain->piece =
      fits < chain->elements ? fits - fits % chain->row : chain->elements;
  return chain->piece > 0;
}

/// Returns the elements of the piece that begins with element `first`.
static inline int32_t luna_chain_piece_at(const LunaEltwiseChain *chain,
                                          int32_t first) {
  int32_t end = first < chain->covered ? chain->covered : chain->elements;
  return end - first < chain->piece ? end - first : chain->piece;
}

/// Returns the pieces of a chain that has a scratch.
static inline int32_t luna_chain_pieces(const LunaEltwiseChain *chain) {
  int32_t beyond = chain->elements - chain->covered;
  return (chain->covered - 1) / chain->piece + 1 +
         (beyond + chain->piece - 1) / chain->piece;
}

#ifdef __cplusplus
}
#endif

#endif // LUNA_ELTWISE_CHAIN_H
