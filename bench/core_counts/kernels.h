#ifndef KERNELS_H
#define KERNELS_H

// Small kernels of device_runtime/ on a chip's core, for bench/cores: each runs
// on some work and on twice as much, or on none and some, with a mark before
// and after, and prints a line: its name, and how often each cost of machine
// files is in the difference. What is counted is device_runtime/ alone, neither
// the calls here nor the unit below, which is none.

#include "luna/core.h"
#include "luna/core_cost.h"

enum { CHANNELS = 64, COLUMNS = 8, ROWS = 8, LAUNCHES = 64, BORDERS = 8 };

/// What the kernels read and write.
typedef struct LunaBenchData {
  int32_t sums[2 * ROWS * COLUMNS * CHANNELS];
  int8_t bytes[3][4 * ROWS * COLUMNS * CHANNELS];
  int32_t table[2][CHANNELS]; ///< multipliers, shifts
  int32_t constants[BORDERS][CHANNELS];
} LunaBenchData;
extern LunaBenchData luna_bench_data;

/// The machine that kernels ask for their cost.
extern LunaMachine luna_bench_machine;

/// The plugin knows this address.
void luna_bench_mark(void);

/// Whether the unit marks the end of a start and the await.
extern int luna_bench_marks_await;

LunaTensorDesc luna_bench_tensor(int32_t type, int32_t rows, int32_t channels);

LunaRequantDesc luna_bench_requant(int32_t mode, int32_t rounding,
                                   int32_t per_channel);

/// Marks the ends of what does nothing.
void luna_bench_run_nothing(void);

/// A line of the output, in parts.
void luna_bench_begin_line(const char *name);
void luna_bench_add_number(uint64_t number);
void luna_bench_end_line(void);

/// Prints a line: its name, and the work, an expression, cost by cost, of which
/// one at a time is 1 and all others are 0.
#define LUNA_BENCH_PRINT(name, work)                                           \
  do {                                                                         \
    luna_bench_begin_line(name);                                               \
    for (int i = 0; i < LUNA_HOST_COST_COUNT; ++i) {                           \
      luna_bench_machine.host[i] = 100;                                        \
      luna_bench_add_number(work);                                             \
      luna_bench_machine.host[i] = 0;                                          \
    }                                                                          \
    luna_bench_end_line();                                                     \
  } while (0)

/// Prints a line of a call beside nothing, which has one such cost.
#define LUNA_BENCH_PRINT_CALL(name, call, cost)                                \
  do {                                                                         \
    luna_bench_run_nothing();                                                  \
    luna_bench_mark();                                                         \
    call;                                                                      \
    luna_bench_mark();                                                         \
    LUNA_BENCH_PRINT(name, luna_core_cycles(&luna_bench_machine, cost, 1));    \
  } while (0)

// The kinds of kernels, each in a file of its own: kernel_product.c and so on.
void luna_bench_count_products(void);
void luna_bench_count_borders(void);
void luna_bench_count_finishes(void);
void luna_bench_count_sums(void);
void luna_bench_count_chains(void);
void luna_bench_count_tables(void);
void luna_bench_count_averages(void);
void luna_bench_count_calls(void);

#endif // KERNELS_H
