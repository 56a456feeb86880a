#include "unit_vector.h"

// Calls of the unit's vector library, element by element: the exact value is
// shifted, rounded half up, and saturated at the output's type
// (luna/unit_calls.def).

static int64_t load(const void *from, int32_t bits, int32_t index) {
  int32_t type = bits == 8    ? LUNA_TYPE_I8
                 : bits == 16 ? LUNA_TYPE_I16
                              : LUNA_TYPE_I32;
  int64_t value;
  luna_load_longs(&value, (const uint8_t *)from + (int64_t)index * bits / 8,
                  type, 0, 1, 0);
  return value;
}

static void store(void *to, int32_t bits, int32_t index, int64_t value) {
  int64_t high = (int64_t)(((uint64_t)1 << (bits - 1)) - 1);
  int32_t type = bits == 8    ? LUNA_TYPE_I8
                 : bits == 16 ? LUNA_TYPE_I16
                              : LUNA_TYPE_I32;
  value = luna_clamp(value, -high - 1, high);
  luna_store_longs((uint8_t *)to + (int64_t)index * bits / 8, &value, type, 0,
                   1);
}

// The exact value, of at most 63 bits: scalars and elements have 32.
static int64_t value_of(const LunaVectorCall *call, int64_t a, int64_t b) {
  switch ((LunaCallName)call->name) {
  case LUNA_CALL_ADD:
    return a + b;
  case LUNA_CALL_SUB:
    return a - b;
  case LUNA_CALL_MUL:
  case LUNA_CALL_MULTI_VEC_MUL:
  case LUNA_CALL_MAT_MUL:
    return a * b;
  case LUNA_CALL_SCALE:
    return a * call->scalar;
  case LUNA_CALL_OFFSET:
    return a + call->scalar;
  case LUNA_CALL_CMP_VS:
    return a < call->scalar;
  case LUNA_CALL_MEMSET:
    return call->scalar;
  default:
    return 0; // refused before
  }
}

// R(value, shift): v >> s and the last bit that falls off.
static int64_t rounded(int64_t value, int32_t shift) {
  if (shift == 0)
    return value;
  return (value >> shift) + ((value >> (shift - 1)) & 1);
}

static bool has_other(const LunaVectorCall *call) {
  return call->name == LUNA_CALL_ADD || call->name == LUNA_CALL_SUB ||
         call->name == LUNA_CALL_MUL || call->name == LUNA_CALL_MULTI_VEC_MUL ||
         call->name == LUNA_CALL_MAT_MUL;
}

void luna_kernel_vector(const LunaVectorCall *call,
                        const LunaVectorOperands *operands) {
  bool is_product = call->name == LUNA_CALL_MAT_MUL;
  int32_t columns = is_product || call->name == LUNA_CALL_MULTI_VEC_MUL
                        ? operands->columns
                        : INT32_MAX;
  for (int32_t i = 0; i < operands->count; ++i) {
    int64_t a = call->name == LUNA_CALL_MEMSET
                    ? 0
                    : load(operands->input, call->input_bits,
                           is_product ? i / columns : i);
    int64_t b = has_other(call)
                    ? load(operands->other, call->input_bits, i % columns)
                    : 0;
    store(operands->output, call->output_bits, i,
          rounded(value_of(call, a, b), call->shift));
  }
}
