// The fast loops of core_requant.c, for elements of type ELEMENT; ROW(name)
// names them. Included once for each type, so that no loop asks for it.

static void ROW(shift)(const LunaCoreRequant *requant, const int32_t *sums,
                       int32_t count, ELEMENT *to, int32_t stride) {
  const Range range = range_of(requant);
  int32_t shift = requant->shift <= 32 ? requant->shift - 1 : 31;
  for (const int32_t *end = sums + count; sums != end; ++sums, to += stride) {
    int32_t twice = *sums >> shift;
    *to = (ELEMENT)finish(&range, (twice >> 1) + (twice & 1));
  }
}

static void ROW(multiplier)(const LunaCoreRequant *requant, const int32_t *sums,
                            int32_t count, ELEMENT *to, int32_t stride) {
  const Range range = range_of(requant);
  int32_t multiplier = requant->multiplier, shift = requant->shift;
  for (const int32_t *end = sums + count; sums != end; ++sums, to += stride)
    *to = (ELEMENT)finish(&range, scale_single(*sums, multiplier, shift));
}

static void ROW(multiplier_double)(const LunaCoreRequant *requant,
                                   const int32_t *sums, int32_t count,
                                   ELEMENT *to, int32_t stride) {
  const Range range = range_of(requant);
  int32_t multiplier = requant->multiplier, shift = requant->shift;
  for (const int32_t *end = sums + count; sums != end; ++sums, to += stride)
    *to = (ELEMENT)finish(&range, scale_double(*sums, multiplier, shift));
}

static void ROW(channel)(const LunaCoreRequant *requant,
                         const LunaCoreChannels *channels, const int32_t *sums,
                         int32_t count, ELEMENT *to, int32_t stride) {
  const Range range = range_of(requant);
  const int32_t *multiplier = channels->multipliers, *shift = channels->shifts;
  int32_t step = channels->step;
  for (const int32_t *end = sums + count; sums != end; ++sums, to += stride) {
    int32_t high = luna_core_mulh(*sums, *multiplier);
    *to = (ELEMENT)finish(&range, round_channel(high, *shift));
    multiplier += step;
    shift += step;
  }
}

static void ROW(channel_double)(const LunaCoreRequant *requant,
                                const LunaCoreChannels *channels,
                                const int32_t *sums, int32_t count, ELEMENT *to,
                                int32_t stride) {
  const Range range = range_of(requant);
  const int32_t *multiplier = channels->multipliers, *shift = channels->shifts;
  int32_t step = channels->step;
  for (const int32_t *end = sums + count; sums != end; ++sums, to += stride) {
    int32_t high = high_double(*sums, *multiplier);
    *to = (ELEMENT)finish(&range, round_channel(high, *shift));
    multiplier += step;
    shift += step;
  }
}

// Chooses the loop, if has_row.
static void ROW(run)(const LunaCoreRequant *requant,
                     const LunaCoreChannels *channels, const int32_t *sums,
                     int32_t count, ELEMENT *to, int32_t stride) {
  int is_double = requant->rounding == LUNA_ROUND_DOUBLE;
  if (requant->mode == LUNA_REQUANT_SHIFT)
    ROW(shift)(requant, sums, count, to, stride);
  else if (requant->per_channel && is_double)
    ROW(channel_double)(requant, channels, sums, count, to, stride);
  else if (requant->per_channel)
    ROW(channel)(requant, channels, sums, count, to, stride);
  else if (is_double)
    ROW(multiplier_double)(requant, sums, count, to, stride);
  else
    ROW(multiplier)(requant, sums, count, to, stride);
}
