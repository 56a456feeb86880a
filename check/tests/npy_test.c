#include "luna/npy.h"

#include <string.h>

#include "check.h"
#include "luna/runtime.h"

static bool read_text(const char *header, const char *data, LunaNpy *npy,
                      LunaError *error) {
  static uint8_t bytes[256];
  size_t header_length = strlen(header), data_length = strlen(data);
  memcpy(bytes, "\x93NUMPY\1\0", 8);
  bytes[8] = (uint8_t)header_length;
  bytes[9] = 0;
  memcpy(bytes + 10, header, header_length);
  memcpy(bytes + 10 + header_length, data, data_length);
  return luna_npy_read(bytes, 10 + header_length + data_length, npy, error);
}

static void reads_what_numpy_writes(void) {
  LunaNpy npy;
  LunaError error = {0};
  CHECK(read_text("{'descr': '<i2', 'fortran_order': False, 'shape': (1, 2), }"
                  "\n",
                  "abcd", &npy, &error));
  CHECK(npy.type == LUNA_TYPE_I16 && npy.rank == 2);
  CHECK(npy.dims[0] == 1 && npy.dims[1] == 2 && npy.bytes == 4);
  CHECK(memcmp(npy.data, "abcd", 4) == 0);
}

static void reads_scalars_and_vectors(void) {
  LunaNpy npy;
  LunaError error = {0};
  CHECK(read_text("{'descr': '|b1', 'fortran_order': False, 'shape': (), }",
                  "x", &npy, &error));
  CHECK(npy.rank == 0 && npy.bytes == 1 && npy.type == LUNA_TYPE_I1);
  CHECK(read_text("{'shape': (3,), 'fortran_order': True, 'descr': '|i1'}",
                  "xyz", &npy, &error));
  CHECK(npy.rank == 1 && npy.dims[0] == 3);
}

static void refuses(const char *header, const char *data, const char *message) {
  LunaNpy npy;
  LunaError error = {0};
  CHECK(!read_text(header, data, &npy, &error));
  CHECK(error.code == LUNA_ERROR_INPUT);
  CHECK(strstr(error.message, message) != NULL);
}

static void refuses_what_it_cannot_read(void) {
  refuses("{'descr': '>i2', 'fortran_order': False, 'shape': (1,), }", "ab",
          "has element type '>i2', read are bool");
  refuses("{'descr': '|i1', 'fortran_order': True, 'shape': (1, 2), }", "ab",
          "Fortran order");
  refuses("{'descr': '|i1', 'fortran_order': False, 'shape': (3,), }", "ab",
          "holds 2 bytes of data, its shape needs 3");
  refuses("{'descr': '|i1', 'fortran_order': False, 'shape': (a,), }", "ab",
          "malformed shape");
  refuses("{'descr': '|i1', 'fortran_order': False, 'shape': (1", "ab",
          "malformed shape");
  refuses("{'descr': '|i1', 'fortran_order': False}", "ab", "no shape");
  refuses("{'descr': '|i1', 'fortran_order': False, 'shape': "
          "(9999999999, 9999999999), }",
          "ab", "too large");
  LunaNpy npy;
  LunaError error = {0};
  CHECK(!luna_npy_read((const uint8_t *)"hello, world", 12, &npy, &error));
  CHECK(strcmp(error.message, "is not a .npy file") == 0);
  CHECK(!luna_npy_read((const uint8_t *)"\x93NUMPY\1\0\xff\xff", 10, &npy,
                       &error));
  CHECK(strcmp(error.message, "is cut off in its header") == 0);
}

static void writes_what_it_reads(void) {
  const int64_t dims[] = {2, 1, 2};
  LunaText text = {0};
  LunaNpy npy;
  LunaError error = {0};
  luna_npy_write(&text, LUNA_TYPE_I32, true, 3, dims, "0123456789abcdef", 16);
  CHECK((text.length - 16) % 64 == 0);
  CHECK(luna_npy_read((const uint8_t *)text.data, text.length, &npy, &error));
  CHECK(npy.type == LUNA_TYPE_I32 && npy.is_unsigned);
  CHECK(npy.rank == 3 && npy.dims[2] == 2);
  CHECK(memcmp(npy.data, "0123456789abcdef", 16) == 0);
  luna_text_deinit(&text);
}

int main(void) {
  RUN_TEST(reads_what_numpy_writes);
  RUN_TEST(reads_scalars_and_vectors);
  RUN_TEST(refuses_what_it_cannot_read);
  RUN_TEST(writes_what_it_reads);
  return 0;
}
