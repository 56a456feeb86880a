// The fast loops of core_requant.c, for elements of type ELEMENT; ROW(name)
// names them. Included once for each type, so that no loop asks for it. Rows
// without gaps have loops of their own, which need not add strides; UNROLL
// says how many of their elements make a turn.

static inline void ROW(shift_by)(const LunaCoreRequant *requant,
                                 const int32_t *sums, int32_t count,
                                 ELEMENT *to, int32_t stride) {
  const Range range = range_of(requant);
  int32_t shift = requant->shift <= 32 ? requant->shift - 1 : 31;
  UNROLL
  for (const int32_t *end = sums + count; sums != end; ++sums, to += stride) {
    int32_t twice = *sums >> shift;
    *to = (ELEMENT)finish(&range, (twice >> 1) + (twice & 1));
  }
}

static void ROW(shift)(const LunaCoreRequant *requant, const int32_t *sums,
                       int32_t count, ELEMENT *to, int32_t stride) {
  if (stride == 1)
    ROW(shift_by)(requant, sums, count, to, 1);
  else
    ROW(shift_by)(requant, sums, count, to, stride);
}

static inline void ROW(multiplier_by)(const LunaCoreRequant *requant,
                                      const int32_t *sums, int32_t count,
                                      ELEMENT *to, int32_t stride,
                                      int rounds_twice) {
  const Range range = range_of(requant);
  int32_t multiplier = requant->multiplier, shift = requant->shift;
  UNROLL
  for (const int32_t *end = sums + count; sums != end; ++sums, to += stride)
    *to = (ELEMENT)finish(&range, rounds_twice
                                      ? scale_double(*sums, multiplier, shift)
                                      : scale_single(*sums, multiplier, shift));
}

static void ROW(multiplier)(const LunaCoreRequant *requant, const int32_t *sums,
                            int32_t count, ELEMENT *to, int32_t stride) {
  if (stride == 1)
    ROW(multiplier_by)(requant, sums, count, to, 1, 0);
  else
    ROW(multiplier_by)(requant, sums, count, to, stride, 0);
}

static void ROW(multiplier_double)(const LunaCoreRequant *requant,
                                   const int32_t *sums, int32_t count,
                                   ELEMENT *to, int32_t stride) {
  if (stride == 1)
    ROW(multiplier_by)(requant, sums, count, to, 1, 1);
  else
    ROW(multiplier_by)(requant, sums, count, to, stride, 1);
}

// Each row has the same channels.
static inline void ROW(channel_by)(const LunaCoreRequant *requant,
                                   const LunaCoreChannels *channels,
                                   const int32_t *sums,
                                   const LunaCoreRows *rows, ELEMENT *to,
                                   int32_t stride, int32_t step,
                                   int rounds_twice) {
  const Range range = range_of(requant);
  int32_t count = rows->columns, next = rows->row_stride - count * stride;
  for (int32_t i = rows->rows; i > 0; --i, to += next) {
    const int32_t *multiplier = channels->multipliers;
    const int32_t *shift = channels->shifts;
    UNROLL
    for (const int32_t *end = sums + count; sums != end; ++sums, to += stride) {
      int32_t high = rounds_twice ? high_double(*sums, *multiplier)
                                  : luna_core_mulh(*sums, *multiplier);
      *to = (ELEMENT)finish(&range, round_channel(high, *shift));
      multiplier += step;
      shift += step;
    }
  }
}

static void ROW(channel)(const LunaCoreRequant *requant,
                         const LunaCoreChannels *channels, const int32_t *sums,
                         const LunaCoreRows *rows, ELEMENT *to) {
  int32_t stride = rows->stride, step = channels->step;
  int is_dense = stride == 1 && step == 1;
  if (is_dense && requant->rounding != LUNA_ROUND_DOUBLE)
    ROW(channel_by)(requant, channels, sums, rows, to, 1, 1, 0);
  else if (is_dense)
    ROW(channel_by)(requant, channels, sums, rows, to, 1, 1, 1);
  else if (requant->rounding != LUNA_ROUND_DOUBLE)
    ROW(channel_by)(requant, channels, sums, rows, to, stride, step, 0);
  else
    ROW(channel_by)(requant, channels, sums, rows, to, stride, step, 1);
}

// Some shifts, or that of the tensor, are below HIGH_SHIFT.
static void ROW(any)(const LunaCoreRequant *requant,
                     const LunaCoreChannels *channels, const int32_t *sums,
                     int32_t count, ELEMENT *to, int32_t stride) {
  const Range range = range_of(requant);
  int32_t rounding = requant->rounding, step = channels->step;
  const int32_t *multiplier = channels->multipliers, *shift = channels->shifts;
  for (const int32_t *end = sums + count; sums != end; ++sums, to += stride) {
    int32_t value = *shift < HIGH_SHIFT
                        ? scale_any(*sums, *multiplier, *shift, rounding)
                    : rounding == LUNA_ROUND_DOUBLE
                        ? scale_double(*sums, *multiplier, *shift)
                        : scale_single(*sums, *multiplier, *shift);
    *to = (ELEMENT)finish(&range, value);
    multiplier += step;
    shift += step;
  }
}

// Chooses the loop of a row, if has_row.
static void ROW(run)(const LunaCoreRequant *requant,
                     const LunaCoreChannels *channels, const int32_t *sums,
                     int32_t count, ELEMENT *to, int32_t stride) {
  const LunaCoreChannels same = {&requant->multiplier, &requant->shift, 0, 0};
  if (requant->mode == LUNA_REQUANT_SHIFT) {
    ROW(shift)(requant, sums, count, to, stride);
  } else if (requant->per_channel && channels->is_high) {
    const LunaCoreRows row = {1, count, stride, 0};
    ROW(channel)(requant, channels, sums, &row, to);
  } else if (requant->per_channel) {
    ROW(any)(requant, channels, sums, count, to, stride);
  } else if (requant->shift < HIGH_SHIFT) {
    ROW(any)(requant, &same, sums, count, to, stride);
  } else if (requant->rounding == LUNA_ROUND_DOUBLE) {
    ROW(multiplier_double)(requant, sums, count, to, stride);
  } else {
    ROW(multiplier)(requant, sums, count, to, stride);
  }
}

static void ROW(run_rows)(const LunaCoreRequant *requant,
                          const LunaCoreChannels *channels, const int32_t *sums,
                          const LunaCoreRows *rows, ELEMENT *to) {
  if (requant->mode == LUNA_REQUANT_MULTIPLIER && requant->per_channel &&
      channels->is_high) {
    ROW(channel)(requant, channels, sums, rows, to);
    return;
  }
  for (int32_t i = 0; i < rows->rows; ++i) {
    ROW(run)(requant, channels, sums, rows->columns, to, rows->stride);
    sums += rows->columns;
    to += rows->row_stride;
  }
}
