// Graphs as text: a line of numbers for each operator.

#include "luna/checked.h"
#include "luna/order.h"
#include "order_graph.h"

typedef struct Reader {
  const char *at, *end, *file_name;
  uint32_t line;
  LunaError *error;
} Reader;

static bool fail(const Reader *reader, const char *message) {
  return luna_error_set(reader->error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                        "%s:%u: %s", reader->file_name, reader->line, message);
}

static bool read_number(Reader *reader, int64_t *number) {
  while (reader->at < reader->end && *reader->at == ' ')
    ++reader->at;
  const char *first = reader->at;
  for (*number = 0;
       reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9';
       ++reader->at)
    if (!luna_checked_mul(*number, 10, number) ||
        !luna_checked_add(*number, *reader->at - '0', number))
      return fail(reader, "found a number of 2^63 or more");
  return reader->at > first || fail(reader, "found no number");
}

static bool end_line(Reader *reader) {
  while (reader->at < reader->end &&
         (*reader->at == ' ' || *reader->at == '\r'))
    ++reader->at;
  if (reader->at < reader->end && *reader->at != '\n')
    return fail(reader, "found more than the line says it has");
  reader->at += reader->at < reader->end;
  ++reader->line;
  return true;
}

static bool read_operator(Reader *reader, LunaOrderGraph *graph,
                          uint32_t index) {
  int64_t bytes = 0, count = 0, read = 0;
  if (!read_number(reader, &bytes) || !read_number(reader, &count))
    return false;
  luna_order_add_operator(graph, 0);
  luna_order_add_value(graph, bytes, index);
  for (int64_t i = 0; i < count; ++i) {
    if (!read_number(reader, &read))
      return false;
    if (read >= index)
      return fail(reader, "found an operator that is not before the reader");
    luna_order_read(graph, index, (uint32_t)read);
  }
  return end_line(reader);
}

static bool read_graph(Reader *reader, LunaOrderGraph *graph) {
  int64_t count = 0;
  if (!read_number(reader, &count) || !end_line(reader))
    return false;
  for (int64_t i = 0; i < count; ++i)
    if (!read_operator(reader, graph, (uint32_t)i))
      return false;
  return reader->at == reader->end ||
         fail(reader, "found more operators than the first line says");
}

typedef struct Call {
  Reader reader;
  LunaArena *arena;
  LunaOrderGraph **graph;
} Call;

static bool call(void *context, LunaError *error) {
  Call *self = context;
  self->reader.error = error;
  *self->graph = luna_order_create(self->arena);
  return read_graph(&self->reader, *self->graph);
}

bool luna_order_read_text(const char *bytes, size_t length,
                          const char *file_name, LunaArena *arena,
                          LunaOrderGraph **graph, LunaError *error) {
  Call self = {{bytes, bytes + length, file_name, 1, NULL}, arena, graph};
  return luna_arena_guard(arena, NULL, "a graph was read", call, &self, error);
}
