#ifndef LUNA_FORMS_H
#define LUNA_FORMS_H

// The forms and limits of random operators as decks of cards: each card of a
// deck is drawn as often as the others.

#include "luna/runtime.h"
#include "tile_random.h"

/// The decks, each with its cards in the order of the enumerators below.
typedef enum FormKind {
  /// Rows of luna/units.def, the first of them, a convolution, for each kind.
  FORM_OPERATOR,
  FORM_CONV,   ///< LunaConvKind
  FORM_RESULT, ///< ResultForm, of products
  FORM_SUM,    ///< ResultForm per tensor, of elementwise operators
  FORM_SCALE,  ///< ScaleForm
  FORM_SHIFT,  ///< ShiftForm
  FORM_RANGE,  ///< RangeForm
  FORM_ZERO_POINT,
  FORM_PRODUCT, ///< the types of input and weight: ProductForm
  FORM_NUMBERS, ///< NumbersForm
  FORM_BIAS,    ///< BiasForm
  FORM_TILING,  ///< whole or random
  FORM_LAYOUT,  ///< LayoutForm, from LAYOUT_PLANES on
  FORM_SHAPES,  ///< ShapesForm
  FORM_INPUT_TYPE,
  FORM_INPUT_SCALE, ///< InputForm
  FORM_INPUT_ZERO_POINT,
  FORM_SCRATCH, ///< ScratchForm
  FORM_COUNT
} FormKind;

/// How sums become results.
typedef struct ResultForm {
  const char *name;
  LunaRequantMode mode;
  LunaRounding rounding;
  bool per_channel;
  int32_t type;
} ResultForm;

enum { FORM_MORE_CONVS = 2 };

enum { RESULT_SUMS = 12, RESULT_COUNT = 20 };
/// The cards of FORM_RESULT; the first RESULT_SUMS are those of FORM_SUM.
extern const ResultForm result_forms[RESULT_COUNT];

/// Multiplier and shift: one of them is at a limit, or both are usual.
typedef enum ScaleForm {
  SCALE_USUAL,
  SCALE_TIES,
  SCALE_0,
  SCALE_1,
  SCALE_LARGEST,
  SCALE_ANY,
  SCALE_SHIFT_0,
  SCALE_SHIFT_1,
  SCALE_SHIFT_30,
  SCALE_SHIFT_31,
  SCALE_SHIFT_32,
  SCALE_SHIFT_52,
  SCALE_SHIFT_53,
  SCALE_SHIFT_62,
  SCALE_SHIFT_ANY,
} ScaleForm;

/// A requantisation by a shift.
typedef enum ShiftForm {
  SHIFT_USUAL,
  SHIFT_LEFT,
  SHIFT_LEFT_31,
  SHIFT_0,
  SHIFT_1,
  SHIFT_30,
  SHIFT_31,
  SHIFT_32,
  SHIFT_62,
} ShiftForm;

/// The bounds of results.
typedef enum RangeForm {
  RANGE_TYPE,
  RANGE_RELU, ///< from the zero point on
  RANGE_AROUND,
  RANGE_ABOVE, ///< the zero point
  RANGE_BELOW,
  RANGE_POINT,
} RangeForm;

typedef enum ZeroPointForm {
  ZERO_POINT_0,
  ZERO_POINT_LOW,
  ZERO_POINT_HIGH,
  ZERO_POINT_ANY,
  ZERO_POINT_WIDE, ///< of 32 bits; of inputs alone
} ZeroPointForm;

typedef enum ProductForm {
  PRODUCT_8_8,
  PRODUCT_16_8,
  PRODUCT_16_16
} ProductForm;

/// Operands, or the sums that they give.
typedef enum NumbersForm {
  NUMBERS_ANY,
  NUMBERS_SMALL,
  NUMBERS_TIE, ///< a sum that is a negative tie, where there are ties
} NumbersForm;

typedef enum BiasForm { BIAS_NONE, BIAS_32, BIAS_64, BIAS_ANY } BiasForm;

/// How operands lie: the first is always computed, the others are the cards.
typedef enum LayoutForm {
  LAYOUT_ROWS,
  LAYOUT_PLANES,
  LAYOUT_PLANES_OUT
} LayoutForm;

typedef enum ShapesForm {
  SHAPES_EQUAL,
  SHAPES_BROADCAST,
  SHAPES_PADDED_LHS,
  SHAPES_PADDED_RHS,
} ShapesForm;

/// The scale of an input.
typedef enum InputForm {
  INPUT_NONE,
  INPUT_POWER, ///< of two, without a zero point
  INPUT_SINGLE,
  INPUT_DOUBLE,
  INPUT_TIES, ///< rounded twice
  INPUT_LIMIT,
} InputForm;

/// The room of a piece, or of a tile.
typedef enum ScratchForm {
  SCRATCH_LEAST,
  SCRATCH_SECOND,
  SCRATCH_HALF,
  SCRATCH_WHOLE,
} ScratchForm;

enum { DECK_CARDS_MAX = 24 };

typedef struct Deck {
  uint8_t cards[DECK_CARDS_MAX];
  int count, left; ///< the last `left` are not drawn yet
  int drawn[DECK_CARDS_MAX];
} Deck;

typedef struct Forms {
  Random random;
  Deck decks[FORM_COUNT];
} Forms;

Forms forms_create(uint64_t seed);

/// Draws a card of a deck.
int form_draw(Forms *forms, FormKind kind);

/// Prints the cards, and how often each was drawn.
void forms_print(const Forms *forms);

#endif // LUNA_FORMS_H
