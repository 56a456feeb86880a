#ifndef LUNA_BORDER_LINES_H
#define LUNA_BORDER_LINES_H

// The borders of a tile as the core adds their constants (luna/border.h), plane
// by plane: those that lie in one row are one line, and so are the first and
// the last column, where the sums of both lie side by side.

#include "luna/launch_record.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Sums of a tile to which constants are added: rows, of which the first and
/// the last sum may have other constants than those between; or, if these two
/// differ and there is more than one row, the first and the last column.
typedef struct LunaBorderLine {
  int32_t first[2], count[2]; ///< rows and columns of the tile
  int32_t lead, middle, tail; ///< the constants of channel 0, in the bias
} LunaBorderLine;

/// Returns a line without sums, to which nothing can be joined.
static inline LunaBorderLine luna_border_no_line(void) {
  const LunaBorderLine none = {{-1, -1}, {0, 0}, 0, 0, 0};
  return none;
}

/// Returns true if a line is the first and the last column of its tile.
static inline int luna_border_is_sides(const LunaBorderLine *line) {
  return line->count[0] > 1 && line->lead != line->tail;
}

/// Joins the border `next` to a line of a tile with rows of `width`. Returns 0
/// if the two are not one line.
static inline int luna_border_join(LunaBorderLine *line,
                                   const LunaBorderLine *next, int32_t width) {
  int32_t columns = line->count[1], added = next->count[1];
  int32_t step = next->first[1] - line->first[1];
  if (next->first[0] != line->first[0])
    return 0;
  if (line->count[0] > 1) {
    if (columns != 1 || added != 1 || step + 1 != width)
      return 0;
  } else {
    if (step != columns)
      return 0;
    if (columns == 1)
      line->middle = next->middle;
    else if (added != 1 || line->middle != line->tail)
      return 0;
  }
  line->count[1] = columns + added;
  line->tail = next->tail;
  return 1;
}

#ifdef __cplusplus
}
#endif

#endif // LUNA_BORDER_LINES_H
