#include "luna-c/ir.h"

MlirStringRef luna_given_name(MlirOperation op) {
  MlirLocation location = mlirOperationGetLocation(op);
  return mlirLocationIsAName(location)
             ? mlirIdentifierStr(mlirLocationNameGetName(location))
             : mlirStringRefCreate(NULL, 0);
}

MlirStringRef luna_given_name_or_kind(MlirOperation op) {
  MlirStringRef name = luna_given_name(op);
  return name.data ? name : mlirIdentifierStr(mlirOperationGetName(op));
}
