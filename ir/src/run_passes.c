#include "luna-c/run_passes.h"

#include "luna/text.h"
#include "mlir-c/Pass.h"

static void append(MlirStringRef text, void *data) {
  luna_text_append(data, text.data, text.length);
}

bool luna_run_checks(MlirModule module, const char *passes,
                     const char *otherwise, LunaError *error) {
  MlirPassManager manager = mlirPassManagerCreate(mlirModuleGetContext(module));
  // After each pass, as the tests do, it takes up to 75 % of the time again.
  mlirPassManagerEnableVerifier(manager, false);
  LunaText message = {0};
  bool is_done =
      mlirLogicalResultIsSuccess(mlirOpPassManagerAddPipeline(
          mlirPassManagerGetAsOpPassManager(manager),
          mlirStringRefCreateFromCString(passes), append, &message)) &&
      mlirLogicalResultIsSuccess(
          mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module)));
  if (!is_done)
    luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM, "%s",
                   message.length > 0 ? message.data : otherwise);
  luna_text_deinit(&message);
  mlirPassManagerDestroy(manager);
  return is_done;
}

bool luna_run_passes(MlirModule module, const char *passes,
                     const char *otherwise, LunaError *error) {
  if (!luna_run_checks(module, passes, otherwise, error))
    return false;
  if (mlirOperationVerify(mlirModuleGetOperation(module)))
    return true;
  luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM, "%s", otherwise);
  return false;
}
