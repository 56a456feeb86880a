// Counts instructions under QEMU's user mode, for bench/cores: a plugin.
//
//   qemu-CORE -plugin libcount.so,mark=ADDRESS,ranges=FILE,out=FILE PROGRAM
//
// Each execution of the instruction at `mark` writes the instructions executed
// until then, but for the simulator's. `ranges` tells the parts of a program
// apart (lines FIRST END PART in hexadecimal, END not included): code outside
// of them belongs to what called it. At the end the program's own instructions
// and those of device_runtime/ are written for each operator, which is known by
// its place in the ids that calls of the runtime pass. QEMU counts as it
// executes, so figures are exact and repeatable.
//
// Debian ships QEMU 7.2 without this header: its interface, version 1.

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

typedef uint64_t qemu_plugin_id_t; // NOLINT(readability-identifier-naming)
struct qemu_plugin_tb;
struct qemu_plugin_insn;
enum { QEMU_PLUGIN_CB_NO_REGS = 0, QEMU_PLUGIN_MEM_RW = 3 };
typedef void (*TranslateCallback)(qemu_plugin_id_t id,
                                  struct qemu_plugin_tb *block);
typedef void (*ExecuteCallback)(unsigned cpu, void *data);
typedef void (*AccessCallback)(unsigned cpu, uint32_t info, uint64_t address,
                               void *data);
typedef void (*ExitCallback)(qemu_plugin_id_t id, void *data);

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
                                           TranslateCallback callback);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, ExitCallback callback,
                                    void *data);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *block,
                                          ExecuteCallback callback, int flags,
                                          void *data);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn,
                                      AccessCallback callback, int flags,
                                      int accesses, void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
struct qemu_plugin_insn *
qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block, size_t index);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);

EXPORT extern int qemu_plugin_version;
int qemu_plugin_version = 1;
EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const void *info,
                               int argument_count, char **arguments);

enum { RANGES_MAX = 4096, OPS_MAX = 65536 };

typedef enum Part {
  PART_ANY, // of what called it
  PART_PROGRAM,
  PART_CORE,
  PART_SIMULATOR,
  PART_CALL,  // of the simulator: a call of the runtime, which reads its ids
  PART_IDS,   // data
  PART_START, // a call that starts a transfer
  PART_WAIT,  // and one that awaits it, without ids
  PART_COUNT,
} Part;

typedef struct Range {
  uint64_t first, end;
  uint32_t part;
} Range;

typedef struct Op {
  uint64_t counts[PART_COUNT];
} Op;

static Range ranges[RANGES_MAX];
static size_t range_count;
static Range ids;
static uint64_t mark, total;
static FILE *out;

static Op ops[OPS_MAX]; // by the place of their ids, in words
// What runs; its operator; instructions since the program called it, if it is
// the runtime; the first of the ids that the call has read; the call and the
// last transfer.
static Part part = PART_SIMULATOR, call;
static size_t op, transfer;
static uint64_t pending[PART_COUNT];
static uint64_t first_id = UINT64_MAX;

static Part part_at(uint64_t address) {
  for (size_t i = 0; i < range_count; ++i)
    if (address >= ranges[i].first && address < ranges[i].end)
      return (Part)ranges[i].part;
  return PART_ANY;
}

static void read_ranges(const char *path) {
  FILE *file = fopen(path, "r");
  Range *range = ranges;
  while (file && range_count < RANGES_MAX &&
         fscanf(file, "%" SCNx64 " %" SCNx64 " %" SCNx32, &range->first,
                &range->end, &range->part) == 3) {
    if (range->part == PART_IDS) {
      ids = *range;
      continue;
    }
    ++range;
    ++range_count;
  }
  if (file)
    fclose(file);
}

// Gives what was counted to an operator.
static void settle(size_t owner) {
  for (int i = 0; i < PART_COUNT; ++i) {
    ops[owner].counts[i] += pending[i];
    pending[i] = 0;
  }
}

// A call of the runtime, and what the program does for it, belong to the
// operator whose ids it reads; without ids to the one before, or to the
// transfer that it awaits.
static void finish_call(void) {
  if (first_id != UINT64_MAX)
    op = (size_t)(first_id - ids.first) / 4;
  first_id = UINT64_MAX;
  if (call == PART_START)
    transfer = op;
  settle(call == PART_WAIT ? transfer : op);
  call = PART_ANY;
}

static void enter(Part next) {
  if (next == part)
    return;
  if (next == PART_PROGRAM)
    finish_call();
  part = next;
}

// A block's first address and instructions.
typedef struct Block {
  uint64_t count;
  Part part, call;
  bool is_mark;
} Block;

static void run_block(unsigned cpu, void *data) {
  const Block *block = data;
  (void)cpu;
  if (block->is_mark)
    fprintf(out, "mark %" PRIu64 "\n", total);
  if (block->part != PART_ANY)
    enter(block->part);
  if (block->call != PART_ANY)
    call = block->call;
  pending[part] += block->count;
  if (part != PART_SIMULATOR)
    total += block->count;
}

static void read_id(unsigned cpu, uint32_t info, uint64_t address, void *data) {
  (void)cpu, (void)info, (void)data;
  if (address >= ids.first && address < ids.end && address < first_id)
    first_id = address;
}

// Blocks live as long as their translation: until the end.
static void translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb) {
  (void)id;
  Block *block = malloc(sizeof *block);
  uint64_t at = qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(tb, 0));
  *block = (Block){.count = qemu_plugin_tb_n_insns(tb),
                   .part = part_at(at),
                   .is_mark = at == mark};
  bool is_start = block->part == PART_START;
  bool is_call = block->part == PART_CALL || is_start;
  if (is_start || block->part == PART_WAIT)
    block->call = block->part;
  if (is_call || block->part == PART_WAIT)
    block->part = PART_SIMULATOR;
  qemu_plugin_register_vcpu_tb_exec_cb(tb, run_block, QEMU_PLUGIN_CB_NO_REGS,
                                       block);
  for (size_t i = 0; is_call && i < block->count; ++i)
    qemu_plugin_register_vcpu_mem_cb(qemu_plugin_tb_get_insn(tb, i), read_id,
                                     QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW,
                                     NULL);
}

static void finish(qemu_plugin_id_t id, void *data) {
  (void)id;
  (void)data;
  settle(op);
  for (size_t i = 0; i < OPS_MAX; ++i)
    if (ops[i].counts[PART_PROGRAM] + ops[i].counts[PART_CORE] > 0)
      fprintf(out, "op %zu %" PRIu64 " %" PRIu64 "\n", i,
              ops[i].counts[PART_PROGRAM], ops[i].counts[PART_CORE]);
  fclose(out);
}

static const char *value_of(const char *argument, const char *name) {
  size_t length = strlen(name);
  bool is_it = strncmp(argument, name, length) == 0 && argument[length] == '=';
  return is_it ? argument + length + 1 : NULL;
}

int qemu_plugin_install(qemu_plugin_id_t id, const void *info,
                        int argument_count, char **arguments) {
  (void)info;
  for (int i = 0; i < argument_count; ++i) {
    const char *address = value_of(arguments[i], "mark");
    const char *path = value_of(arguments[i], "ranges");
    const char *result = value_of(arguments[i], "out");
    if (address)
      mark = strtoull(address, NULL, 16);
    if (path)
      read_ranges(path);
    if (result)
      out = fopen(result, "w");
  }
  if (!out)
    return 1;
  qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
  qemu_plugin_register_atexit_cb(id, finish, NULL);
  return 0;
}
