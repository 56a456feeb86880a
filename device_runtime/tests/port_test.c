#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "luna/launch_record.h"
#include "luna/port.h"
#include "luna/unit_calls.h"
#include "luna/unit_port.h"
#include "ports/mock.h"

// What the mock of a vendor's library refuses of a port's calls: each record
// has one fault, and ends a process of its own with the name of the rule.

enum { SHARED_BYTES = 8192, OUTSIDE_BYTES = 512 };
enum { INPUT = 0, WEIGHT = 1024, BIAS = 2048, OUTPUT = 3072, SPARE = 6144 };

static _Alignas(16) uint8_t shared[SHARED_BYTES], outside[OUTSIDE_BYTES];

void luna_port_fault(const char *why) { mock_refuse("port", why); }

// A launch of 3 x 3 taps on planes of 8 x 6: 8 channels to 4.
typedef struct Launch {
  LunaProductRecord record;
  LunaLaunchRecord launch;
  LunaProductOperands operands;
} Launch;

static Launch sound_launch(void) {
  Launch launch = {
      .record = {.kind = LUNA_LAUNCH_CONV,
                 .bias_stride = 1,
                 .channel_step = 1,
                 .input_type = LUNA_TYPE_I8,
                 .weight_type = LUNA_TYPE_I8,
                 .bias_type = LUNA_TYPE_I32,
                 .launch_count = 1,
                 .output_type = LUNA_TYPE_I8,
                 .weight_layout = {1, 1},
                 .requant = {.mode = LUNA_REQUANT_SHIFT,
                             .shift = 4,
                             .clamp_min = -128,
                             .clamp_max = 127}},
      .launch = {.tile = {8, 6},
                 .out = {8, 6},
                 .in = {8, 6},
                 .taps = {3, 3},
                 .out_channels = 4,
                 .in_channels = 8,
                 .pad_before = {1, 1},
                 .pad_after = {1, 1},
                 .stride = {1, 1},
                 .dilation = {1, 1},
                 .in_step = {1, 1},
                 .flags =
                     LUNA_LAUNCH_FIRST | LUNA_LAUNCH_LAST | LUNA_LAUNCH_COVERS,
                 .row_strips = 1},
      .operands = {.input = shared + INPUT,
                   .weight = shared + WEIGHT,
                   .bias = shared + BIAS,
                   .output = shared + OUTPUT},
  };
  return launch;
}

static void start(const Launch *launch) {
  luna_unit_start(&launch->record, &launch->launch, &launch->operands);
  luna_unit_await();
}

//===- Faults -------------------------------------------------------------===//

static void nothing(void) {
  Launch launch = sound_launch();
  start(&launch);
}

// The range that the weights and the output still have is four.
static void channels_in_a_block(void) {
  Launch launch = sound_launch();
  launch.launch.out_channels = 3;
  memset(shared + WEIGHT, 1, 8 * 9 * 4);
  start(&launch);
}

static void pads_swapped(void) {
  Launch launch = sound_launch();
  launch.launch.pad_after[0] = 0;
  start(&launch);
}

static void bias_misaligned(void) {
  Launch launch = sound_launch();
  launch.operands.bias = shared + BIAS + 2;
  start(&launch);
}

static void input_outside(void) {
  Launch launch = sound_launch();
  launch.operands.input = outside;
  start(&launch);
}

static void weights_in_rows(void) {
  Launch launch = sound_launch();
  launch.record.weight_layout[0] = 0;
  start(&launch);
}

static int32_t transfer(uint8_t *target, const uint8_t *source) {
  const LunaDmaDesc desc = {.bytes = 64};
  return luna_unit_start_transfer(&desc, target, source);
}

static void writes_into_the_target(void) {
  transfer(shared + OUTPUT, outside);
  nothing();
}

static void writes_into_the_source(void) {
  transfer(outside, shared + OUTPUT);
  nothing();
}

static void half_a_granule(void) {
  const LunaDmaDesc desc = {.bytes = 62};
  luna_unit_start_transfer(&desc, shared + SPARE, outside);
}

static void wider_in_place(void) {
  const LunaVectorCall call = {
      .name = LUNA_CALL_SCALE, .input_bits = 8, .output_bits = 32};
  const LunaVectorOperands operands = {
      .input = shared, .output = shared, .count = 8};
  luna_unit_start_vector(&call, &operands);
}

#ifndef PORT_HAS_STRIPS
// What was prepared is what the library gets: here nothing of its own.
static void block_overwritten(void) {
  static _Alignas(16) uint8_t memory[512];
  static Launch launch;
  launch = sound_launch();
  luna_rt_prepare(&launch.record, memory);
  start(&launch);
  memset(memory + LUNA_PORT_PRODUCT_BYTES, 0, 16);
  start(&launch);
}
#endif

#ifdef PORT_HAS_STRIPS
// Three strips do not divide eight rows.
static void strips_of_three(void) {
  Launch launch = sound_launch();
  launch.launch.row_strips = 3;
  start(&launch);
}
#endif

//===- Processes ----------------------------------------------------------===//

// Runs `fault` in a process, and writes what it says at its end to `said`.
static int run(void (*fault)(void), char said[256]) {
  int ends[2], status = 0;
  CHECK_EQ(pipe(ends), 0);
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], 2);
    luna_set_sharedmem(shared, SHARED_BYTES);
    fault();
    _exit(0);
  }
  close(ends[1]);
  ssize_t length = read(ends[0], said, 255);
  said[length > 0 ? length : 0] = 0;
  close(ends[0]);
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void refuses(void (*fault)(void), const char *rule) {
  char said[256];
  CHECK_EQ(run(fault, said), 3);
  if (!strstr(said, rule))
    CHECK_STR(said, rule);
}

static void a_sound_launch_is_taken(void) {
  char said[256];
  CHECK_EQ(run(nothing, said), 0);
  CHECK_STR(said, "");
}

static void each_fault_is_refused_by_its_rule(void) {
  refuses(channels_in_a_block, "a lane of the weights is not 0");
  refuses(pads_swapped, "extents that do not fit together");
  refuses(bias_misaligned, "an operand is not aligned");
  refuses(input_outside, "an operand is not in shared memory");
  refuses(weights_in_rows, "a launch that is no call");
  refuses(writes_into_the_target, "writes into an end of the transfer");
  refuses(writes_into_the_source, "writes into an end of the transfer");
  refuses(half_a_granule, "a transfer is not of whole granules");
  refuses(wider_in_place, "a wider result in place");
#ifndef PORT_HAS_STRIPS
  refuses(block_overwritten, "a block that the packer did not make for it");
#endif
#ifdef PORT_HAS_STRIPS
  refuses(strips_of_three, "strips that do not divide the rows");
#endif
}

//===- Transfers ----------------------------------------------------------===//

static uint8_t *byte_at(int i) { return shared + SPARE + 64 * i; }

// Starts transfers of 64 bytes of value 1 + i to targets of zeros.
static void start_transfers(int32_t *tokens, int count) {
  static uint8_t sources[32][64];
  for (int i = 0; i < count; ++i) {
    memset(byte_at(i), 0, 64);
    memset(sources[i], 1 + i, 64);
    tokens[i] = transfer(byte_at(i), sources[i]);
  }
}

static void transfers_queue_up(void) {
  int32_t tokens[3];
  int before = mock_transfers();
  start_transfers(tokens, 3);
  CHECK_EQ(mock_transfers() - before, 1);
  luna_unit_await_transfer(tokens[1]);
  CHECK_EQ(*byte_at(0), 1);
  CHECK_EQ(*byte_at(1), 2);
  CHECK_EQ(*byte_at(2), 0);
  CHECK_EQ(mock_transfers() - before, 3);
  luna_unit_await_transfer(tokens[0]);
  luna_unit_await_transfer(tokens[2]);
  CHECK_EQ(*byte_at(2), 3);
}

static void an_end_starts_the_next(void) {
  int32_t tokens[2];
  int before = mock_transfers();
  start_transfers(tokens, 2);
  luna_port_transfer_ended();
  CHECK_EQ(*byte_at(0), 1);
  CHECK_EQ(mock_transfers() - before, 2);
  luna_port_transfer_ended();
  CHECK_EQ(*byte_at(1), 2);
  luna_port_transfer_ended();
  luna_unit_await_transfer(tokens[1]);
  luna_unit_await_transfer(tokens[0]);
}

static void a_full_queue_waits(void) {
  int32_t tokens[20];
  start_transfers(tokens, 20);
  CHECK_EQ(*byte_at(3), 4);
  CHECK_EQ(*byte_at(4), 0);
  for (int i = 0; i < 20; ++i)
    luna_unit_await_transfer(tokens[i]);
  CHECK_EQ(*byte_at(19), 20);
}

static void transfers_that_end_at_once(void) {
  int32_t tokens[20];
  mock_end_with(luna_port_transfer_ended);
  start_transfers(tokens, 20);
  CHECK_EQ(*byte_at(19), 20);
  for (int i = 20; i-- > 0;)
    luna_unit_await_transfer(tokens[i]);
  mock_end_with(NULL);
}

int main(void) {
  RUN_TEST(a_sound_launch_is_taken);
  RUN_TEST(each_fault_is_refused_by_its_rule);
  luna_set_sharedmem(shared, SHARED_BYTES);
  RUN_TEST(transfers_queue_up);
  RUN_TEST(an_end_starts_the_next);
  RUN_TEST(a_full_queue_waits);
  RUN_TEST(transfers_that_end_at_once);
  return 0;
}
