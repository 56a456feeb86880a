#include "sim_access.h"
#include "sim_active.h"
#include "sim_clock.h"
#include "sim_hazard.h"

// Operators on the host core: the program computes them between the
// announcement and its end. Checks all operands at the end, reads first, so
// that their order does not matter.

// No operator takes 2^48 cycles, and 2^15 of them do not fill 63 bits.
#define HOST_CYCLES_LIMIT (UINT64_C(1) << 48)

// An operand of the current host operator.
typedef struct LunaSimHostOperand {
  LunaHostOperandDesc desc;
  const void *data;
  int32_t buffer, content; // ids
} HostOperand;

void luna_rt_host_begin(const LunaHostDesc *desc, const int32_t *ids) {
  LunaSimulator *sim = luna_sim_active(luna_ids_op(ids));
  sim->is_in_host_op = true;
  sim->host_desc = *desc;
  sim->host_ids = ids;
  sim->host_op = luna_ids_op(ids);
  sim->host_operands.count = 0;
}

void luna_rt_host_operand(const LunaHostOperandDesc *desc, const void *data) {
  LunaSimulator *sim = luna_sim_any_active();
  if (!sim->is_in_host_op) {
    luna_sim_hazard(sim, LUNA_HAZARD_BAD_CALL, luna_sim_place_of_op(LUNA_NO_ID),
                    "operand announced outside a host operator");
    return;
  }
  int index = (int)sim->host_operands.count;
  *LUNA_VECTOR_ADD(&sim->run_arena, &sim->host_operands) = (HostOperand){
      .desc = *desc,
      .data = data,
      .buffer = luna_ids_buffer(sim->host_ids, index),
      .content = luna_ids_content(sim->host_ids, index),
  };
}

// Locates an operand. Returns false if there is nothing to check.
static bool admit(LunaSimulator *sim, const HostOperand *operand,
                  LunaSimAccess *access) {
  const LunaHostOperandDesc *desc = &operand->desc;
  *access = (LunaSimAccess){
      .op = sim->host_op,
      .role = desc->access == LUNA_ACCESS_READ ? "operand" : "result",
      .buffer = operand->buffer,
      .content = operand->content,
      .granule_bytes = 1,
  };
  bool is_valid = desc->access >= LUNA_ACCESS_READ &&
                  desc->access <= LUNA_ACCESS_READ_WRITE && desc->rank >= 0 &&
                  desc->rank <= LUNA_SIM_RANK && desc->element_bytes > 0 &&
                  desc->element_bytes <= 16 &&
                  luna_sim_box(&access->box, operand->data, desc->rank,
                               desc->dims, desc->strides, desc->element_bytes);
  if (!is_valid) {
    luna_sim_hazard(sim, LUNA_HAZARD_BAD_DESCRIPTOR,
                    luna_sim_place_of_op(sim->host_op),
                    "host operand of rank %d, element bytes %d and access %d",
                    desc->rank, desc->element_bytes, desc->access);
    return false;
  }
  if (access->box.extent_bytes == 0)
    return false;
  luna_sim_locate(sim, access);
  return access->range != NULL;
}

// The cycles announced; none, and a hazard, where clocks could overflow.
static uint64_t admit_cycles(LunaSimulator *sim) {
  uint64_t cycles = (uint64_t)(uint32_t)sim->host_desc.cycles_high << 32 |
                    (uint32_t)sim->host_desc.cycles_low;
  if (cycles < HOST_CYCLES_LIMIT)
    return cycles;
  luna_sim_hazard(sim, LUNA_HAZARD_BAD_DESCRIPTOR,
                  luna_sim_place_of_op(sim->host_op),
                  "host operator of %llu cycles", (unsigned long long)cycles);
  return 0;
}

void luna_rt_host_end(void) {
  LunaSimulator *sim = luna_sim_any_active();
  if (!sim->is_in_host_op) {
    luna_sim_hazard(sim, LUNA_HAZARD_BAD_CALL, luna_sim_place_of_op(LUNA_NO_ID),
                    "host operator ends that never began");
    return;
  }
  const HostOperand *operands = sim->host_operands.items;
  uint64_t count = sim->host_operands.count;
  LunaSimAccess *accesses =
      LUNA_ARENA_ARRAY(&sim->run_arena, LunaSimAccess, count);
  for (uint64_t i = 0; i < count; ++i)
    if (admit(sim, &operands[i], &accesses[i]) &&
        operands[i].desc.access != LUNA_ACCESS_WRITE)
      luna_sim_check_read(sim, &accesses[i]);
  for (uint64_t i = 0; i < count; ++i)
    if (accesses[i].range && operands[i].desc.access != LUNA_ACCESS_READ) {
      luna_sim_check_write(sim, &accesses[i]);
      luna_sim_mark_written(sim, &accesses[i]);
    }
  sim->is_in_host_op = false;
  luna_sim_clock_begin(sim, sim->host_op);
  luna_sim_clock_core(sim, admit_cycles(sim));
  luna_sim_clock_end(sim);
}
