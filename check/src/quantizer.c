#include "luna/quantizer.h"

#include <math.h>
#include <string.h>

int64_t luna_quantizer_count(const LunaQuantizer *quantizer) {
  int64_t count = 1;
  for (int64_t i = 0; i < quantizer->rank; ++i)
    count *= quantizer->dims[i];
  return count;
}

//===- Elements -----------------------------------------------------------===//

static int64_t read_integer(const LunaQuantizer *quantizer, const void *data,
                            int64_t index) {
  int64_t bytes = quantizer->element_bytes;
  uint32_t raw = 0;
  memcpy(&raw, (const char *)data + index * bytes, (size_t)bytes);
  unsigned unused = 64 - 8 * (unsigned)bytes;
  return quantizer->is_unsigned ? (int64_t)raw
                                : (int64_t)((uint64_t)raw << unused) >> unused;
}

static void write_integer(const LunaQuantizer *quantizer, void *data,
                          int64_t index, int64_t value) {
  int64_t bytes = quantizer->element_bytes;
  uint32_t raw = (uint32_t)value;
  memcpy((char *)data + index * bytes, &raw, (size_t)bytes);
}

// The place of element `index` in a tensor of these strides.
static int64_t place_of(const LunaQuantizer *quantizer, const int64_t *strides,
                        int64_t index) {
  int64_t place = 0;
  for (int64_t i = quantizer->rank; i-- > 0;) {
    place += index % quantizer->dims[i] * strides[i];
    index /= quantizer->dims[i];
  }
  return place;
}

// An element as it is quantised.
typedef struct Step {
  double steps, bias_slack; // over its scale
  int64_t zero;
} Step;

static Step step_at(const LunaQuantizer *quantizer, const void *x,
                    const void *scales, const void *zeros, bool is_double,
                    int64_t index) {
  int64_t scale = place_of(quantizer, quantizer->scale_strides, index);
  int64_t zero = place_of(quantizer, quantizer->zero_strides, index);
  double number = is_double ? ((const double *)x)[index]
                            : (double)((const float *)x)[index];
  double unit = is_double ? ((const double *)scales)[scale]
                          : (double)((const float *)scales)[scale];
  double steps = number / unit;
  return (Step){
      .steps = is_double ? steps : (double)(float)steps,
      .bias_slack = quantizer->bias_slack / unit,
      .zero = zeros ? read_integer(quantizer, zeros, zero) : 0,
  };
}

//===- Rounding -----------------------------------------------------------===//

// Half to even; the rounding mode of the process is not asked.
static double round_even(double x) {
  double whole = floor(x), rest = x - whole;
  bool is_odd = fmod(whole, 2) != 0;
  return rest > 0.5 || (rest == 0.5 && is_odd) ? whole + 1 : whole;
}

static int64_t quantized(const LunaQuantizer *quantizer, double steps,
                         int64_t zero) {
  double rounded = quantizer->ties == LUNA_TIES_AWAY ? round(steps)
                   : quantizer->ties == LUNA_TIES_UP ? floor(steps + 0.5)
                                                     : round_even(steps);
  double moved = rounded + (double)zero;
  if (!(moved > (double)quantizer->low)) // or NaN
    return quantizer->low;
  return moved < (double)quantizer->high ? (int64_t)moved : quantizer->high;
}

// True if a number not further from `step` than `slack` becomes `found`.
static bool is_within(const LunaQuantizer *quantizer, Step step, double slack,
                      int64_t found) {
  return quantized(quantizer, step.steps - slack, step.zero) <= found &&
         found <= quantized(quantizer, step.steps + slack, step.zero);
}

static void judge(const LunaQuantizer *quantizer, Step step, int64_t index,
                  const void *single, int64_t found,
                  LunaQuantizerTally *tally) {
  if (isnan(step.steps))
    return;
  double slack = fmax(1, fabs(step.steps)) / (1 << 20);
  ++tally->values;
  if (is_within(quantizer, step, slack, found))
    tally->ties += quantized(quantizer, step.steps - slack, step.zero) !=
                   quantized(quantizer, step.steps + slack, step.zero);
  else if (single && read_integer(quantizer, single, index) == found)
    ++tally->single;
  else if (is_within(quantizer, step, slack + step.bias_slack, found))
    ++tally->biases;
  else if (tally->wrong++ == 0) {
    tally->first = index;
    tally->found = found;
    tally->expected = step.steps + (double)step.zero;
  }
}

void luna_quantizer_judge(const LunaQuantizer *quantizer, const double *x,
                          const double *scales, const void *zeros,
                          const void *single, const void *found,
                          LunaQuantizerTally *tally) {
  int64_t count = luna_quantizer_count(quantizer);
  for (int64_t i = 0; i < count; ++i)
    judge(quantizer, step_at(quantizer, x, scales, zeros, true, i), i, single,
          read_integer(quantizer, found, i), tally);
}

void luna_quantizer_apply(const LunaQuantizer *quantizer, const void *x,
                          const void *scales, const void *zeros, bool is_double,
                          void *result) {
  int64_t count = luna_quantizer_count(quantizer);
  for (int64_t i = 0; i < count; ++i) {
    Step step = step_at(quantizer, x, scales, zeros, is_double, i);
    write_integer(quantizer, result, i,
                  quantized(quantizer, step.steps, step.zero));
  }
}

//===- Back to numbers ----------------------------------------------------===//

// A zero point of more than 16 bits is taken off as an integer of 32.
static int64_t centred(int64_t integer, int64_t zero) {
  return (int32_t)(uint32_t)(integer - zero);
}

void luna_quantizer_dequantize(const LunaQuantizer *quantizer,
                               const void *integers, const void *scales,
                               const void *zeros, bool is_double,
                               void *result) {
  int64_t count = luna_quantizer_count(quantizer);
  for (int64_t i = 0; i < count; ++i) {
    int64_t scale = place_of(quantizer, quantizer->scale_strides, i);
    int64_t zero = place_of(quantizer, quantizer->zero_strides, i);
    int64_t integer = read_integer(quantizer, integers, i);
    zero = zeros ? read_integer(quantizer, zeros, zero) : 0;
    integer = centred(integer, zero);
    if (is_double)
      ((double *)result)[i] = (double)integer * ((const double *)scales)[scale];
    else
      ((float *)result)[i] = (float)integer * ((const float *)scales)[scale];
  }
}

//===- Records ------------------------------------------------------------===//

void luna_quantizer_save(const LunaQuantizer *quantizer, LunaText *record) {
  LunaQuantizer plain = *quantizer;
  plain.name = NULL;
  luna_record_string(record, quantizer->name);
  luna_record_bytes(record, &plain, sizeof plain);
}

bool luna_quantizer_restore(LunaRecordReader *reader, LunaArena *arena,
                            LunaQuantizer *quantizer) {
  size_t length = 0;
  const char *name = luna_record_read_string(reader, arena);
  const void *plain = luna_record_read_bytes(reader, &length);
  if (reader->is_damaged || !name || length != sizeof *quantizer)
    return false;
  memcpy(quantizer, plain, length);
  quantizer->name = name;
  return true;
}
