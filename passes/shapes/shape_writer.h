#ifndef LUNA_SHAPE_WRITER_H
#define LUNA_SHAPE_WRITER_H

#include "shape_reader.h"

/// Writes what was found back into the function: constants into types and as
/// constants, the rest as attributes of operators. A function that is called
/// (`is_called`) keeps its type.
void luna_shape_write(LunaShapeReader *reader, MlirOperation func,
                      bool is_called);

#endif // LUNA_SHAPE_WRITER_H
