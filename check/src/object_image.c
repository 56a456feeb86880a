#include "luna/object_image.h"

#include <string.h>

#include "luna/program_header.h"
#include "llvm-c/Core.h"
#include "llvm-c/Object.h"

//===- The descriptor -----------------------------------------------------===//

static LLVMValueRef find_global(LLVMModuleRef module, const char *name,
                                const char *suffix) {
  LunaArena arena = {0};
  LLVMValueRef global = LLVMGetNamedGlobal(
      module, luna_arena_printf(&arena, LUNA_PROGRAM_SYMBOL_PREFIX "%s%s", name,
                                suffix));
  luna_arena_destroy(&arena);
  return global;
}

bool luna_object_program(LLVMModuleRef module, const char *name,
                         LunaArena *arena, LunaProgramInfo *program,
                         LunaError *error) {
  LLVMValueRef global = find_global(module, name, "_program");
  LLVMValueRef value = global ? LLVMGetInitializer(global) : NULL;
  size_t bytes = 0;
  const char *data = value && LLVMIsAConstantDataSequential(value)
                         ? LLVMGetRawDataValues(value, &bytes)
                         : NULL;
  if (!data)
    return luna_error_set(error, LUNA_ERROR_SETUP, LUNA_ERROR_NO_ITEM,
                          "the program has no descriptor");
  int32_t *words = luna_arena_alloc(arena, bytes, _Alignof(int32_t));
  memcpy(words, data, bytes);
  return luna_program_read(words, bytes / sizeof *words, arena, program, error);
}

//===- Sections -----------------------------------------------------------===//

static bool ends_with(const char *text, size_t length, const char *suffix) {
  size_t end = strlen(suffix);
  return length >= end && memcmp(text + length - end, suffix, end) == 0;
}

// The first values of the state are neither.
static const char *section_of(LLVMValueRef global) {
  size_t length = 0;
  const char *name = LLVMGetValueName2(global, &length);
  size_t prefix = strlen(LUNA_PROGRAM_SYMBOL_PREFIX);
  if (length < prefix || memcmp(name, LUNA_PROGRAM_SYMBOL_PREFIX, prefix) != 0)
    return NULL;
  if (ends_with(name, length, "_weights"))
    return LUNA_IMAGE_WEIGHTS;
  return ends_with(name, length, "_state") ? NULL : LUNA_IMAGE_DESCRIPTORS;
}

void luna_object_set_sections(LLVMModuleRef module) {
  for (LLVMValueRef global = LLVMGetFirstGlobal(module); global;
       global = LLVMGetNextGlobal(global)) {
    const char *section = section_of(global);
    if (section && LLVMIsGlobalConstant(global) && !LLVMGetSection(global))
      LLVMSetSection(global, section);
  }
}

//===- Memories -----------------------------------------------------------===//

static LLVMValueRef add_memory(LLVMModuleRef module, const char *section,
                               int64_t bytes, uint64_t alignment_bytes) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef type =
      LLVMArrayType2(LLVMInt8TypeInContext(context), (uint64_t)bytes);
  LLVMValueRef memory = LLVMAddGlobal(module, type, section + 1);
  LLVMSetLinkage(memory, LLVMInternalLinkage);
  LLVMSetInitializer(memory, LLVMConstNull(type));
  LLVMSetSection(memory, section);
  LLVMSetAlignment(memory, (unsigned)alignment_bytes);
  return memory;
}

static LLVMValueRef plus(LLVMValueRef memory, int64_t bytes) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(memory));
  LLVMValueRef index =
      LLVMConstInt(LLVMInt32TypeInContext(context), (uint64_t)bytes, 0);
  return LLVMConstGEP2(LLVMInt8TypeInContext(context), memory, &index, 1);
}

// Without weights, their array is not where the scratch begins.
void luna_object_add_memories(LLVMModuleRef module, const char *name,
                              const LunaImage *image, uint64_t alignment_bytes,
                              bool is_in_place) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMValueRef weights = find_global(module, name, "_weights");
  is_in_place = is_in_place && weights && image->weight_bytes > 0;
  int64_t linked_bytes = is_in_place ? image->weight_bytes : 0;
  LLVMValueRef psram =
      add_memory(module, LUNA_IMAGE_PSRAM,
                 luna_image_psram_bytes(image) - linked_bytes, alignment_bytes);
  LLVMValueRef fields[] = {
      add_memory(module, LUNA_IMAGE_SHARED, image->arena_bytes,
                 alignment_bytes),
      is_in_place ? weights : psram,
      plus(psram, image->weight_bytes - linked_bytes + image->scratch_bytes),
  };
  LLVMValueRef memories = LLVMConstStructInContext(context, fields, 3, 0);
  LLVMValueRef global =
      LLVMAddGlobal(module, LLVMTypeOf(memories), "luna_core_memories");
  LLVMSetInitializer(global, memories);
}

void luna_object_add_machine(LLVMModuleRef module, const char *name,
                             const LunaMachine *machine) {
  LunaArena arena = {0};
  LLVMContextRef context = LLVMGetModuleContext(module);
  const char *symbol = luna_arena_printf(
      &arena, LUNA_PROGRAM_SYMBOL_PREFIX "%s" LUNA_PROGRAM_MACHINE_SUFFIX,
      name);
  LLVMValueRef value = LLVMConstStringInContext2(
      context, (const char *)machine, sizeof *machine, /*DontNullTerminate=*/1);
  LLVMValueRef global = LLVMAddGlobal(module, LLVMTypeOf(value), symbol);
  LLVMSetInitializer(global, value);
  LLVMSetGlobalConstant(global, 1);
  LLVMSetAlignment(global, 8);
  LLVMSetSection(global, LUNA_IMAGE_MACHINE);
  luna_arena_destroy(&arena);
}

//===- Measuring ----------------------------------------------------------===//

// The first section has no name.
static bool is_in(const char *name, const char *section) {
  size_t length = strlen(section);
  return name && strncmp(name, section, length) == 0 &&
         (name[length] == 0 || name[length] == '.');
}

static void add_section(const char *name, int64_t bytes, LunaImage *image) {
  if (is_in(name, ".text") || is_in(name, ".literal"))
    image->text_bytes += bytes;
  else if (is_in(name, LUNA_IMAGE_DESCRIPTORS))
    image->descriptor_bytes += bytes;
  else if (is_in(name, ".rodata") || is_in(name, ".srodata"))
    image->rodata_bytes += bytes;
}

bool luna_object_measure(const void *object, size_t bytes, LunaImage *image,
                         LunaError *error) {
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRange(
      object, bytes, "object", /*RequiresNullTerminator=*/0);
  char *message = NULL;
  LLVMBinaryRef binary = LLVMCreateBinary(buffer, NULL, &message);
  if (!binary) {
    luna_error_set(error, LUNA_ERROR_SETUP, LUNA_ERROR_NO_ITEM,
                   "cannot read the object file: %s", message);
    LLVMDisposeMessage(message);
    LLVMDisposeMemoryBuffer(buffer);
    return false;
  }
  LLVMSectionIteratorRef at = LLVMObjectFileCopySectionIterator(binary);
  for (; !LLVMObjectFileIsSectionIteratorAtEnd(binary, at);
       LLVMMoveToNextSection(at))
    add_section(LLVMGetSectionName(at), (int64_t)LLVMGetSectionSize(at), image);
  LLVMDisposeSectionIterator(at);
  LLVMDisposeBinary(binary);
  LLVMDisposeMemoryBuffer(buffer);
  return true;
}
