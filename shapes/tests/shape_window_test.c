#include "check.h"
#include "luna/shape_graph.h"
#include "luna/shape_window.h"

static LunaWindow window_of(int64_t in, int64_t kernel, int64_t stride,
                            int64_t dilation) {
  return (LunaWindow){.rank = 1,
                      .in = {in},
                      .kernel = {kernel},
                      .stride = {stride},
                      .dilation = {dilation}};
}

// The extent that a rule of shape_rules.def makes of a window.
static int64_t by_rule(const char *name, const LunaWindow *w, int64_t low,
                       int64_t high) {
  int64_t input[] = {1, w->in[0], 1, 1}, weight[] = {1, w->kernel[0], 1, 1};
  int64_t pad[] = {low, high, 0, 0}, stride[] = {w->stride[0], 1};
  int64_t dilation[] = {w->dilation[0], 1}, dims[4];
  LunaShapeDecl operands[] = {{.rank = 4, .dims = input},
                              {.rank = 4, .dims = weight}};
  luna_shape_infer(
      &(LunaShapeOp){.rule = luna_shape_rule(name, strlen(name)),
                     .operand_count = 2,
                     .ints = {{pad, 4}, {stride, 2}, {dilation, 2}}},
      operands, 4, dims);
  return dims[1];
}

static bool can_start(const LunaWindow *w, int64_t at, int64_t end) {
  return at - w->low[0] + luna_window_reach(w->kernel[0], w->dilation[0]) <=
         end;
}

// As many as can be placed, one by one.
static int64_t counted(const LunaWindow *w) {
  int64_t count = 0;
  while (can_start(w, count * w->stride[0], w->in[0] + w->high[0]))
    ++count;
  return count;
}

// Where windows end is what the rule of a convolution demands: what is cut or
// padded behind, it counts the same.
static void test_window(LunaWindow w, LunaPadding padding) {
  bool fits = luna_window_fit(&w, padding, false) == 1;
  CHECK(w.out[0] == counted(&w));
  CHECK(fits == (w.out[0] > 0));
  if (!fits)
    return;
  int64_t behind = luna_window_behind(&w, 0);
  CHECK(behind <= w.high[0] && behind > w.high[0] - w.stride[0]);
  CHECK(by_rule("tosa.conv2d", &w, w.low[0], behind) == w.out[0]);
  if (padding == LUNA_PADDING_GIVEN)
    return;
  int64_t same = (w.in[0] + w.stride[0] - 1) / w.stride[0];
  CHECK(w.out[0] == (padding == LUNA_PADDING_VALID ? counted(&w) : same));
  int64_t odd = padding == LUNA_PADDING_SAME_UPPER ? w.high[0] - w.low[0]
                                                   : w.low[0] - w.high[0];
  CHECK(odd == 0 || odd == 1);
}

static void test_rounds_up(LunaWindow w) {
  LunaWindow down = w;
  luna_window_fit(&down, LUNA_PADDING_GIVEN, false);
  bool misses = down.out[0] > 0 && luna_window_behind(&down, 0) < w.high[0];
  bool starts_in_padding = down.out[0] * w.stride[0] >= w.in[0] + w.low[0];
  luna_window_fit(&w, LUNA_PADDING_GIVEN, true);
  CHECK(w.out[0] == (down.out[0] + (misses && !starts_in_padding)));
}

// What is left out, ahead and behind, is minus the padding of the rule.
static void test_transposed(LunaWindow w, LunaPadding padding, int64_t out,
                            int64_t more) {
  int64_t low = w.low[0], high = w.high[0];
  w.out[0] = out;
  w.dilation[0] = 1;
  luna_window_fit_transposed(&w, padding, &more);
  CHECK(by_rule("tosa.transpose_conv2d", &w, -w.low[0], -w.high[0]) ==
        w.out[0]);
  if (out > 0)
    CHECK(w.out[0] == out);
  else if (padding == LUNA_PADDING_GIVEN)
    CHECK(w.low[0] == low && w.high[0] == high - more);
  else if (padding != LUNA_PADDING_VALID)
    CHECK(w.out[0] == w.in[0] * w.stride[0]);
}

static void test_paddings(LunaWindow w) {
  for (LunaPadding p = LUNA_PADDING_GIVEN; p <= LUNA_PADDING_VALID; ++p) {
    test_window(w, p);
    for (int64_t more = 0; more < 3; ++more) {
      test_transposed(w, p, 0, more);
      test_transposed(w, p, w.in[0] * w.stride[0] + more - 1, 0);
    }
  }
}

static void windows_follow_their_rules(void) {
  for (int64_t in = 1; in < 12; ++in)
    for (int64_t kernel = 1; kernel < 6; ++kernel)
      for (int64_t stride = 1; stride < 5; ++stride)
        for (int64_t dilation = 1; dilation < 4; ++dilation) {
          LunaWindow w = window_of(in, kernel, stride, dilation);
          test_paddings(w);
          for (int pads = 0; pads < 16; ++pads) {
            w.low[0] = pads / 4;
            w.high[0] = pads % 4;
            test_window(w, LUNA_PADDING_GIVEN);
            test_rounds_up(w);
          }
        }
}

int main(void) {
  RUN_TEST(windows_follow_their_rules);
  return 0;
}
