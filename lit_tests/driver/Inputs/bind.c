// Prints what the function that chooses a version says.

#include <stdint.h>
#include <stdio.h>

int32_t luna_model_grid_bind(const int32_t *dims, int32_t *output_dims);

int main(void) {
  static const int32_t asked[][4] = {
      {1, 2, 8, 8},  {1, 2, 8, 12}, {1, 2, 12, 8}, {1, 2, 12, 12},
      {1, 2, 6, 16}, {1, 2, 8, 16}, {1, 2, 8, 10}, {1, 2, 12, 4},
      {2, 1, 8, 8},  {1, 2, 0, 8},  {1, 2, -1, 8}, {1, 2, 8, INT32_MAX},
      {1, 2, 8, 8},
  };
  for (unsigned i = 0; i < sizeof asked / sizeof *asked; ++i) {
    int32_t dims[4] = {7, 7, 7, 7};
    int version = luna_model_grid_bind(asked[i], dims);
    printf("%d %d %d %d: %d, %d %d %d %d\n", asked[i][0], asked[i][1],
           asked[i][2], asked[i][3], version, dims[0], dims[1], dims[2],
           dims[3]);
  }
  return 0;
}
