// Any sequence of runtime calls ends, and touches no memory but the ranges
// registered: they are heap blocks of their own, which the address sanitizer
// watches. Numbers are mostly small, so that many calls are nearly right.

#include <stdlib.h>
#include <string.h>

#include "luna/launches.h"
#include "luna/simulator.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { RANGE_BYTES = 2048, CALLS_MAX = 24 };

typedef struct Stream {
  const uint8_t *data;
  size_t size, next;
  uint8_t *memories[2];
  int32_t ids[1 + 2 * 6]; // of the last call
} Stream;

static uint8_t take(Stream *stream) {
  return stream->next < stream->size ? stream->data[stream->next++] : 0;
}

// Mostly 0 to 15, now and then anything.
static int32_t take_number(Stream *stream) {
  uint8_t first = take(stream);
  if (first < 240)
    return first & 15;
  if (first < 252)
    return (int8_t)take(stream);
  uint32_t bits = take(stream);
  for (int i = 0; i < 3; ++i)
    bits = bits << 8 | take(stream);
  int32_t number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

static void take_numbers(Stream *stream, void *to, size_t bytes) {
  int32_t *numbers = to;
  for (size_t i = 0; i < bytes / sizeof *numbers; ++i)
    numbers[i] = take_number(stream);
}

static const int32_t *take_ids(Stream *stream) {
  if (take(stream) == 255)
    return NULL;
  take_numbers(stream, stream->ids, sizeof stream->ids);
  return stream->ids;
}

static void *take_pointer(Stream *stream) {
  uint8_t choice = take(stream);
  if (choice == 255)
    return NULL;
  uint32_t offset = take(stream) * 8u + (choice >= 250 ? 2040u : 0u);
  return (void *)((uintptr_t)stream->memories[choice >= 200] + offset);
}

// A dense tensor; its extents stay small, so that calls end soon.
static LunaTensorDesc take_tensor(Stream *stream) {
  LunaTensorDesc desc;
  take_numbers(stream, &desc, sizeof desc);
  desc.type = 1 + (desc.type & 3);
  int32_t stride = 1;
  for (int i = 3; i >= 0; --i) {
    desc.dims[i] = 1 + (desc.dims[i] & (i == 3 ? 15 : 3));
    if (desc.strides[i] != 15)
      desc.strides[i] = stride;
    stride *= desc.dims[i];
  }
  return desc;
}

static LunaRequantDesc take_requant(Stream *stream) {
  LunaRequantDesc requant;
  take_numbers(stream, &requant, sizeof requant);
  requant.mode &= 7;
  return requant;
}

static LunaTiling take_tiling(Stream *stream) {
  LunaTiling tiling;
  take_numbers(stream, &tiling, sizeof tiling);
  tiling.scratch_bytes = (tiling.scratch_bytes & 127) * 64;
  return tiling;
}

// The one-row operands of a convolution or matrix product of `channels`.
static LunaTensorDesc row_of(int32_t rows, int32_t channels) {
  return (LunaTensorDesc){.type = LUNA_TYPE_I32,
                          .dims = {1, 1, rows, channels},
                          .strides = {0, 0, channels, 1}};
}

// Returns true if the axes of a convolution have launches.
static bool has_launches(const LunaConv2dDesc *desc) {
  bool has = desc->kind <= LUNA_CONV_TRANSPOSED;
  for (int i = 0; i < 2; ++i)
    has &= desc->stride[i] > 0 && desc->stride[i] < 1024;
  for (int i = 0; i < 4; ++i)
    has &= desc->pad[i] > -1024 && desc->pad[i] < 1024;
  return has;
}

// Now and then other launches than the descriptor's, or none.
static const LunaProductRecord *take_launches(Stream *stream,
                                              const LunaProductRecord *record,
                                              int32_t word_count) {
  uint8_t choice = take(stream);
  if (choice == 255)
    return NULL;
  if (choice >= 250 && record)
    ((int32_t *)record)[take(stream) % word_count] = take_number(stream);
  return record;
}

static void call_conv(Stream *stream) {
  LunaConv2dDesc desc;
  take_numbers(stream, &desc, sizeof desc);
  desc.kind &= 3;
  desc.input = take_tensor(stream);
  desc.weight = take_tensor(stream);
  desc.output = take_tensor(stream);
  desc.requant = take_requant(stream);
  desc.tiling = take_tiling(stream);
  desc.stride[0] = 1 + (desc.stride[0] & 3);
  desc.dilation[0] = desc.dilation[1] = 1;
  if (desc.kind == LUNA_CONV_DEPTHWISE) {
    desc.weight.dims[2] = desc.input.dims[3];
    desc.output.dims[3] = desc.input.dims[3] * desc.weight.dims[3];
  } else {
    desc.weight.dims[3] = desc.input.dims[3];
    desc.output.dims[3] = desc.weight.dims[0];
  }
  desc.output.dims[0] = desc.input.dims[0];
  desc.input.type = 1 + (desc.input.type & 1);
  desc.weight.type = LUNA_TYPE_I8;
  desc.bias = row_of(1, desc.output.dims[3]);
  desc.table = row_of(2, desc.output.dims[3]);
  void *operands[6];
  for (int i = 0; i < 6; ++i)
    operands[i] = take_pointer(stream);
  LunaArena arena = {0};
  int32_t words = 0;
  const LunaProductRecord *record =
      has_launches(&desc) ? luna_launches_conv2d(&desc, &arena, &words, NULL)
                          : NULL;
  luna_rt_conv2d(&desc, take_launches(stream, record, words), take_ids(stream),
                 operands[0], operands[1], operands[2], operands[3],
                 operands[4], operands[5]);
  luna_arena_destroy(&arena);
}

static void call_matmul(Stream *stream) {
  LunaMatmulDesc desc;
  take_numbers(stream, &desc, sizeof desc);
  desc.lhs = take_tensor(stream);
  desc.rhs = take_tensor(stream);
  desc.output = take_tensor(stream);
  desc.requant = take_requant(stream);
  desc.tiling = take_tiling(stream);
  desc.lhs.dims[0] = desc.rhs.dims[0] = desc.output.dims[0] = 1;
  desc.lhs.dims[1] = desc.rhs.dims[1] = desc.output.dims[1];
  desc.lhs.dims[2] = desc.output.dims[2];
  desc.rhs.dims[2] =
      desc.rhs_transposed ? desc.output.dims[3] : desc.lhs.dims[3];
  desc.rhs.dims[3] =
      desc.rhs_transposed ? desc.lhs.dims[3] : desc.output.dims[3];
  void *operands[6];
  for (int i = 0; i < 6; ++i)
    operands[i] = take_pointer(stream);
  LunaArena arena = {0};
  int32_t words = 0;
  const LunaProductRecord *record =
      luna_launches_matmul(&desc, &arena, &words, NULL);
  luna_rt_matmul(&desc, take_launches(stream, record, words), take_ids(stream),
                 operands[0], operands[1], operands[2], operands[3],
                 operands[4], operands[5]);
  luna_arena_destroy(&arena);
}

static void call_eltwise(Stream *stream) {
  LunaEltwiseDesc desc;
  take_numbers(stream, &desc, sizeof desc);
  desc.lhs = take_tensor(stream);
  desc.rhs = desc.output = desc.lhs;
  if (take(stream) & 1)
    desc.rhs = take_tensor(stream);
  desc.scratch.dims[3] &= 255;
  if (desc.lhs_shift & 1) // a power of two, which a scratch leaves to the unit
    desc.lhs_multiplier = 1 << (desc.lhs_multiplier & 30);
  desc.requant = take_requant(stream);
  const void *lhs = take_pointer(stream), *rhs = take_pointer(stream);
  const int32_t *ids = take_ids(stream);
  void *output = take_pointer(stream);
  luna_rt_eltwise(&desc, ids, lhs, rhs, take_pointer(stream), output);
}

static void call_pool(Stream *stream) {
  LunaPoolDesc desc;
  take_numbers(stream, &desc, sizeof desc);
  desc.input = take_tensor(stream);
  desc.output = take_tensor(stream);
  desc.output.type = desc.input.type;
  desc.output.dims[0] = desc.input.dims[0];
  desc.output.dims[3] = desc.input.dims[3];
  const void *input = take_pointer(stream);
  luna_rt_pool(&desc, take_ids(stream), input, take_pointer(stream));
}

static void call_table(Stream *stream) {
  LunaTableDesc desc = {.input = take_tensor(stream),
                        .table = {.type = LUNA_TYPE_I8,
                                  .dims = {1, 1, 1, 256},
                                  .strides = {256, 256, 256, 1}},
                        .on_core = take(stream) & 1};
  desc.input.type = LUNA_TYPE_I8;
  desc.output = desc.input;
  const void *input = take_pointer(stream), *table = take_pointer(stream);
  luna_rt_table(&desc, take_ids(stream), input, table, take_pointer(stream));
}

static void call_copy_or_fill(Stream *stream, bool is_copy) {
  LunaCopyDesc copy = {.source = take_tensor(stream)};
  copy.target = copy.source;
  const void *source = take_pointer(stream);
  if (is_copy) {
    luna_rt_copy(&copy, take_ids(stream), source, take_pointer(stream));
    return;
  }
  LunaFillDesc fill = {.target = copy.target, .value_low = take_number(stream)};
  luna_rt_fill(&fill, take_ids(stream), take_pointer(stream));
}

static void call_transfer(Stream *stream) {
  LunaDmaDesc desc;
  take_numbers(stream, &desc, sizeof desc);
  desc.bytes = (desc.bytes & 511) * 4 - 4;
  const void *source = take_pointer(stream);
  luna_rt_dma_start(&desc, take_ids(stream), take_pointer(stream), source);
}

static void call_host(Stream *stream) {
  LunaHostDesc desc;
  take_numbers(stream, &desc, sizeof desc);
  luna_rt_host_begin(&desc, take_ids(stream));
  for (int i = take(stream) & 3; i > 0; --i) {
    LunaHostOperandDesc operand;
    take_numbers(stream, &operand, sizeof operand);
    for (int k = 0; k < 6; ++k)
      operand.dims[k] &= 7;
    luna_rt_host_operand(&operand, take_pointer(stream));
  }
  if (take(stream) != 255)
    luna_rt_host_end();
}

static void call(Stream *stream) {
  switch (take(stream) % 12) {
  case 0:
    call_conv(stream);
    return;
  case 1:
    call_matmul(stream);
    return;
  case 2:
    call_eltwise(stream);
    return;
  case 3:
    call_pool(stream);
    return;
  case 4:
    call_table(stream);
    return;
  case 5:
  case 6:
    call_copy_or_fill(stream, take(stream) & 1);
    return;
  case 7:
  case 8:
    call_transfer(stream);
    return;
  case 9:
    luna_rt_dma_wait(take_number(stream), take_number(stream));
    return;
  case 10:
    call_host(stream);
    return;
  default:
    luna_rt_branch(take_number(stream), take_number(stream));
    luna_rt_loop_iteration(take_number(stream));
  }
}

static LunaMachine machine_of(Stream *stream) {
  LunaMachine machine = {.name = "fuzz",
                         .shared = {.bytes = RANGE_BYTES},
                         .psram = {.bytes = RANGE_BYTES},
                         .alignment_bytes = 16,
                         .clock_hz = 1000,
                         .dma_channels = 1,
                         .dma_outstanding = 1,
                         .dma_granule_bytes = 4,
                         .read_bytes_per_cycle = 8,
                         .write_bytes_per_cycle = 8,
                         .macs_per_cycle_i8 = 8,
                         .macs_per_cycle_i16 = 4,
                         .macs_per_cycle_i32 = 2,
                         .vector_bytes_per_cycle = 8,
                         .copy_bytes_per_cycle = 8,
                         .fill_bytes_per_cycle = 8,
                         .requant_shift = true,
                         .requant_multiplier = take(stream) & 1};
  machine.conv = machine.depthwise = machine.matmul =
      (LunaOperatorLimits){.kernel_max = 5,
                           .strides = {1, 2, 3, 4},
                           .pad_max = 4,
                           .dilations = {1},
                           .in_channel_align = 1,
                           .out_channel_align = 1,
                           .width_align_per_stride = 1,
                           .input_buffer_bytes = 4096,
                           .weight_buffer_bytes = 4096,
                           .mac_rate_divisor = 1};
  return machine;
}

static void run(Stream *stream, LunaSimulator *simulator) {
  const LunaMemoryRange ranges[] = {
      {"arena", LUNA_SPACE_SHARED, stream->memories[0], RANGE_BYTES, false,
       false},
      {"psram", LUNA_SPACE_PSRAM, stream->memories[1], RANGE_BYTES, true,
       false},
  };
  for (int i = 0; i < 2; ++i)
    if (!luna_simulator_add_range(simulator, &ranges[i], NULL))
      abort();
  luna_simulator_begin_run(simulator);
  for (int i = 0; i < CALLS_MAX && stream->next < stream->size; ++i)
    call(stream);
  const LunaRunResult *result = luna_simulator_end_run(simulator);
  if (result->cycles !=
      result->compute_cycles + result->host_cycles + result->stall_cycles)
    abort();
  LunaText text = {0};
  luna_simulator_write_trace(simulator, &text);
  luna_text_deinit(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Stream stream = {.data = data, .size = size};
  for (int i = 0; i < 2; ++i) {
    stream.memories[i] = aligned_alloc(16, RANGE_BYTES);
    memset(stream.memories[i], i + 1, RANGE_BYTES);
  }
  LunaMachine machine = machine_of(&stream);
  LunaSimulator *simulator = luna_simulator_create(&machine, NULL);
  run(&stream, simulator);
  luna_simulator_destroy(simulator);
  for (int i = 0; i < 2; ++i)
    free(stream.memories[i]);
  return 0;
}
