#include "kernels.h"

#include "system.h"

LunaBenchData luna_bench_data;
LunaMachine luna_bench_machine;

__attribute__((noinline)) void luna_bench_mark(void) { __asm__ volatile(""); }

void luna_bench_run_nothing(void) {
  luna_bench_mark();
  luna_bench_mark();
}

LunaTensorDesc luna_bench_tensor(int32_t type, int32_t rows, int32_t channels) {
  return (LunaTensorDesc){
      .type = type,
      .dims = {1, rows, COLUMNS, channels},
      .strides = {rows * COLUMNS * channels, COLUMNS * channels, channels, 1}};
}

LunaRequantDesc luna_bench_requant(int32_t mode, int32_t rounding,
                                   int32_t per_channel) {
  LunaRequantDesc desc = {.mode = mode,
                          .rounding = rounding,
                          .per_channel = per_channel,
                          .multiplier = (1 << 30) + 12345,
                          .shift = mode == LUNA_REQUANT_SHIFT ? 8 : 39,
                          .output_zero_point = -3,
                          .clamp_min = -128,
                          .clamp_max = 127};
  if (mode == LUNA_REQUANT_FLOAT)
    desc.multiplier = 0x3b800000; // 2^-8
  return desc;
}

//===- Output -------------------------------------------------------------===//

static char line[1024];
static size_t length;

static void add_text(const char *text) {
  while (*text)
    line[length++] = *text++;
}

void luna_bench_begin_line(const char *name) {
  length = 0;
  add_text(name);
  add_text(":");
}

void luna_bench_add_number(uint64_t number) {
  char digits[20];
  int count = 0;
  do
    digits[count++] = (char)('0' + number % 10);
  while ((number /= 10) > 0);
  line[length++] = ' ';
  while (count > 0)
    line[length++] = digits[--count];
}

void luna_bench_end_line(void) {
  add_text("\n");
  luna_system_write(1, line, length);
}

//===- All of it ----------------------------------------------------------===//

static void set_up(void) {
  for (int32_t i = 0; i < 2 * ROWS * COLUMNS * CHANNELS; ++i) {
    luna_bench_data.sums[i] = (i * 7919) % 60001 - 30000;
    luna_bench_data.bytes[0][i] = (int8_t)(i % 251 - 125);
    luna_bench_data.bytes[1][i] = (int8_t)(i % 241 - 120);
  }
  for (int32_t c = 0; c < CHANNELS; ++c) {
    luna_bench_data.table[0][c] = (1 << 30) + c * 1000;
    luna_bench_data.table[1][c] = 38 + c % 3;
  }
}

int main(void) {
  set_up();
  luna_bench_count_products();
  luna_bench_count_borders();
  luna_bench_count_finishes();
  luna_bench_count_sums();
  luna_bench_count_chains();
  luna_bench_count_tables();
  luna_bench_count_averages();
  luna_bench_count_calls();
  return 0;
}
