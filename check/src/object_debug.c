#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "luna-c/ir.h"
#include "luna-c/run_passes.h"
#include "luna/arena.h"
#include "luna/map.h"
#include "luna/object.h"
#include "luna/vector.h"
#include "llvm-c/Core.h"
#include "llvm-c/DebugInfo.h"

// Debug lines of a model. MLIR's locations reach LLVM as lines of files alone,
// so that an operator's name passes as the file "op:<number>"; what comes out
// is replaced by lines of the model's file, within functions that have the
// operators' names. There is no folder in them: the same bytes come out
// everywhere.

static const char mark[] = "op:";

typedef struct Lines {
  LunaArena arena;
  LunaMap names; // of operators, by number
  LUNA_VECTOR(const char *) names_by_number;

  // Of instructions, in the order of the module.
  LUNA_VECTOR(struct Line) lines;
  uint64_t next;

  LLVMDIBuilderRef builder;
  LLVMMetadataRef file, type;
  LLVMMetadataRef *operators; // their functions, by number; made when needed
} Lines;

typedef struct Line {
  unsigned line;
  int32_t op; // or -1
} Line;

//===- Before the translation ---------------------------------------------===//

static uint32_t number_of(Lines *lines, MlirStringRef name) {
  uint64_t known = lines->names_by_number.count;
  uint32_t number = luna_map_add(&lines->names, &lines->arena,
                                 luna_map_bytes(name.data, name.length));
  if (number == known)
    *LUNA_VECTOR_ADD(&lines->arena, &lines->names_by_number) =
        luna_arena_strndup(&lines->arena, name.data, name.length);
  return number;
}

static unsigned line_of(MlirLocation location) {
  return mlirLocationIsAFileLineColRange(location)
             ? (unsigned)mlirLocationFileLineColRangeGetStartLine(location)
             : 0;
}

// LLVM wants a location of every call.
static MlirWalkResult mark_location(MlirOperation op, void *data) {
  Lines *lines = data;
  char file[32] = "-";
  MlirLocation location = mlirOperationGetLocation(op);
  if (mlirLocationIsAName(location)) {
    MlirStringRef name = mlirIdentifierStr(mlirLocationNameGetName(location));
    snprintf(file, sizeof file, "%s%u", mark, (unsigned)number_of(lines, name));
    location = mlirLocationNameGetChildLoc(location);
  }
  mlirOperationSetLocation(
      op, mlirLocationFileLineColGet(mlirOperationGetContext(op),
                                     luna_str(file), line_of(location), 1));
  return MlirWalkResultAdvance;
}

//===- After the translation ----------------------------------------------===//

static int32_t marked_operator(LLVMMetadataRef location) {
  unsigned length = 0;
  LLVMMetadataRef scope = LLVMDILocationGetScope(location);
  const char *name = LLVMDIFileGetFilename(LLVMDIScopeGetFile(scope), &length);
  size_t prefix = strlen(mark);
  return length > prefix && memcmp(name, mark, prefix) == 0
             ? (int32_t)strtol(name + prefix, NULL, 10)
             : -1;
}

typedef void (*VisitInstruction)(Lines *lines, LLVMValueRef function,
                                 LLVMValueRef instruction);

static void visit_all(Lines *lines, LLVMModuleRef module,
                      VisitInstruction visit) {
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
       function = LLVMGetNextFunction(function))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef at = LLVMGetFirstInstruction(block); at;
           at = LLVMGetNextInstruction(at))
        visit(lines, function, at);
}

static void read_line(Lines *lines, LLVMValueRef function, LLVMValueRef at) {
  LLVMMetadataRef location = LLVMInstructionGetDebugLoc(at);
  (void)function;
  *LUNA_VECTOR_ADD(&lines->arena, &lines->lines) =
      location
          ? (Line){LLVMDILocationGetLine(location), marked_operator(location)}
          : (Line){0, -1};
}

static LLVMMetadataRef create_function(Lines *lines, const char *name) {
  return LLVMDIBuilderCreateFunction(
      lines->builder, lines->file, name, strlen(name), "", 0, lines->file, 0,
      lines->type, /*IsLocalToUnit=*/1, /*IsDefinition=*/1, 0, LLVMDIFlagZero,
      /*IsOptimized=*/1);
}

static LLVMMetadataRef operator_function(Lines *lines, int32_t number) {
  LLVMMetadataRef *function = &lines->operators[number];
  if (!*function)
    *function = create_function(lines, lines->names_by_number.items[number]);
  return *function;
}

static LLVMMetadataRef own_function(Lines *lines, LLVMValueRef function) {
  LLVMMetadataRef own = LLVMGetSubprogram(function);
  if (!own) {
    own = create_function(lines, LLVMGetValueName2(function, &(size_t){0}));
    LLVMSetSubprogram(function, own);
  }
  return own;
}

static void write_line(Lines *lines, LLVMValueRef function, LLVMValueRef at) {
  const Line *line = &lines->lines.items[lines->next++];
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(function));
  LLVMMetadataRef own = own_function(lines, function);
  LLVMMetadataRef location = LLVMDIBuilderCreateDebugLocation(
      context, line->op < 0 ? line->line : 0, 0, own, NULL);
  if (line->op >= 0)
    location = LLVMDIBuilderCreateDebugLocation(
        context, line->line, 0, operator_function(lines, line->op), location);
  LLVMInstructionSetDebugLoc(at, location);
}

static void add_flag(LLVMModuleRef module, const char *name, unsigned value) {
  LLVMTypeRef type = LLVMInt32TypeInContext(LLVMGetModuleContext(module));
  LLVMAddModuleFlag(module, LLVMModuleFlagBehaviorWarning, name, strlen(name),
                    LLVMValueAsMetadata(LLVMConstInt(type, value, 0)));
}

static void open_unit(Lines *lines, LLVMModuleRef module, const char *path) {
  static const char producer[] = "lunac";
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  lines->builder = LLVMCreateDIBuilder(module);
  lines->file =
      LLVMDIBuilderCreateFile(lines->builder, name, strlen(name), "", 0);
  lines->type = LLVMDIBuilderCreateSubroutineType(lines->builder, lines->file,
                                                  NULL, 0, LLVMDIFlagZero);
  LLVMDIBuilderCreateCompileUnit(lines->builder, LLVMDWARFSourceLanguageC99,
                                 lines->file, producer, strlen(producer),
                                 /*isOptimized=*/1, "", 0, 0, "", 0,
                                 LLVMDWARFEmissionLineTablesOnly, 0,
                                 /*SplitDebugInlining=*/1, 0, "", 0, "", 0);
}

static void rebuild(Lines *lines, LLVMModuleRef module, const char *path) {
  visit_all(lines, module, read_line);
  LLVMStripModuleDebugInfo(module);
  lines->operators = LUNA_ARENA_ARRAY(&lines->arena, LLVMMetadataRef,
                                      lines->names_by_number.count);
  open_unit(lines, module, path);
  visit_all(lines, module, write_line);
  LLVMDIBuilderFinalize(lines->builder);
  LLVMDisposeDIBuilder(lines->builder);
  add_flag(module, "Debug Info Version", LLVMDebugMetadataVersion());
  add_flag(module, "Dwarf Version", 4); // the highest that GNU's as reads
}

//===- The translation ----------------------------------------------------===//

LLVMModuleRef luna_object_translate_lines(MlirModule module, const char *name,
                                          const char *path,
                                          LLVMContextRef context,
                                          LunaError *error) {
  Lines lines = {0};
  LLVMModuleRef translated = NULL;
  mlirOperationWalk(mlirModuleGetOperation(module), mark_location, &lines,
                    MlirWalkPreOrder);
  if (luna_run_passes(module, "ensure-debug-info-scope-on-llvm-func",
                      "the lowered model has no lines", error))
    translated = luna_object_translate(module, name, context, error);
  if (translated)
    rebuild(&lines, translated, path);
  luna_arena_destroy(&lines.arena);
  return translated;
}
