// The unit (luna/unit_port.h) over a vendor's library: which operators are
// calls, and what the core moves itself. Calls return when they are done, so
// that nothing is awaited.

#include "port_calls.h"

#include <string.h>

#include "luna/unit_calls.h"

static const LunaPortLibrary *const library = &luna_port_library;

// Where the functions for so many bits are.
static int at(int32_t bits) { return bits == 8 ? 0 : bits == 16 ? 1 : 2; }

//===- Convolutions and matrices ------------------------------------------===//

// Returns false if a launch is no convolution of packed weights.
static int describe(const LunaProductRecord *record,
                    const LunaLaunchRecord *launch, LunaPortConv *conv) {
  int leaves_sums = launch->flags & LUNA_LAUNCH_SUMS;
  int shifts = !leaves_sums && record->requant.mode == LUNA_REQUANT_SHIFT;
  *conv = (LunaPortConv){
      .launch = launch,
      .output_bits =
          leaves_sums ? 32 : 8 * luna_element_bytes(record->output_type),
      .shift = shifts ? (uint32_t)record->requant.shift : 0,
      .is_depthwise = record->kind == LUNA_LAUNCH_DEPTHWISE,
      .has_relu = shifts && record->requant.clamp_min == 0,
      .has_bias = record->bias_type == LUNA_TYPE_I32 &&
                  launch->flags & LUNA_LAUNCH_FIRST,
  };
  return record->kind != LUNA_LAUNCH_MATMUL && record->weight_layout[0] != 0 &&
         !(launch->flags & LUNA_LAUNCH_EMPTY);
}

static void place(const LunaProductRecord *record,
                  const LunaProductOperands *operands, LunaPortConv *conv) {
  const LunaLaunchRecord *launch = conv->launch;
  conv->input = (const uint8_t *)operands->input + launch->input_offset;
  conv->weight = (const uint8_t *)operands->weight + launch->weight_offset;
  conv->output =
      launch->flags & LUNA_LAUNCH_SUMS
          ? (uint8_t *)operands->scratch + 4 * luna_launch_sums(launch)
          : (uint8_t *)operands->output + launch->output_offset;
  if (conv->has_bias)
    conv->bias = (const uint8_t *)operands->bias +
                 4 * launch->channel * record->bias_stride;
}

// A product whose blocks follow; all are listed.
typedef struct Product {
  const LunaProductRecord *record;
  struct Product *next;
} Product;

_Static_assert(sizeof(Product) <= LUNA_PORT_PRODUCT_BYTES,
               "luna-to-llvm leaves as much");

static Product *products, *latest;

static uint8_t *block_at(Product *product, int32_t launch) {
  return (uint8_t *)product + LUNA_PORT_PRODUCT_BYTES +
         (uint32_t)launch * library->block_bytes;
}

void luna_rt_prepare(const void *record, void *memory) {
  Product *product = memory;
  LunaPortConv conv;
  const LunaLaunchRecord *launches = luna_record_launches(record);
  if (product->record) // by an earlier _init
    return;
  *product = (Product){record, products};
  products = product;
  for (int32_t i = 0; i < product->record->launch_count; ++i)
    if (describe(record, &launches[i], &conv) && library->pack)
      library->pack(&conv, block_at(product, i));
}

// Returns the block of a launch; 0 if nothing was prepared. The launches of a
// product follow each other.
static const void *find_block(const LunaProductRecord *record,
                              const LunaLaunchRecord *launch) {
  if (!latest || latest->record != record)
    for (latest = products; latest && latest->record != record;
         latest = latest->next)
      ;
  return latest ? block_at(latest,
                           (int32_t)(launch - luna_record_launches(record)))
                : 0;
}

// With one row, a transposed right matrix is the left one, and the row a
// column.
static void multiply(const LunaProductRecord *record, const LunaPortConv *how) {
  uint32_t rows = how->launch->tile[0], depth = how->launch->in_channels;
  uint32_t columns = how->launch->out_channels;
  LunaPortMatrices *call = library->mat_mul[0][at(how->output_bits)];
  if (!call)
    luna_port_fault("a launch that is no call");
  luna_port_check(record->weight_strides[3] == 1 && rows == 1
                      ? call(how->weight, how->input, how->output, columns,
                             depth, 1, how->shift)
                      : call(how->input, how->weight, how->output, rows, depth,
                             columns, how->shift),
                  "mat_mul");
}

void luna_unit_start(const LunaProductRecord *record,
                     const LunaLaunchRecord *launch,
                     const LunaProductOperands *operands) {
  LunaPortConv conv;
  int is_conv = describe(record, launch, &conv);
  place(record, operands, &conv);
  if (is_conv) {
    conv.block = find_block(record, launch);
    luna_port_convolve(&conv);
  } else if (luna_is_matrix_call(record, launch)) {
    multiply(record, &conv);
  } else {
    luna_port_fault("a launch that is no call");
  }
}

void luna_unit_start_pool(const LunaPoolDesc *desc, const void *input,
                          void *output) {
  if (desc->kind != LUNA_POOL_MAX || desc->input.type != LUNA_TYPE_I8 ||
      desc->input.dims[0] != 1 || !luna_tensor_has_planes(&desc->input) ||
      !luna_tensor_has_planes(&desc->output))
    luna_port_fault("a pooling that is no call");
  luna_port_max_pool(desc, input, output);
}

//===- Vector calls -------------------------------------------------------===//

enum { LESS_THAN = 2 }; // the mode of a comparison

static int32_t has_no_call(void) {
  luna_port_fault("a vector call that the library has not");
  return 1;
}

static int32_t call_vectors(LunaPortVectors *function,
                            const LunaVectorCall *call,
                            const LunaVectorOperands *operands) {
  return function ? function(operands->input, operands->other, operands->output,
                             (uint32_t)operands->count, call->shift)
                  : has_no_call();
}

static int32_t call_scalar(LunaPortScalar *function, const LunaVectorCall *call,
                           const LunaVectorOperands *operands, uint32_t last) {
  return function ? function(operands->input, call->scalar, operands->output,
                             (uint32_t)operands->count, last)
                  : has_no_call();
}

// A column by a row.
static int32_t call_matrices(LunaPortMatrices *function,
                             const LunaVectorCall *call,
                             const LunaVectorOperands *operands) {
  uint32_t columns = (uint32_t)operands->columns;
  uint32_t rows = (uint32_t)(operands->count / operands->columns);
  return function ? function(operands->input, operands->other, operands->output,
                             rows, 1, columns, call->shift)
                  : has_no_call();
}

static int32_t call_rows(LunaPortRows *function, const LunaVectorCall *call,
                         const LunaVectorOperands *operands) {
  uint32_t columns = (uint32_t)operands->columns;
  uint32_t rows = (uint32_t)(operands->count / operands->columns);
  return function ? function(operands->input, operands->other, operands->output,
                             columns, rows, call->shift)
                  : has_no_call();
}

static int32_t call_one(LunaPortVector *function, const LunaVectorCall *call,
                        const LunaVectorOperands *operands) {
  return function ? function(operands->input, operands->output,
                             (uint32_t)operands->count, call->shift)
                  : has_no_call();
}

static int32_t call_vector(const LunaVectorCall *call,
                           const LunaVectorOperands *operands) {
  int in = at(call->input_bits), out = at(call->output_bits);
  switch ((LunaCallName)call->name) {
  case LUNA_CALL_ADD:
    return call_vectors(library->add[in][out], call, operands);
  case LUNA_CALL_SUB:
    return call_vectors(library->sub[in][out], call, operands);
  case LUNA_CALL_MUL:
    return call_vectors(library->mul[in][out], call, operands);
  case LUNA_CALL_SCALE:
    return call_scalar(library->scale[in][out], call, operands, call->shift);
  case LUNA_CALL_OFFSET:
    return call_scalar(library->offset[in][out], call, operands, call->shift);
  case LUNA_CALL_CMP_VS:
    return call_scalar(library->cmp_vs[in][out], call, operands, LESS_THAN);
  case LUNA_CALL_RELU:
    return call_one(library->relu[in][out], call, operands);
  case LUNA_CALL_MULTI_VEC_MUL:
    return call_rows(library->multi_vec_mul[in][out], call, operands);
  case LUNA_CALL_MAT_MUL:
    return call_matrices(library->mat_mul[in][out], call, operands);
  case LUNA_CALL_MEMSET:
    return luna_port_fill(operands->output, call->output_bits, call->scalar,
                          (uint32_t)operands->count)
               ? 0
               : has_no_call();
  default:
    return has_no_call();
  }
}

void luna_unit_start_vector(const LunaVectorCall *call,
                            const LunaVectorOperands *operands) {
  luna_port_check(call_vector(call, operands), "a vector call");
}

//===- Elementwise operators ----------------------------------------------===//

static int32_t count_of(const LunaTensorDesc *desc) {
  return desc->dims[0] * desc->dims[1] * desc->dims[2] * desc->dims[3];
}

// Returns false if operands are scaled, or do not lie side by side in one
// order.
static int is_vector_call(const LunaEltwiseDesc *desc) {
  return desc->lhs_multiplier == 0 && desc->rhs_multiplier == 0 &&
         desc->lhs_zero_point == 0 && desc->rhs_zero_point == 0 &&
         luna_tensors_lie_alike(&desc->output, &desc->lhs) &&
         (desc->kind == LUNA_ELTWISE_SCALE ||
          (desc->lhs.type == desc->rhs.type &&
           luna_tensors_lie_alike(&desc->output, &desc->rhs)));
}

void luna_unit_start_eltwise(const LunaEltwiseDesc *desc, const void *lhs,
                             const void *rhs, void *output) {
  static const uint8_t names[] = {
      [LUNA_ELTWISE_ADD] = LUNA_CALL_ADD,
      [LUNA_ELTWISE_SUB] = LUNA_CALL_SUB,
      [LUNA_ELTWISE_MUL] = LUNA_CALL_MUL,
      [LUNA_ELTWISE_SCALE] = LUNA_CALL_SCALE,
  };
  int shifts = desc->requant.mode == LUNA_REQUANT_SHIFT;
  uint8_t bits = (uint8_t)(8 * luna_element_bytes(desc->output.type));
  const LunaVectorCall call = {
      .name = names[desc->kind],
      .input_bits = (uint8_t)(8 * luna_element_bytes(desc->lhs.type)),
      .output_bits = bits,
      .scalar = 1,
      .shift = shifts ? (uint8_t)desc->requant.shift : 0};
  const LunaVectorCall relu = {
      .name = LUNA_CALL_RELU, .input_bits = bits, .output_bits = bits};
  LunaVectorOperands operands = {.input = lhs,
                                 .other = rhs,
                                 .output = output,
                                 .count = count_of(&desc->output)};
  if (!is_vector_call(desc))
    luna_port_fault("an elementwise operator that is no call");
  luna_unit_start_vector(&call, &operands);
  operands.input = output;
  if (shifts && desc->requant.clamp_min == 0)
    luna_unit_start_vector(&relu, &operands);
}

static void refuse(const char *why, ...) { luna_port_fault(why); }

// Operators that are one launch where a unit has the call, which these lack.
#define LUNA_UNIT_LAUNCH(CLASS, name, Type, CALL, parameters, arguments)       \
  void luna_unit_start_##name(const Luna##Type##Desc *desc,                    \
                              LUNA_UNIT_LIST parameters) {                     \
    refuse("no call for " #name, desc, LUNA_UNIT_LIST arguments);              \
  }
#include "luna/units.def"

//===- Copies and fills ---------------------------------------------------===//

static int32_t offset_of(const LunaTensorDesc *desc, const int32_t at[4]) {
  const int32_t *strides = desc->strides;
  return (at[0] * strides[0] + at[1] * strides[1] + at[2] * strides[2] +
          at[3] * strides[3]) *
         luna_element_bytes(desc->type);
}

// Goes on to the next element of a box; false after the last.
static int next(const int32_t dims[4], int32_t at[4]) {
  for (int i = 3; i >= 0; --i) {
    if (++at[i] < dims[i])
      return 1;
    at[i] = 0;
  }
  return 0;
}

void luna_unit_start_copy(const LunaCopyDesc *desc, const void *source,
                          void *target) {
  int32_t bytes = luna_element_bytes(desc->source.type);
  int32_t count = count_of(&desc->source), at[4] = {0};
  if (luna_tensors_lie_alike(&desc->source, &desc->target))
    luna_port_copy(target, source, (uint32_t)(count * bytes));
  else if (count > 0)
    do
      memcpy((uint8_t *)target + offset_of(&desc->target, at),
             (const uint8_t *)source + offset_of(&desc->source, at),
             (size_t)bytes);
    while (next(desc->source.dims, at));
}

void luna_unit_start_fill(const LunaFillDesc *desc, void *target) {
  const int32_t value[2] = {desc->value_low, desc->value_high};
  int32_t bytes = luna_element_bytes(desc->target.type);
  int32_t count = count_of(&desc->target), at[4] = {0};
  if (bytes <= 4 && luna_tensors_lie_alike(&desc->target, &desc->target) &&
      luna_port_fill(target, 8 * bytes, desc->value_low, (uint32_t)count))
    return;
  if (count > 0)
    do
      memcpy((uint8_t *)target + offset_of(&desc->target, at), value,
             (size_t)bytes);
    while (next(desc->target.dims, at));
}

void luna_unit_await(void) {}

//===- Transfers ----------------------------------------------------------===//

// Of the vendor's opi_psram_cpy.h, alike in all its libraries.
void dma_cpy_async(int channel, void *target, void *source, int32_t bytes);
void dma_wait_complete(int channel);

// The library has one transfer in flight, so others wait in a queue. Transfers
// are counted: those started, those given to the library, those ended. What
// interrupts may change them: the core reads and writes each at once.
enum { ROOM = 16, TOKENS = 64 };

static struct {
  LunaDmaDesc desc;
  void *target;
  const void *source;
} queue[ROOM];
static volatile uint32_t started, given, ended;
static volatile int is_awaiting, has_missed;

static void give_next(void) {
  uint32_t i = given % ROOM;
  if (given == started)
    return;
  ++given;
  dma_cpy_async(queue[i].desc.channel, queue[i].target,
                (void *)(uintptr_t)queue[i].source, queue[i].desc.bytes);
}

// Waits for the transfer that the library has, and gives it the next one.
static void end_one(void) {
  dma_wait_complete(queue[ended % ROOM].desc.channel);
  has_missed = 0;
  ++ended;
  give_next();
}

// The core that is waiting gives the next one itself.
void luna_port_transfer_ended(void) {
  if (is_awaiting)
    has_missed = 1;
  else if (given != ended)
    end_one();
}

static int is_waiting(int32_t token) {
  for (uint32_t i = ended; i != started; ++i)
    if ((int32_t)(i % TOKENS) + 1 == token)
      return 1;
  return 0;
}

void luna_unit_await_transfer(int32_t token) {
  is_awaiting = 1;
  while (is_waiting(token))
    end_one();
  is_awaiting = 0;
  if (has_missed)
    end_one();
}

int32_t luna_unit_start_transfer(const LunaDmaDesc *desc, void *target,
                                 const void *source) {
  uint32_t number = started;
  if (number - ended >= ROOM)
    luna_unit_await_transfer((int32_t)((number - ROOM) % TOKENS) + 1);
  queue[number % ROOM].desc = *desc;
  queue[number % ROOM].target = target;
  queue[number % ROOM].source = source;
  started = number + 1;
  if (given == ended)
    give_next();
  return (int32_t)(number % TOKENS) + 1;
}
