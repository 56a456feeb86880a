#ifndef LUNA_VECTOR_CHAIN_H
#define LUNA_VECTOR_CHAIN_H

// Chains of vector calls (luna/unit_calls.h) by which the unit turns 32-bit
// sums into results: the requantisation of products and the whole of sums and
// products of two tensors, bit for bit.
//
// apply_scale_32 with double rounding, of a multiplier m and a shift of 31 + e,
// is R(t - (t < 0), e) with t = R(sum * m, 31): calls scale, cmp_vs, sub, and
// an offset that also adds the zero point, z * 2^e. For e >= 1 it does not
// matter whether t or the sum is negative. Where what is below the zero point
// is clamped away, neither matters, and cmp_vs and sub are left out.
//
// With a multiplier for each channel, multi_vec_mul takes the place of scale,
// and a second one multiplies by 2^(E - e), E the largest e, so that one offset
// serves all. What saturates there lies beyond the range of int8. Planes have
// both numbers as scalars of their own calls; or mul takes the place of
// multi_vec_mul, by a strip as large as the sums, the outer product of the
// numbers of the channels and a plane of ones.
//
// The compiler writes the calls of products as data after their launches; the
// core derives those of sums from the descriptor.

#include <stdbool.h>

#include "luna/launch_record.h"
#include "luna/unit_calls.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { LUNA_CHAIN_CALLS_MAX = 24 };

typedef struct LunaVectorChain {
  LunaVectorCall calls[LUNA_CHAIN_CALLS_MAX];
  int32_t count;
  bool has_other;  ///< needs a second piece of scratch
  bool has_powers; ///< needs a piece of one sum for each channel
  bool has_ones;   ///< needs a piece of one sum for each place of a plane
  LunaVectorScope shift_scope; ///< of the call that shifts
} LunaVectorChain;

/// The shifts of channels that a chain takes; the least is one less where no
/// sign is fixed. Up to the largest, what the products with powers saturate is
/// clamped by every zero point and range of int8.
enum { LUNA_CHAIN_SHIFT_MIN = 32, LUNA_CHAIN_SHIFT_MAX = 52 };

/// Returns true if vector calls finish the sums: `finish` is LUNA_FINISH_UNIT
/// or one of its forms for planes.
static inline bool luna_finish_has_calls(int32_t finish) {
  return finish >= LUNA_FINISH_UNIT;
}

//===- One call -----------------------------------------------------------===//

static inline LunaVectorChain luna_chain_empty(void) {
  LunaVectorChain chain;
  chain.count = 0;
  chain.has_other = chain.has_powers = chain.has_ones = false;
  chain.shift_scope = LUNA_VECTOR_TILE;
  return chain;
}

static inline void luna_chain_add(LunaVectorChain *chain, LunaVectorCall call) {
  chain->calls[chain->count++] = call;
  chain->has_other |=
      call.output == LUNA_VECTOR_OTHER || call.other == LUNA_VECTOR_OTHER;
}

// A call without a shift and a second operand.
static inline LunaVectorCall
luna_chain_call(LunaCallName name, int32_t input_bits, int32_t output_bits,
                LunaVectorPlace input, LunaVectorPlace output, int32_t scalar) {
  const LunaVectorCall call = {
      (uint8_t)name,  (uint8_t)input_bits, (uint8_t)output_bits, 0,
      (uint8_t)input, LUNA_VECTOR_NOWHERE, (uint8_t)output,      0,
      scalar};
  return call;
}

// A call with a scalar, on 32 bits in place.
static inline void luna_chain_add_scalar(LunaVectorChain *chain,
                                         LunaCallName name,
                                         LunaVectorPlace place, int32_t scalar,
                                         int32_t shift) {
  LunaVectorCall call = luna_chain_call(name, 32, 32, place, place, scalar);
  call.shift = (uint8_t)shift;
  luna_chain_add(chain, call);
}

// A call of two vectors of 32 bits, in place of the first.
static inline void luna_chain_add_pair(LunaVectorChain *chain,
                                       LunaCallName name, LunaVectorPlace input,
                                       LunaVectorPlace other, int32_t shift) {
  LunaVectorCall call = luna_chain_call(name, 32, 32, input, input, 0);
  call.other = (uint8_t)other;
  call.shift = (uint8_t)shift;
  luna_chain_add(chain, call);
}

/// Adds the calls that take 1 from what is negative.
static inline void luna_chain_fix_signs(LunaVectorChain *chain) {
  const LunaVectorCall less = luna_chain_call(
      LUNA_CALL_CMP_VS, 32, 32, LUNA_VECTOR_SUMS, LUNA_VECTOR_OTHER, 0);
  luna_chain_add(chain, less);
  luna_chain_add_pair(chain, LUNA_CALL_SUB, LUNA_VECTOR_SUMS, LUNA_VECTOR_OTHER,
                      0);
}

//===- Requantisation -----------------------------------------------------===//

static inline int64_t luna_chain_type_max(int32_t bits) {
  return (int64_t)(((uint64_t)1 << (bits - 1)) - 1);
}

// Adds `amount` to the output, whose type saturates.
static inline void luna_chain_move_output(LunaVectorChain *chain, int32_t bits,
                                          int32_t amount) {
  const int32_t most = (int32_t)luna_chain_type_max(bits);
  while (amount != 0) {
    int32_t step = amount > most ? most : amount < -most ? -most : amount;
    luna_chain_add(chain, luna_chain_call(LUNA_CALL_OFFSET, bits, bits,
                                          LUNA_VECTOR_OUTPUT,
                                          LUNA_VECTOR_OUTPUT, step));
    amount -= step;
  }
}

// Adds the calls that shift by `shift`, add the zero point and clamp: a range
// ends where the type does, once the numbers are moved there. Returns false if
// a scalar of theirs has more than 32 bits.
static inline bool luna_chain_store(LunaVectorChain *chain,
                                    const LunaRequantDesc *requant,
                                    int32_t bits, int32_t shift) {
  const int64_t high = luna_chain_type_max(bits);
  int64_t down = (int64_t)requant->clamp_min + high + 1;
  int64_t up = high - requant->clamp_max;
  if (down < 0 || up < 0 || requant->clamp_min > requant->clamp_max ||
      (bits == 32 && down + up != 0))
    return false;
  int64_t first = requant->output_zero_point + (down != 0 ? -down : up);
  int64_t scalar = first * ((int64_t)1 << (shift < 31 ? shift : 0));
  if (scalar != (int32_t)scalar || shift > 30)
    return false;
  LunaVectorCall call =
      luna_chain_call(LUNA_CALL_OFFSET, 32, bits, LUNA_VECTOR_SUMS,
                      LUNA_VECTOR_OUTPUT, (int32_t)scalar);
  call.shift = (uint8_t)shift;
  call.scope = (uint8_t)chain->shift_scope;
  luna_chain_add(chain, call);
  if (down != 0)
    luna_chain_move_output(chain, bits, (int32_t)(down + up));
  luna_chain_move_output(chain, bits, (int32_t)-up);
  return true;
}

// Returns true if numbers below the zero point reach the output.
static inline bool luna_chain_has_signs(const LunaRequantDesc *requant) {
  return requant->clamp_min < requant->output_zero_point;
}

// By a multiplier for the tensor. Sums are between -limit and limit.
static inline bool luna_chain_multiply(LunaVectorChain *chain,
                                       const LunaRequantDesc *requant,
                                       int32_t bits, int64_t limit,
                                       bool has_negative) {
  int32_t multiplier = requant->multiplier, shift = requant->shift;
  bool rounds_twice = requant->rounding == LUNA_ROUND_DOUBLE && shift > 31;
  int32_t first = rounds_twice ? 31 : shift;
  if (multiplier < 0 || shift < 0 || shift > 62 ||
      (first < 31 && limit * multiplier >> first >= INT32_MAX))
    return false;
  luna_chain_add_scalar(chain, LUNA_CALL_SCALE, LUNA_VECTOR_SUMS, multiplier,
                        first);
  if (rounds_twice && has_negative && luna_chain_has_signs(requant))
    luna_chain_fix_signs(chain);
  return luna_chain_store(chain, requant, bits, shift - first);
}

// Multiplies the sums by the numbers of their channels, spread over planes.
static inline void luna_chain_add_strip(LunaVectorChain *chain,
                                        LunaVectorPlace numbers,
                                        int32_t shift) {
  LunaVectorCall spread =
      luna_chain_call(LUNA_CALL_MAT_MUL, 32, 32, numbers, LUNA_VECTOR_OTHER, 0);
  spread.other = LUNA_VECTOR_ONES;
  luna_chain_add(chain, spread);
  luna_chain_add_pair(chain, LUNA_CALL_MUL, LUNA_VECTOR_SUMS, LUNA_VECTOR_OTHER,
                      shift);
}

// Multiplies the sums by the numbers of their channels.
static inline void luna_chain_scale_channels(LunaVectorChain *chain,
                                             int32_t finish,
                                             LunaVectorPlace numbers,
                                             int32_t shift) {
  if (finish == LUNA_FINISH_STRIPS) {
    luna_chain_add_strip(chain, numbers, shift);
  } else if (finish == LUNA_FINISH_UNIT) {
    luna_chain_add_pair(chain, LUNA_CALL_MULTI_VEC_MUL, LUNA_VECTOR_SUMS,
                        numbers, shift);
  } else {
    luna_chain_add_scalar(chain, LUNA_CALL_SCALE, LUNA_VECTOR_SUMS, 0, shift);
    chain->calls[chain->count - 1].scope = LUNA_VECTOR_PLANE;
  }
}

// By multipliers and shifts of channels, which are data.
static inline bool luna_chain_multiply_channels(LunaVectorChain *chain,
                                                int32_t finish,
                                                const LunaRequantDesc *requant,
                                                int32_t bits) {
  if (requant->rounding != LUNA_ROUND_DOUBLE || bits != 8)
    return false;
  chain->has_ones = finish == LUNA_FINISH_STRIPS;
  chain->has_powers = finish != LUNA_FINISH_PLANES;
  chain->shift_scope =
      chain->has_powers ? LUNA_VECTOR_DEEPEST : LUNA_VECTOR_PLANE;
  if (chain->has_ones)
    luna_chain_add(chain,
                   luna_chain_call(LUNA_CALL_MEMSET, 32, 32,
                                   LUNA_VECTOR_NOWHERE, LUNA_VECTOR_ONES, 1));
  luna_chain_scale_channels(chain, finish, LUNA_VECTOR_MULTIPLIERS, 31);
  if (luna_chain_has_signs(requant))
    luna_chain_fix_signs(chain);
  if (chain->has_powers)
    luna_chain_scale_channels(chain, finish, LUNA_VECTOR_POWERS, 0);
  return luna_chain_store(chain, requant, bits, 0);
}

/// Adds the calls that requantise sums between -limit and limit to `type` by
/// numbers of the tensor. Returns false if no calls do so exactly; the chain is
/// then unspecified.
static inline bool luna_chain_requant(LunaVectorChain *chain,
                                      const LunaRequantDesc *requant,
                                      int32_t type, int64_t limit,
                                      bool has_negative) {
  int32_t bits = 8 * luna_element_bytes(type);
  if (type != LUNA_TYPE_I8 && type != LUNA_TYPE_I16 && type != LUNA_TYPE_I32)
    return false;
  switch ((LunaRequantMode)requant->mode) {
  case LUNA_REQUANT_MULTIPLIER:
    return luna_chain_multiply(chain, requant, bits, limit, has_negative);
  case LUNA_REQUANT_SHIFT:
    return requant->shift >= 0 &&
           luna_chain_store(chain, requant, bits, requant->shift);
  case LUNA_REQUANT_NONE:
  case LUNA_REQUANT_FLOAT:
    return false;
  }
  return false;
}

/// Returns true if the chain of a product takes a channel with these
/// parameters.
static inline bool luna_chain_takes_channel(const LunaRequantDesc *requant,
                                            int32_t multiplier, int32_t shift) {
  return multiplier >= 0 &&
         shift >= LUNA_CHAIN_SHIFT_MIN - !luna_chain_has_signs(requant) &&
         shift <= LUNA_CHAIN_SHIFT_MAX;
}

// Sums that are the result.
static inline bool luna_chain_move_sums(LunaVectorChain *chain, int32_t finish,
                                        int32_t output_type) {
  luna_chain_add(chain,
                 luna_chain_call(LUNA_CALL_OFFSET, 32, 32, LUNA_VECTOR_SUMS,
                                 LUNA_VECTOR_OUTPUT, 0));
  return finish == LUNA_FINISH_UNIT && output_type == LUNA_TYPE_I32;
}

/// Writes the chain that finishes the sums of a product in a form
/// (LunaFinish). Returns false if there is none; the chain is then unspecified.
static inline bool luna_chain_of_product(LunaVectorChain *chain, int32_t finish,
                                         const LunaRequantDesc *requant,
                                         int32_t output_type) {
  *chain = luna_chain_empty();
  if (requant->mode == LUNA_REQUANT_MULTIPLIER && requant->per_channel)
    return luna_chain_multiply_channels(chain, finish, requant,
                                        8 * luna_element_bytes(output_type));
  if (requant->mode == LUNA_REQUANT_NONE)
    return luna_chain_move_sums(chain, finish, output_type);
  return finish == LUNA_FINISH_UNIT &&
         luna_chain_requant(chain, requant, output_type, (int64_t)1 << 31,
                            true);
}

/// Returns the bytes of scratch of a tile that a chain finishes: the sums, as
/// many of the other operand, a number for each channel, and ones.
static inline int64_t luna_chain_scratch_bytes(const LunaVectorChain *chain,
                                               int64_t elements,
                                               int64_t channels) {
  return 4 * (elements * (chain->has_other ? 2 : 1) +
              (chain->has_powers ? channels : 0) +
              (chain->has_ones ? elements / channels : 0));
}

//===- Tiles --------------------------------------------------------------===//

/// A tile in the order of its sums in the scratch, the outermost extent first:
/// channel, y, x where the output has planes, else y, x, channel.
typedef struct LunaChainTile {
  int32_t extents[3];
  int32_t strides[3]; ///< of the output
} LunaChainTile;

/// Returns a tile of `extents` (y, x, channel), whose results have these
/// strides.
static inline LunaChainTile luna_chain_tile(const int32_t strides[3],
                                            const int32_t extents[3]) {
  const int32_t first = luna_strides_have_planes(strides) ? 2 : 0;
  LunaChainTile tile;
  for (int i = 0; i < 3; ++i) {
    tile.extents[i] = extents[(first + i) % 3];
    tile.strides[i] = strides[(first + i) % 3];
  }
  return tile;
}

/// Returns how many elements of a tile lie side by side in the output.
static inline int32_t luna_chain_run(const LunaChainTile *tile) {
  int32_t run = 1;
  for (int i = 2; i >= 0 && (tile->extents[i] == 1 || tile->strides[i] == run);
       --i)
    run *= tile->extents[i];
  return run;
}

/// Returns one plane of a tile that has planes.
static inline LunaChainTile luna_chain_plane(const LunaChainTile *tile) {
  LunaChainTile plane = *tile;
  plane.extents[0] = 1;
  return plane;
}

#ifdef __cplusplus
}
#endif

#endif // LUNA_VECTOR_CHAIN_H
