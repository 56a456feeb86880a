#ifndef LUNA_SHAPE_CENSUS_H
#define LUNA_SHAPE_CENSUS_H

#include "luna/shape_graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What is known of the results of an operator, the least known one.
typedef enum LunaShapeState {
  LUNA_SHAPES_CONSTANT, ///< all extents
  LUNA_SHAPES_MIXED,    ///< expressions over the open sizes of arguments
  LUNA_SHAPES_UNKNOWN,  ///< also over sizes known while running only
  LUNA_SHAPES_STATES,
} LunaShapeState;

/// Operators with tensors as results, and subgraphs: as many of one state as
/// hang together by the values that they forward.
typedef struct LunaShapeCensus {
  uint32_t operators[LUNA_SHAPES_STATES], subgraphs[LUNA_SHAPES_STATES];
} LunaShapeCensus;

/// Counts the operators of a solved graph.
LunaShapeCensus luna_shape_census(LunaShapeGraph *graph);

#ifdef __cplusplus
}
#endif

#endif // LUNA_SHAPE_CENSUS_H
