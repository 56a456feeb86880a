#include "sim_dma.h"

#include <string.h>

#include "luna/unit_port.h"
#include "sim_access.h"
#include "sim_active.h"
#include "sim_clock.h"
#include "sim_hazard.h"
#include "sim_memory.h"
#include "sim_transfer_time.h"

static void check_engine(LunaSimulator *sim, const LunaSimTransfer *transfer) {
  const LunaMachine *machine = &sim->machine;
  const LunaDmaDesc *desc = &transfer->desc;
  if (desc->channel < 0 || (uint32_t)desc->channel >= machine->dma_channels)
    luna_sim_hazard(sim, LUNA_HAZARD_BAD_TRANSFER,
                    luna_sim_place_of_op(luna_ids_op(transfer->ids)),
                    "transfer on channel %d, machine '%s' has %u",
                    desc->channel, machine->name, machine->dma_channels);
  if (sim->transfers.count >= machine->dma_outstanding)
    luna_sim_hazard(sim, LUNA_HAZARD_TOO_MANY_TRANSFERS,
                    luna_sim_place_of_op(luna_ids_op(transfer->ids)),
                    "starts a transfer with %llu outstanding, machine '%s' "
                    "takes %u",
                    (unsigned long long)sim->transfers.count, machine->name,
                    machine->dma_outstanding);
}

static void check_granule(LunaSimulator *sim, const LunaSimAccess *access) {
  uint64_t granule = sim->machine.dma_granule_bytes;
  if (!access->range)
    return;
  uint64_t offset = (uint64_t)(access->box.low - access->range->base);
  uint64_t bytes = (uint64_t)access->box.extent_bytes;
  if (offset % granule == 0 && bytes % granule == 0)
    return;
  luna_sim_hazard(sim, LUNA_HAZARD_MISALIGNED,
                  (LunaSimPlace){.op = access->op,
                                 .range = access->range,
                                 .offset_bytes = offset,
                                 .buffer = access->buffer},
                  "%s of %llu bytes at byte %llu of '%s', both must be "
                  "multiples of %llu",
                  access->role, (unsigned long long)bytes,
                  (unsigned long long)offset, access->range->name,
                  (unsigned long long)granule);
}

static void check_direction(LunaSimulator *sim, int32_t direction,
                            const LunaSimAccess *source,
                            const LunaSimAccess *target) {
  static const char *const names[] = {"shared memory", "psram"};
  static const int32_t from[] = {LUNA_SPACE_PSRAM, LUNA_SPACE_SHARED,
                                 LUNA_SPACE_SHARED};
  static const int32_t to[] = {LUNA_SPACE_SHARED, LUNA_SPACE_PSRAM,
                               LUNA_SPACE_SHARED};
  if (!source->range || !target->range)
    return;
  if (direction >= 0 && direction < LUNA_DMA_DIRECTION_COUNT &&
      source->range->space == from[direction] &&
      target->range->space == to[direction])
    return;
  luna_sim_hazard(
      sim, LUNA_HAZARD_BAD_TRANSFER, luna_sim_place_of_op(target->op),
      "transfer from %s to %s in direction %d", names[source->range->space],
      names[target->range->space], direction);
}

static LunaSimAccess end_of(const LunaSimulator *sim,
                            const LunaSimTransfer *transfer, int end) {
  bool is_target = end == LUNA_SIM_TARGET;
  LunaSimAccess access = {
      .op = luna_ids_op(transfer->ids),
      .role = is_target ? "target of a transfer" : "source of a transfer",
      .buffer = luna_ids_buffer(transfer->ids, end),
      .content = luna_ids_content(transfer->ids, end),
      .granule_bytes = (int64_t)sim->machine.dma_granule_bytes,
  };
  const int32_t stride = 1;
  luna_sim_box(&access.box, is_target ? transfer->target : transfer->source, 1,
               &transfer->desc.bytes, &stride, 1);
  return access;
}

// Checks both ends, which must not be accessed until the wait.
static void occupy_ends(LunaSimulator *sim, LunaSimTransfer *transfer) {
  const LunaDmaDesc *desc = &transfer->desc;
  LunaSimAccess source = end_of(sim, transfer, LUNA_SIM_SOURCE);
  LunaSimAccess target = end_of(sim, transfer, LUNA_SIM_TARGET);
  luna_sim_locate(sim, &source);
  luna_sim_locate(sim, &target);
  check_granule(sim, &source);
  check_granule(sim, &target);
  check_direction(sim, desc->direction, &source, &target);
  luna_sim_check_read(sim, &source);
  luna_sim_check_write(sim, &target);
  transfer->can_move =
      source.range && target.range && !target.range->is_read_only;
  if (luna_sim_boxes_meet(&source.box, &target.box)) {
    transfer->can_move = false;
    luna_sim_hazard(sim, LUNA_HAZARD_OVERLAP, luna_sim_place_of_op(target.op),
                    "source and target of a transfer of %d bytes overlap",
                    desc->bytes);
  }
  if (source.range)
    transfer->undefined_tail = luna_sim_undefined_tail(sim, &source);
  if (transfer->can_move)
    luna_sim_poison(target.range, target.box.low, (uint64_t)desc->bytes);
}

static LunaTimelineEvent event_of(const LunaSimTransfer *transfer, int32_t row,
                                  int32_t op) {
  const LunaDmaDesc *desc = &transfer->desc;
  return (LunaTimelineEvent){
      .row = row,
      .op = op,
      .token = transfer->token,
      .transfer_op = luna_ids_op(transfer->ids),
      .bytes = desc->bytes,
      .direction = desc->direction,
      .buffer = luna_ids_buffer(transfer->ids, LUNA_SIM_TARGET),
      .content = luna_ids_content(transfer->ids, LUNA_SIM_TARGET),
  };
}

static void occupy_engine(LunaSimulator *sim, LunaSimTransfer *transfer) {
  const LunaDmaDesc *desc = &transfer->desc;
  bool is_known =
      desc->direction >= 0 && desc->direction < LUNA_DMA_DIRECTION_COUNT;
  uint64_t bytes = desc->bytes > 0 ? (uint64_t)desc->bytes : 0;
  uint64_t cycles = luna_sim_transfer_cycles(
      &sim->machine.dma[is_known ? desc->direction : LUNA_DMA_LOAD], bytes);
  LunaTimelineEvent event =
      event_of(transfer, LUNA_ROW_DMA, luna_ids_op(transfer->ids));
  event.end_cycles = luna_sim_clock_transfer(sim, event.op, cycles);
  event.begin_cycles = event.end_cycles - cycles;
  luna_sim_add_event(sim, &event);
  transfer->end_cycles = event.end_cycles;
  sim->result.transfers += 1;
  sim->result.dma_cycles += cycles;
  sim->result.dma_bytes += bytes;
  LunaOpStatistics *statistics = luna_sim_op(sim, event.op);
  statistics->dma_cycles += cycles;
  statistics->dma_bytes += bytes;
}

static void copy_ids(LunaSimTransfer *transfer, const int32_t *ids) {
  transfer->ids[0] = luna_ids_op(ids);
  for (int end = 0; end < LUNA_SIM_TRANSFER_ENDS; ++end) {
    transfer->ids[1 + 2 * end] = luna_ids_buffer(ids, end);
    transfer->ids[2 + 2 * end] = luna_ids_content(ids, end);
  }
}

// A simulator that knows no memory checks none.
static void begin_transfer(LunaSimulator *sim, LunaSimTransfer *transfer) {
  const LunaDmaDesc *desc = &transfer->desc;
  check_engine(sim, transfer);
  if (desc->bytes > 0 && sim->ranges.count == 0) {
    transfer->can_move = true;
  } else if (desc->bytes > 0) {
    occupy_ends(sim, transfer);
  } else {
    luna_sim_hazard(sim, LUNA_HAZARD_BAD_DESCRIPTOR,
                    luna_sim_place_of_op(luna_ids_op(transfer->ids)),
                    "transfer of %d bytes, must be at least 1", desc->bytes);
    transfer->desc.bytes = 0;
  }
}

int32_t luna_unit_start_transfer(const LunaDmaDesc *desc, void *target,
                                 const void *source) {
  LunaSimulator *sim = luna_sim_any_active();
  LunaSimTransfer transfer = {.desc = *desc,
                              .token = ++sim->last_token,
                              .target = target,
                              .source = source};
  copy_ids(&transfer, sim->announced);
  begin_transfer(sim, &transfer);
  occupy_engine(sim, &transfer);
  *LUNA_VECTOR_ADD(&sim->run_arena, &sim->transfers) = transfer;
  return transfer.token;
}

// Moves the bytes. They arrive only now, so that a program that reads them
// before the wait reads the pattern.
static void deliver(LunaSimulator *sim, const LunaSimTransfer *transfer) {
  const LunaDmaDesc *desc = &transfer->desc;
  if (!transfer->can_move)
    return;
  memcpy(transfer->target, transfer->source, (size_t)desc->bytes);
  if (sim->ranges.count == 0)
    return;
  LunaSimAccess target = end_of(sim, transfer, LUNA_SIM_TARGET);
  target.range = luna_sim_find_range(sim, transfer->target, desc->bytes);
  luna_sim_mark_written(sim, &target);
  for (int32_t i = 1; transfer->undefined_tail >> i != 0; ++i)
    if (transfer->undefined_tail >> i & 1)
      luna_sim_mark_undefined(target.range, transfer->target + desc->bytes - i,
                              1);
}

static void pass_stall(LunaSimulator *sim, int32_t op,
                       const LunaSimTransfer *transfer) {
  uint64_t cycles = luna_sim_clock_wait(sim, transfer->end_cycles);
  LunaTimelineEvent event = event_of(transfer, LUNA_ROW_STALL, op);
  event.end_cycles = transfer->end_cycles;
  event.begin_cycles = event.end_cycles - cycles;
  luna_sim_add_event(sim, &event);
  sim->result.stall_cycles += cycles;
  luna_sim_op(sim, op)->stall_cycles += cycles;
}

void luna_unit_await_transfer(int32_t token) {
  LunaSimulator *sim = luna_sim_any_active();
  int32_t op = luna_ids_op(sim->announced);
  LunaSimTransfer *transfers = sim->transfers.items;
  uint64_t count = sim->transfers.count, i = 0;
  while (i < count && transfers[i].token != token)
    ++i;
  if (i == count) {
    bool was_started = token > 0 && token <= sim->last_token;
    luna_sim_hazard(sim, LUNA_HAZARD_BAD_TOKEN, luna_sim_place_of_op(op),
                    "waits for transfer %d, which was %s", token,
                    was_started ? "already awaited" : "never started");
    return;
  }
  LunaSimTransfer transfer = transfers[i];
  memmove(&transfers[i], &transfers[i + 1],
          (size_t)(count - i - 1) * sizeof *transfers);
  sim->transfers.count = count - 1;
  pass_stall(sim, op, &transfer);
  deliver(sim, &transfer);
}

void luna_sim_end_transfers(LunaSimulator *sim) {
  const LunaSimTransfer *transfers = sim->transfers.items;
  for (uint64_t i = 0; i < sim->transfers.count; ++i)
    luna_sim_hazard(sim, LUNA_HAZARD_LOST_TOKEN,
                    luna_sim_place_of_op(luna_ids_op(transfers[i].ids)),
                    "starts transfer %d of %d bytes, which is never awaited",
                    transfers[i].token, transfers[i].desc.bytes);
}
