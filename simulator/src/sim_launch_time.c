#include "sim_launch_time.h"

#include "luna/tiles.h"
#include "luna/vector_chain.h"
#include "sim_clock.h"

typedef LunaLaunchTime Operator;

static const LunaOperatorLimits *limits_of(const LunaMachine *machine,
                                           int32_t kind) {
  return kind == LUNA_LAUNCH_MATMUL      ? &machine->matmul
         : kind == LUNA_LAUNCH_DEPTHWISE ? &machine->depthwise
                                         : &machine->conv;
}

static uint64_t granules(int32_t count, uint32_t granule) {
  return ((uint64_t)count + granule - 1) / granule;
}

static uint64_t round_up(int32_t count, uint32_t granule) {
  return granules(count, granule) * granule;
}

// Returns the products in a cycle, by the wider of both operands.
static uint64_t product_rate(const Operator *op, uint32_t divisor) {
  const LunaMachine *machine = &op->sim->machine;
  int32_t input = luna_element_bytes(op->input_type);
  int32_t weight = luna_element_bytes(op->weight_type);
  int32_t bytes = input < weight ? weight : input;
  uint64_t rate = machine->macs_per_cycle_i32;
  if (bytes < 4)
    rate =
        bytes == 2 ? machine->macs_per_cycle_i16 : machine->macs_per_cycle_i8;
  rate /= divisor == 0 ? 1 : divisor;
  return rate == 0 ? 1 : rate;
}

// Returns the cycles of the array for a launch of a matrix product: rows on y,
// columns on x, depth as input channels.
static uint64_t matmul_cycles(const Operator *op, const LunaLaunch *launch) {
  const LunaOperatorLimits *limits = &op->sim->machine.matmul;
  uint64_t row_steps =
      granules(launch->y.out.count, limits->width_align_per_stride);
  uint64_t products = row_steps * limits->width_align_per_stride *
                      round_up(launch->in_c.count, limits->in_channel_align) *
                      round_up(launch->x.out.count, limits->out_channel_align);
  return luna_sim_port_cycles(products,
                              product_rate(op, limits->mac_rate_divisor)) +
         row_steps * limits->hold_cycles_per_granule;
}

// Returns the cycles of the array for a launch of a convolution. It computes
// steps of output channels, a granule of columns at a time.
static uint64_t conv_cycles(const Operator *op, const LunaLaunch *launch) {
  const LunaMachine *machine = &op->sim->machine;
  const LunaOperatorLimits *limits = limits_of(machine, launch->kind);
  uint32_t step_channels = machine->conv.out_channel_align;
  uint64_t steps = granules(launch->out_c.count, step_channels);
  uint64_t places =
      (uint64_t)launch->y.out.count *
      granules(launch->x.out.count, limits->width_align_per_stride);
  uint64_t depth = launch->kind == LUNA_LAUNCH_DEPTHWISE
                       ? 1
                       : round_up(launch->in_c.count, limits->in_channel_align);
  uint64_t taps =
      (uint64_t)launch->y.taps.count * (uint64_t)launch->x.taps.count;
  uint64_t products = steps * step_channels * places *
                      limits->width_align_per_stride * depth * taps;
  uint64_t hold_of_place =
      limits->hold_cycles_per_granule +
      (uint64_t)launch->x.taps.count * limits->hold_cycles_per_kernel_column;
  return luna_sim_port_cycles(products,
                              product_rate(op, limits->mac_rate_divisor)) +
         steps * places * hold_of_place +
         steps * limits->hold_cycles_per_channel_step;
}

static uint64_t outputs(LunaRange y, LunaRange x, LunaRange channels) {
  return (uint64_t)y.count * (uint64_t)x.count * (uint64_t)channels.count;
}

// Returns the input bytes that a call reads: each strip of its rows begins with
// those that it shares with the one before.
static uint64_t bytes_read(const Operator *op, const LunaLaunch *launch) {
  const LunaOperatorLimits *limits = limits_of(&op->sim->machine, launch->kind);
  if (launch->y.strips <= 1)
    return (uint64_t)luna_launch_input_bytes(&op->sim->machine, launch,
                                             op->input_type);
  int64_t again = (int64_t)(launch->y.taps.count - 1) * launch->y.dilation + 1 -
                  launch->y.stride;
  int64_t rows = launch->y.in.count;
  if (again > 0)
    rows += again * (launch->y.strips - 1);
  return (uint64_t)rows *
         round_up(launch->in_c.count, limits->in_channel_align) *
         round_up(launch->x.in.count,
                  limits->width_align_per_stride * (uint32_t)launch->x.stride) *
         (uint64_t)luna_element_bytes(op->input_type);
}

// Passes the time of a launch on the array: set-up of each strip, reading, and
// the slower of computing and writing.
static void pass_array(Operator *op, const LunaLaunch *launch) {
  const LunaMachine *machine = &op->sim->machine;
  const LunaOperatorLimits *limits = limits_of(machine, launch->kind);
  uint64_t read = machine->read_bytes_per_cycle;
  int32_t element = op->has_sums || op->finish != LUNA_FINISH_FUSED
                        ? 4
                        : luna_element_bytes(op->output_type);
  uint64_t write_cycles = luna_sim_port_cycles(
      outputs(launch->y.out, launch->x.out, launch->out_c) * (uint64_t)element,
      machine->write_bytes_per_cycle);
  uint64_t array_cycles = launch->kind == LUNA_LAUNCH_MATMUL
                              ? matmul_cycles(op, launch)
                              : conv_cycles(op, launch);
  uint64_t cycles =
      op->is_started ? limits->repeat_launch_cycles : limits->launch_cycles;
  for (int32_t i = 1; i < launch->y.strips; ++i)
    cycles += limits->repeat_launch_cycles;
  cycles += luna_sim_port_cycles(bytes_read(op, launch), read);
  cycles += luna_sim_port_cycles(
      (uint64_t)luna_launch_weight_bytes(machine, launch, op->weight_type),
      read);
  cycles += array_cycles < write_cycles ? write_cycles : array_cycles;
  luna_sim_clock_launch(op->sim, cycles);
  op->is_started = true;
}

static void pass_vector(Operator *op, uint64_t elements) {
  const LunaMachine *machine = &op->sim->machine;
  luna_sim_clock_launch(
      op->sim,
      machine->vector_launch_cycles +
          luna_sim_port_cycles(4 * elements, machine->vector_bytes_per_cycle));
}

static void pass_fill(Operator *op, uint64_t elements) {
  const LunaMachine *machine = &op->sim->machine;
  luna_sim_clock_launch(
      op->sim,
      machine->fill_launch_cycles +
          luna_sim_port_cycles(4 * elements, machine->fill_bytes_per_cycle));
}

// Passes the unit's time of a launch. A tile of 32-bit sums is filled first
// unless the first launch writes it whole; every other launch is added by the
// vector part of the unit, which also converts the complete tile, unless the
// core requantises it or vector calls do, which pass their own time.
static void pass_unit(Operator *op, const LunaLaunch *launch) {
  uint64_t tile = outputs(launch->y.tile, launch->x.tile, launch->out_c);
  bool is_written_whole = launch->is_first && launch->covers_tile;
  if (op->has_sums && launch->is_first && !launch->covers_tile)
    pass_fill(op, tile);
  if (!launch->is_empty)
    pass_array(op, launch);
  if (!op->has_sums || launch->y.strips > 0)
    return;
  if (!launch->is_empty && !is_written_whole)
    pass_vector(op, outputs(launch->y.out, launch->x.out, launch->out_c));
  if (launch->is_last && op->finish == LUNA_FINISH_FUSED)
    pass_vector(op, tile);
}

LunaLaunchTime luna_sim_launches_begin(LunaSimulator *sim,
                                       const LunaProductRecord *record) {
  LunaLaunchTime time = {
      .sim = sim,
      .record = record,
      .input_type = record->input_type,
      .weight_type = record->weight_type,
      .output_type = record->output_type,
      .has_sums = record->has_sums != 0,
      .finish = (LunaFinish)record->finish,
      .tile = luna_core_tile(&record->requant, record->output_strides),
  };
  luna_finish_of(record->finish, &record->requant, record->output_type,
                 &time.chain);
  return time;
}

static LunaLaunchAxis axis_of(const LunaLaunchRecord *launch, int axis) {
  return (LunaLaunchAxis){
      .tile = {0, launch->tile[axis], 1},
      .out = {0, launch->out[axis], 1},
      .in = {0, launch->in[axis], 1},
      .taps = {0, launch->taps[axis], 1},
      .stride = launch->stride[axis],
      .dilation = launch->dilation[axis],
      .strips = axis == 0 ? launch->row_strips : 0,
  };
}

static LunaLaunch launch_of(const LunaLaunchTime *time,
                            const LunaLaunchRecord *record) {
  LunaLaunch launch = {
      .kind = time->record->kind,
      .y = axis_of(record, 0),
      .x = axis_of(record, 1),
      .out_c = {0, record->out_channels, 1},
      .in_c = {0, record->in_channels, 1},
      .is_first = record->flags & LUNA_LAUNCH_FIRST,
      .is_last = record->flags & LUNA_LAUNCH_LAST,
      .is_empty = record->flags & LUNA_LAUNCH_EMPTY,
      .covers_tile = record->flags & LUNA_LAUNCH_COVERS,
  };
  if (launch.kind == LUNA_LAUNCH_MATMUL) { // its columns are channels
    launch.x.tile = launch.x.out = launch.out_c;
    launch.out_c.count = 1;
  }
  return launch;
}

//===- The core's part ----------------------------------------------------===//

// Passes the adds at the borders of a tile, and its requantisation.
static void pass_core(const Operator *op, const LunaLaunchRecord *launch) {
  const LunaProductRecord *record = op->record;
  const LunaMachine *machine = &op->sim->machine;
  uint64_t cycles = 0;
  if (record->border_count > 0) {
    const LunaOriginRecord *origin =
        luna_record_origins(record) + (launch - luna_record_launches(record));
    const LunaCoreBorders borders =
        luna_core_borders(luna_record_borders(record), record->border_count,
                          origin, launch, op->tile.has_planes);
    cycles += luna_core_border_cycles(machine, &op->tile, &borders,
                                      launch->out_channels);
  }
  if (op->finish == LUNA_FINISH_CORE)
    cycles += luna_core_tile_cycles(machine, &op->tile, launch->tile[0],
                                    launch->tile[1], launch->out_channels);
  luna_sim_clock_core(op->sim, cycles);
}

// Passes the walk of the vector calls that finish the tiles in the scratch.
static void pass_chain(const Operator *op, const LunaLaunchRecord *launch) {
  const int32_t extents[3] = {launch->tile[0], launch->tile[1], op->channels};
  if (luna_finish_has_calls(op->finish))
    luna_sim_clock_core(
        op->sim, luna_core_chain_tile_cycles(&op->sim->machine, &op->chain,
                                             op->tile.strides, extents));
}

// Passes the walk of the calls that add the sums of a call to those of its
// tile.
static void pass_own_sums(const Operator *op, const LunaLaunchRecord *record) {
  const LunaLaunch launch = launch_of(op, record);
  if (record->flags & LUNA_LAUNCH_OTHER)
    luna_sim_clock_core(
        op->sim,
        luna_partial_sums_cost(&op->sim->machine, &launch).host_cycles);
}

//===- Launches -----------------------------------------------------------===//

void luna_sim_launch_start(LunaLaunchTime *time,
                           const LunaLaunchRecord *record) {
  const LunaLaunch launch = launch_of(time, record);
  luna_sim_clock_check(time->sim);
  luna_sim_clock_core(time->sim, luna_core_launch_cycles(&time->sim->machine));
  pass_unit(time, &launch);
  if (time->left)
    pass_core(time, time->left);
  time->in_flight = record;
}

static void pass_tile(LunaLaunchTime *time, const LunaLaunchRecord *launch) {
  const LunaProductRecord *record = time->record;
  bool is_end =
      launch + 1 == luna_record_launches(record) + record->launch_count;
  bool has_calls = luna_finish_has_calls(time->finish);
  time->channels += launch->out_channels;
  time->filled += 1;
  if (record->slots > 1 && !is_end &&
      (!has_calls || time->filled < record->slots)) {
    time->left = launch;
    return;
  }
  pass_core(time, launch);
  pass_chain(time, launch);
  time->filled = time->channels = 0;
}

void luna_sim_launch_end(LunaLaunchTime *time) {
  const LunaLaunchRecord *launch = time->in_flight;
  time->left = time->in_flight = NULL;
  pass_own_sums(time, launch);
  if (launch->flags & LUNA_LAUNCH_LAST)
    pass_tile(time, launch);
}

void luna_sim_pool_launches(LunaSimulator *sim, const LunaConv2dDesc *desc) {
  Operator op = {
      .sim = sim,
      .input_type = desc->input.type,
      .weight_type = desc->weight.type,
      .output_type = desc->output.type,
      .has_sums = luna_tiles_conv2d_need_sums(desc),
      .finish = (LunaFinish)desc->tiling.finish,
  };
  LunaTiles tiles;
  LunaLaunch launch;
  luna_tiles_conv2d_begin(&tiles, desc);
  while (luna_tiles_next(&tiles, &launch))
    pass_unit(&op, &launch);
}
