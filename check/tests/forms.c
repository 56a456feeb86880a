#include "forms.h"

#include <assert.h>
#include <stdio.h>

#include "luna/units.h"

const ResultForm result_forms[RESULT_COUNT] = {
    {"sums", LUNA_REQUANT_NONE, LUNA_ROUND_SINGLE, false, LUNA_TYPE_I32},
    {"shift i8", LUNA_REQUANT_SHIFT, LUNA_ROUND_SINGLE, false, LUNA_TYPE_I8},
    {"shift i16", LUNA_REQUANT_SHIFT, LUNA_ROUND_SINGLE, false, LUNA_TYPE_I16},
    {"shift i32", LUNA_REQUANT_SHIFT, LUNA_ROUND_SINGLE, false, LUNA_TYPE_I32},
    {"single i8", LUNA_REQUANT_MULTIPLIER, LUNA_ROUND_SINGLE, false,
     LUNA_TYPE_I8},
    {"single i16", LUNA_REQUANT_MULTIPLIER, LUNA_ROUND_SINGLE, false,
     LUNA_TYPE_I16},
    {"single i32", LUNA_REQUANT_MULTIPLIER, LUNA_ROUND_SINGLE, false,
     LUNA_TYPE_I32},
    {"double i8", LUNA_REQUANT_MULTIPLIER, LUNA_ROUND_DOUBLE, false,
     LUNA_TYPE_I8},
    {"double i16", LUNA_REQUANT_MULTIPLIER, LUNA_ROUND_DOUBLE, false,
     LUNA_TYPE_I16},
    {"double i32", LUNA_REQUANT_MULTIPLIER, LUNA_ROUND_DOUBLE, false,
     LUNA_TYPE_I32},
    {"float i8", LUNA_REQUANT_FLOAT, LUNA_ROUND_SINGLE, false, LUNA_TYPE_I8},
    {"float i16", LUNA_REQUANT_FLOAT, LUNA_ROUND_SINGLE, false, LUNA_TYPE_I16},
    {"channel single i8", LUNA_REQUANT_MULTIPLIER, LUNA_ROUND_SINGLE, true,
     LUNA_TYPE_I8},
    {"channel single i16", LUNA_REQUANT_MULTIPLIER, LUNA_ROUND_SINGLE, true,
     LUNA_TYPE_I16},
    {"channel single i32", LUNA_REQUANT_MULTIPLIER, LUNA_ROUND_SINGLE, true,
     LUNA_TYPE_I32},
    {"channel double i8", LUNA_REQUANT_MULTIPLIER, LUNA_ROUND_DOUBLE, true,
     LUNA_TYPE_I8},
    {"channel double i16", LUNA_REQUANT_MULTIPLIER, LUNA_ROUND_DOUBLE, true,
     LUNA_TYPE_I16},
    {"channel double i32", LUNA_REQUANT_MULTIPLIER, LUNA_ROUND_DOUBLE, true,
     LUNA_TYPE_I32},
    {"channel float i8", LUNA_REQUANT_FLOAT, LUNA_ROUND_SINGLE, true,
     LUNA_TYPE_I8},
    {"channel float i16", LUNA_REQUANT_FLOAT, LUNA_ROUND_SINGLE, true,
     LUNA_TYPE_I16},
};

// A deck and the names of its cards; those of FORM_OPERATOR, FORM_RESULT and
// FORM_SUM stand elsewhere.
typedef struct DeckText {
  const char *name;
  const char *cards[DECK_CARDS_MAX];
} DeckText;

static const DeckText texts[FORM_COUNT] = {
    [FORM_OPERATOR] = {"operator", {0}},
    [FORM_CONV] = {"convolution", {"normal", "depthwise", "transposed"}},
    [FORM_RESULT] = {"result of a product", {0}},
    [FORM_SUM] = {"result of a sum", {0}},
    [FORM_SCALE] = {"multiplier and shift",
                    {"usual", "ties", "multiplier 0", "1", "2^31-1", "any",
                     "shift 0", "1", "30", "31", "32", "52", "53", "62",
                     "any"}},
    [FORM_SHIFT] = {"shift alone",
                    {"usual", "left", "-31", "0", "1", "30", "31", "32", "62"}},
    [FORM_RANGE] = {"range",
                    {"of the type", "ReLU", "around the zero point", "above it",
                     "below it", "a point"}},
    [FORM_ZERO_POINT] = {"zero point", {"0", "-128", "127", "any"}},
    [FORM_PRODUCT] = {"factors", {"i8 i8", "i16 i8", "i16 i16"}},
    [FORM_NUMBERS] = {"numbers", {"any", "small", "a tie"}},
    [FORM_BIAS] = {"bias", {"none", "i32", "i64", "any"}},
    [FORM_TILING] = {"tiling", {"whole", "tiles"}},
    [FORM_LAYOUT] = {"layout beside rows", {"planes", "planes of outputs"}},
    [FORM_SHAPES] = {"operands",
                     {"equal", "repeated", "left padded", "right padded"}},
    [FORM_INPUT_TYPE] = {"type of an input", {"i8", "i16", "i32"}},
    [FORM_INPUT_SCALE] = {"scale of an input",
                          {"none", "power of 2", "single", "double", "ties",
                           "limit"}},
    [FORM_INPUT_ZERO_POINT] = {"zero point of an input",
                               {"0", "-128", "127", "any", "32 bits"}},
    [FORM_SCRATCH] = {"scratch", {"least", "one more", "half", "whole"}},
};

static const char *card_name(FormKind kind, int card) {
  int count = 0;
  if (kind == FORM_OPERATOR) {
    const LunaUnitOp *ops = luna_unit_ops(&count);
    return card < count                     ? ops[card].name
           : card < count + FORM_MORE_CONVS ? ops[0].name
                                            : NULL;
  }
  if (kind == FORM_RESULT)
    return card < RESULT_COUNT ? result_forms[card].name : NULL;
  if (kind == FORM_SUM)
    return card < RESULT_SUMS ? result_forms[card].name : NULL;
  return texts[kind].cards[card];
}

Forms forms_create(uint64_t seed) {
  Forms forms = {.random = {.state = seed}};
  for (int kind = 0; kind < FORM_COUNT; ++kind) {
    Deck *deck = &forms.decks[kind];
    while (deck->count < DECK_CARDS_MAX &&
           card_name((FormKind)kind, deck->count)) {
      deck->cards[deck->count] = (uint8_t)deck->count;
      ++deck->count;
    }
    assert(deck->count > 0);
  }
  return forms;
}

int form_draw(Forms *forms, FormKind kind) {
  Deck *deck = &forms->decks[kind];
  if (deck->left == 0)
    deck->left = deck->count;
  int at = random_in(&forms->random, 0, deck->left - 1);
  uint8_t card = deck->cards[at];
  deck->cards[at] = deck->cards[--deck->left];
  deck->cards[deck->left] = card;
  ++deck->drawn[card];
  return card;
}

void forms_print(const Forms *forms) {
  for (int kind = 0; kind < FORM_COUNT; ++kind) {
    const Deck *deck = &forms->decks[kind];
    int least = deck->drawn[0], most = least;
    for (int card = 1; card < deck->count; ++card) {
      least = deck->drawn[card] < least ? deck->drawn[card] : least;
      most = deck->drawn[card] > most ? deck->drawn[card] : most;
    }
    printf("%s, each %d to %d times:", texts[kind].name, least, most);
    for (int card = 0; card < deck->count; ++card)
      printf("%s %s", card == 0 ? "" : ",", card_name((FormKind)kind, card));
    printf("\n");
  }
}
