// Sigmoid, tanh, exponential, root, inverse and logarithm in fixed point, as
// LUNA's chips have them.

#include "linger_curve.h"

#include <math.h>
#include <string.h>

int64_t luna_round_shift(int64_t x, int shift) {
  if (shift <= 0)
    return x * (INT64_C(1) << -shift);
  return shift > 62 ? 0 : ((x >> (shift - 1)) + 1) >> 1;
}

int64_t luna_clamp(int64_t x, int64_t low, int64_t high) {
  return x < low ? low : x > high ? high : x;
}

//===----------------------------------------------------------------------===//
// Sixteen pieces
//===----------------------------------------------------------------------===//

// Venus takes 11 fraction bits and gives 15, with a shift for each piece.
static const int16_t sigmoid16_bands[] = {971,  1699,  2347,  2974,  3614,
                                          4291, 5026,  5861,  6831,  7864,
                                          8987, 10375, 11594, 13168, 14730};
static const int16_t sigmoid16_slopes[] = {
    32316, 29471, 25891, 22068, 18225, 29057, 22206, 16113,
    10881, 27353, 16611, 9242,  4618,  20670, 8610,  693};
static const int16_t sigmoid16_biases[] = {
    16384, 16721, 17464, 18559, 19954, 21585, 23380, 25249,
    27121, 28807, 30096, 31107, 31839, 32199, 32502, 32724};
static const int8_t sigmoid16_shifts[] = {13, 13, 13, 13, 13, 14, 14, 14,
                                          14, 16, 16, 16, 16, 19, 19, 19};
static const int16_t tanh16_bands[] = {512,  888,  1226, 1558, 1899,
                                       2264, 2670, 3146, 3734, 4297,
                                       4761, 5466, 6151, 7193, 8093};
static const int16_t tanh16_slopes[] = {
    32266, 29154, 25374, 21309, 17272, 26886, 19904, 13765,
    8599,  19497, 12047, 7324,  3373,  26820, 5531,  337};
static const int16_t tanh16_biases[] = {
    0,     778,   2417,  4851,  7922,  11474, 15334, 19335,
    23303, 26699, 28653, 30026, 31344, 31981, 32565, 32725};
static const int8_t tanh16_shifts[] = {11, 11, 11, 11, 11, 12, 12, 12,
                                       12, 14, 14, 14, 14, 18, 18, 18};

// The others take 27 fraction bits; slopes have 31, biases 31 or, where
// products stay whole, 28.
static const int32_t sigmoid32_bands[] = {
    63656107,  111395083, 153816608, 194953701, 236865036,
    281253298, 329433241, 384154475, 447714743, 515399149,
    589016819, 679940425, 759830874, 862986200, 965402453};
static const int32_t sigmoid32_slopes[] = {
    529475578, 482862538, 424212188, 361565531, 298613704, 238039992,
    181912633, 132002182, 89144402,  56020914,  34019888,  18928477,
    9459126,   5291645,   2204341,   177654};
static const int32_t sigmoid32_biases[] = {
    1073741824, 1095849221, 1144526551, 1216321063, 1307759740, 1414659140,
    1532274042, 1654777693, 1777444109, 1887935281, 1972419725, 2038648643,
    2086619912, 2110212774, 2130063364, 2144640936};
static const int32_t sigmoid28_biases[] = {
    134217728, 136981152, 143065818, 152040132, 163469967, 176832392,
    191534255, 206847211, 222180513, 235991910, 246552465, 254831080,
    260827489, 263776596, 266257920, 268080117};
static const int32_t sigmoid28_negatives[] = {
    134217728, 131454303, 125369637, 116395323, 104965488, 91603063,
    76901200,  61588244,  46254942,  32443545,  21882990,  13604375,
    7607967,   4658859,   2177535,   355339};
static const int32_t tanh32_bands[] = {
    33584191,  58182438,  80361293,  102120620, 124483371,
    148392654, 174972063, 206183541, 244722657, 281591256,
    312045360, 358241226, 403095772, 471425623, 530372454};
static const int32_t tanh32_slopes[] = {
    2114623134, 1910645334, 1662969581, 1396521636, 1131979061, 881027392,
    652221876,  451080022,  281798391,  159724746,  98692663,   60001039,
    27632752,   13732196,   2832019,    172634};
static const int32_t tanh32_biases[] = {
    0,          51039676,   158405367,  317937954,  519217264,  751968259,
    1004938252, 1267155516, 1527203771, 1749783808, 1877830237, 1967785133,
    2054179492, 2095926998, 2134212723, 2144721503};
static const int32_t tanh28_biases[] = {
    0,         6379959,   19800670,  39742244,  64902158,  93996032,
    125617281, 158394439, 190900471, 218722976, 234728779, 245973141,
    256772436, 261990874, 266776590, 268090187};

static void fill16(LunaCurve *curve, const int16_t *bands,
                   const int16_t *slopes, const int16_t *biases,
                   const int8_t *shifts) {
  curve->x_bits = 11;
  curve->y_bits = 15;
  curve->limit = INT16_MAX;
  for (int k = 0; k < LUNA_CURVE_PIECES; ++k) {
    if (k > 0)
      curve->bands[k - 1] = bands[k - 1];
    curve->slopes[k] = slopes[k];
    curve->biases[k] = biases[k];
    curve->shifts[k] = shifts[k];
  }
}

static void fill32(LunaCurve *curve, LunaCurveForm form, const int32_t *bands,
                   const int32_t *slopes, const int32_t *biases,
                   const int32_t *biases28) {
  bool wide = form == LUNA_CURVE_WHOLE;
  curve->x_bits = 27;
  curve->y_bits = wide ? 58 : 31;
  curve->limit = INT32_MAX;
  for (int k = 0; k < LUNA_CURVE_PIECES; ++k) {
    if (k > 0)
      curve->bands[k - 1] = bands[k - 1];
    curve->slopes[k] = slopes[k];
    curve->shifts[k] = wide ? 0 : 27;
    curve->biases[k] = wide ? (int64_t)biases28[k] << 30 : biases[k];
  }
}

void luna_curve_sigmoid(LunaCurveForm form, LunaCurve *curve) {
  if (form == LUNA_CURVE_16)
    fill16(curve, sigmoid16_bands, sigmoid16_slopes, sigmoid16_biases,
           sigmoid16_shifts);
  else
    fill32(curve, form, sigmoid32_bands, sigmoid32_slopes, sigmoid32_biases,
           sigmoid28_biases);
  // Left of zero it is one minus the right, up to the last bit.
  for (int k = 0; k < LUNA_CURVE_PIECES; ++k)
    curve->negatives[k] =
        form == LUNA_CURVE_WHOLE
            ? (int64_t)sigmoid28_negatives[k] << 30
            : (INT64_C(1) << curve->y_bits) - curve->biases[k];
}

void luna_curve_tanh(LunaCurveForm form, LunaCurve *curve) {
  if (form == LUNA_CURVE_16)
    fill16(curve, tanh16_bands, tanh16_slopes, tanh16_biases, tanh16_shifts);
  else
    fill32(curve, form, tanh32_bands, tanh32_slopes, tanh32_biases,
           tanh28_biases);
  for (int k = 0; k < LUNA_CURVE_PIECES; ++k)
    curve->negatives[k] = -curve->biases[k];
}

int64_t luna_curve_at(const LunaCurve *curve, int64_t x) {
  x = luna_clamp(x, -curve->limit, curve->limit);
  int64_t size = x < 0 ? -x : x;
  int k = 0;
  while (k < LUNA_CURVE_PIECES - 1 && size > curve->bands[k])
    ++k;
  return (curve->slopes[k] * x >> curve->shifts[k]) +
         (x < 0 ? curve->negatives[k] : curve->biases[k]);
}

//===----------------------------------------------------------------------===//
// Exponential, root, inverse and logarithm
//===----------------------------------------------------------------------===//

int32_t luna_exp(int64_t x, bool rounds_once) {
  static const int32_t terms[] = {57364, 446161, 2008107, 5813551, 8388575};
  // To a power of two: whole part and a fraction in [-1, 0).
  x = luna_clamp(x, INT32_MIN, 0);
  int64_t power = luna_round_shift(x * 774541002, 31);
  int whole = (int)(power >> 23) + 1;
  int64_t fraction = (power & 0x7fffff) - 0x800000, y = terms[0];
  for (int i = 1; i < 4; ++i)
    y = luna_round_shift(y * fraction, 23) + terms[i];
  if (rounds_once)
    return (int32_t)luna_round_shift(
        y * fraction * 128 + ((int64_t)terms[4] << 30), 30 - whole);
  y = luna_round_shift(y * fraction, 23) + terms[4];
  return (int32_t)(whole > 0 ? y << whole : whole < -62 ? 0 : y >> -whole);
}

int32_t luna_root(int index) {
  double root = floor(16384 / sqrt((256 + index) / 1024.0));
  return root > 32767 ? 32767 : (int32_t)root;
}

int64_t luna_inverse(int y) {
  // y = x * 2^power, x about 0.5 to 1 in size; five bits of it give a start.
  int power = (int)ceil(log2(fabs(y + 0.5)));
  double x = ldexp(y, -power);
  double inverse = ldexp(round(ldexp(1 / (floor(32 * x) / 32), 29)), -29);
  for (int i = 0; i < 3; ++i) {
    double error = ldexp(floor(ldexp(2 - x * inverse, 30) + 0.5), -30);
    inverse = ldexp(floor(ldexp(error * inverse, 29) + 0.5), -29);
  }
  return (int64_t)ldexp(inverse, LUNA_INVERSE_BITS - power);
}

void luna_log_piece(int index, int64_t *middle, int64_t *slope) {
  double x = 0.5 + (index + 0.5) / (2 * LUNA_LOG_PIECES);
  *middle = (int64_t)ceil(ldexp(log2(x), 31));
  *slope = (int64_t)floor(ldexp(1 / (log(2.0) * x), 29));
}

int32_t luna_log_entry(int index) {
  return (int32_t)floor(65536 * log1p(ldexp(index, -LUNA_LOG_BITS)) + 0.5);
}
