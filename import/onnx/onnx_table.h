#ifndef LUNA_ONNX_TABLE_H
#define LUNA_ONNX_TABLE_H

// Tables of operators, which the caller of the reader hands down, and one
// import.

#include "luna/shape_rules.h"
#include "onnx_import.h"
#include "takes_valid.h"

/// The most inputs of an operator that takes any number.
enum { LUNA_ONNX_MANY_INPUTS = 1024 };

typedef bool (*LunaOnnxHandler)(LunaOnnxImport *c, LunaOnnxNode *n);

/// A row of the operator table, for dispatch, checks and docs.
typedef struct LunaOnnxOp {
  const char *name;
  LunaOnnxHandler handler;
  LunaShapeClass shape_class;
  int min_inputs, max_inputs;
  /// What the handler needs to know, e.g. its scalar function.
  const void *detail;
  /// What it becomes, for the docs.
  const char *becomes;
  /// Limits, for the docs; NULL for none.
  const char *limits;
  LunaTakesValid takes_valid;
} LunaOnnxOp;

/// Another name of a row.
typedef struct LunaOnnxAlias {
  const char *name, *means;
} LunaOnnxAlias;

typedef struct LunaOnnxTable {
  const LunaOnnxOp *rows;
  size_t row_count;
  const LunaOnnxAlias *aliases;
  size_t alias_count;
} LunaOnnxTable;

/// A table for the nodes of one domain, "" being ONNX's own.
typedef struct LunaOnnxDomain {
  const char *name;
  const LunaOnnxTable *table;
} LunaOnnxDomain;

/// ONNX's operators, and those of ONNX Runtime ("com.microsoft").
extern const LunaOnnxTable luna_onnx_operators, luna_onnx_microsoft_operators;

/// Imports a model as luna_import_onnx does, with these operators; of several
/// tables for one domain, the first that has a row wins.
bool luna_onnx_import(MlirContext context, const void *bytes, size_t size,
                      const LunaImportOptions *options,
                      const LunaOnnxDomain *domains, size_t domain_count,
                      MlirModule *out, LunaError *error);

#endif // LUNA_ONNX_TABLE_H
