#include "diagnostics.h"

#include <stdio.h>
#include <string.h>

#include "mlir-c/Diagnostics.h"
#include "progress.h"

// Returns the file location of a location, or a null location, and the first
// name on the way to it, or a null name.
static MlirLocation file_location(MlirLocation location, MlirIdentifier *name) {
  *name = (MlirIdentifier){NULL};
  for (int depth = 0; depth < 16; ++depth) {
    if (mlirLocationIsAFileLineColRange(location))
      return location;
    if (mlirLocationIsAName(location)) {
      if (!name->ptr)
        *name = mlirLocationNameGetName(location);
      location = mlirLocationNameGetChildLoc(location);
    } else if (mlirLocationIsACallSite(location)) {
      location = mlirLocationCallSiteGetCallee(location);
    } else if (mlirLocationIsAFused(location) &&
               mlirLocationFusedGetNumLocations(location) == 1) {
      mlirLocationFusedGetLocations(location, &location);
    } else {
      break;
    }
  }
  return (MlirLocation){NULL};
}

// What is imported has no lines but names.
static void append_location(LunaText *text, MlirLocation location) {
  MlirIdentifier name;
  location = file_location(location, &name);
  if (mlirLocationIsNull(location))
    return;
  MlirStringRef file =
      mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(location));
  int line = mlirLocationFileLineColRangeGetStartLine(location);
  luna_text_printf(text, "%.*s:", (int)file.length, file.data);
  if (line > 0)
    luna_text_printf(text, "%d:%d:", line,
                     mlirLocationFileLineColRangeGetStartColumn(location));
  else if (name.ptr)
    luna_text_printf(text, " '%.*s':", (int)mlirIdentifierStr(name).length,
                     mlirIdentifierStr(name).data);
  luna_text_printf(text, " ");
}

static const char *severity_name(MlirDiagnosticSeverity severity) {
  switch (severity) {
  case MlirDiagnosticError:
    return "error";
  case MlirDiagnosticWarning:
    return "warning";
  case MlirDiagnosticNote:
    return "note";
  case MlirDiagnosticRemark:
    return "remark";
  }
  return "error";
}

static void append_text(MlirStringRef text, void *data) {
  luna_text_append(data, text.data, text.length);
}

static void append_diagnostic(LunaText *text, MlirDiagnostic diagnostic) {
  append_location(text, mlirDiagnosticGetLocation(diagnostic));
  luna_text_printf(
      text, "%s: ", severity_name(mlirDiagnosticGetSeverity(diagnostic)));
  mlirDiagnosticPrint(diagnostic, append_text, text);
  luna_text_printf(text, "\n");
}

static void append_with_notes(LunaText *text, MlirDiagnostic diagnostic) {
  append_diagnostic(text, diagnostic);
  for (intptr_t i = 0; i < mlirDiagnosticGetNumNotes(diagnostic); ++i) {
    size_t start = text->length;
    append_diagnostic(text, mlirDiagnosticGetNote(diagnostic, i));
    // MLIR prints the whole operation, which may be the whole model.
    if (strstr(text->data + start, "see current operation"))
      text->data[text->length = start] = 0;
  }
}

static void print_words(LunacSession *session, size_t start) {
  luna_progress_end(session);
  fputs(session->words.data + start, stderr);
}

static MlirLogicalResult print(MlirDiagnostic diagnostic, void *data) {
  LunacSession *session = data;
  if (!session->is_quiet) {
    size_t start = session->words.length;
    append_with_notes(&session->words, diagnostic);
    print_words(session, start);
  }
  if (mlirDiagnosticGetSeverity(diagnostic) == MlirDiagnosticError)
    session->has_diagnosed = true;
  return mlirLogicalResultSuccess();
}

void luna_diagnostics_attach(LunacSession *session) {
  mlirContextAttachDiagnosticHandler(session->context, print, session, NULL);
}

void luna_say(LunacSession *session, const char *words) {
  size_t start = session->words.length;
  luna_text_printf(&session->words, "%s", words);
  print_words(session, start);
}

void luna_note(LunacSession *session, const char *message) {
  luna_say(session,
           luna_arena_printf(session->arena, "lunac: note: %s\n", message));
}

void luna_diagnose(LunacSession *session, const char *message) {
  session->has_diagnosed = true;
  if (!session->is_quiet)
    luna_say(session,
             luna_arena_printf(session->arena, "lunac: error: %s\n", message));
}
