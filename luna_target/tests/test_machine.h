#ifndef LUNA_TEST_MACHINE_H
#define LUNA_TEST_MACHINE_H

// A machine with round numbers, for costs that can be computed by hand. Its
// buffers are small, so that small operators need splitting.

#include "luna/machine.h"

static inline LunaOperatorLimits test_conv_limits(void) {
  return (LunaOperatorLimits){
      .kernel_max = 5,
      .strides = {1, 2, 4},
      .pad_max = 4,
      .dilations = {1},
      .in_channel_align = 8,
      .out_channel_align = 2,
      .width_align_per_stride = 4,
      .input_buffer_bytes = 2048,
      .weight_buffer_bytes = 1024,
      .launch_cycles = 1350,
      .repeat_launch_cycles = 1050,
      .mac_rate_divisor = 1,
  };
}

static inline LunaMachine test_machine(void) {
  const LunaOperatorLimits conv = test_conv_limits();
  LunaMachine machine = {
      .name = "test",
      .alignment_bytes = 16,
      .clock_hz = 300000000,
      .read_bytes_per_cycle = 8,
      .write_bytes_per_cycle = 16,
      .macs_per_cycle_i8 = 64,
      .macs_per_cycle_i16 = 16,
      .macs_per_cycle_i32 = 4,
      .conv = conv,
      .depthwise = conv,
      .matmul = {.in_channel_align = 8,
                 .out_channel_align = 4,
                 .width_align_per_stride = 2,
                 .input_buffer_bytes = 1024,
                 .weight_buffer_bytes = 2048,
                 .launch_cycles = 2255,
                 .repeat_launch_cycles = 1955,
                 .mac_rate_divisor = 1},
      .vector_launch_cycles = 534,
      .vector_in_place = true,
      .table_in_place = true,
      .vector_bytes_per_cycle = 8,
      .calls = {{.name = LUNA_CALL_LUT,
                 .input_bits = 8,
                 .output_bits = 8,
                 .fixed_cycles = 406,
                 .cycles = 1,
                 .elements = 4,
                 .in_place = true}},
      .call_count = 1,
      .copy_launch_cycles = 469,
      .copy_bytes_per_cycle = 7,
      .fill_launch_cycles = 350,
      .fill_bytes_per_cycle = 8,
      .requant_shift = true,
      .host = {[LUNA_HOST_OPERATOR] = 100000,
               [LUNA_HOST_START] = 1000,
               [LUNA_HOST_COPY] = 1000,
               [LUNA_HOST_POOL] = 1000,
               [LUNA_HOST_VECTOR] = 1000,
               [LUNA_HOST_SHIFT] = 200,
               [LUNA_HOST_MULTIPLIER] = 200,
               [LUNA_HOST_CHANNEL] = 200,
               [LUNA_HOST_SMALL_SHIFT] = 200,
               [LUNA_HOST_UNSCALED] = 200,
               [LUNA_HOST_INPUT_SCALE] = 200,
               [LUNA_HOST_OPERAND] = 50,
               [LUNA_HOST_TABLE] = 3000,
               [LUNA_HOST_TABLE_ROW] = 1000,
               [LUNA_HOST_TABLE_ENTRY] = 500,
               [LUNA_HOST_WINDOW_ELEMENT] = 100},
  };
  machine.depthwise.out_channel_align = 16;
  machine.depthwise.launch_cycles = 1280;
  machine.depthwise.repeat_launch_cycles = 980;
  machine.depthwise.mac_rate_divisor = 8;
  return machine;
}

#endif // LUNA_TEST_MACHINE_H
