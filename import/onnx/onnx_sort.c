// The nodes of a graph in an order in which each follows those it needs: files
// may have them in any. What is in such an order stays as it is.

#include "onnx_graph.h"

#include "luna/map.h"

// A value that a node takes, also inside its subgraphs, of another node.
typedef struct Need {
  const char *name;
  size_t from;
} Need;

typedef enum Progress { WAITING, OPEN, PLACED } Progress;

typedef struct Node {
  Onnx__NodeProto *proto;
  LUNA_VECTOR(Need) needs;
  uint64_t looked_at; ///< so many of `needs`
  Progress progress;
} Node;

// The graph that is being sorted. Those around it are at the node of it.
typedef struct Graph {
  struct Graph *outer;
  LunaMap names;              ///< of all values
  LUNA_VECTOR(size_t) makers; ///< of each the node, or GIVEN
  Node *nodes;
  size_t at;
  size_t *open, open_count; ///< each is needed by the one before
  Onnx__NodeProto **sorted;
  size_t sorted_count;
} Graph;

#define GIVEN SIZE_MAX

enum { CYCLE_SHOWN = 4 };

static bool sort(LunaOnnxImport *c, Graph *outer, Onnx__GraphProto *proto);

static void add_name(LunaOnnxImport *c, Graph *graph, const char *name,
                     size_t maker) {
  if (!name || !name[0])
    return;
  uint32_t index = luna_map_add(&graph->names, c->arena, luna_map_text(name));
  if (index == graph->makers.count)
    *LUNA_VECTOR_ADD(c->arena, &graph->makers) = maker;
}

static void add_names(LunaOnnxImport *c, Graph *graph,
                      const Onnx__GraphProto *proto) {
  for (size_t i = 0; i < proto->n_input; ++i)
    add_name(c, graph, proto->input[i]->name, GIVEN);
  for (size_t i = 0; i < proto->n_initializer; ++i)
    add_name(c, graph, proto->initializer[i]->name, GIVEN);
  for (size_t i = 0; i < proto->n_node; ++i)
    for (size_t k = 0; k < proto->node[i]->n_output; ++k)
      add_name(c, graph, proto->node[i]->output[k], i);
}

// Notes that the node, in `graph` or in one around it, needs who makes `name`.
static void add_need(LunaOnnxImport *c, Graph *graph, const char *name) {
  for (; graph; graph = graph->outer) {
    uint32_t index = luna_map_find(&graph->names, luna_map_text(name));
    if (index == LUNA_MAP_ABSENT)
      continue;
    size_t maker = graph->makers.items[index];
    if (maker != GIVEN)
      *LUNA_VECTOR_ADD(c->arena, &graph->nodes[graph->at].needs) =
          (Need){name, maker};
    return;
  }
}

static bool has_name(const Graph *graph, const char *name) {
  return luna_map_find(&graph->names, luna_map_text(name)) != LUNA_MAP_ABSENT;
}

static bool add_needs(LunaOnnxImport *c, Graph *graph) {
  const Onnx__NodeProto *proto = graph->nodes[graph->at].proto;
  for (size_t i = 0; i < proto->n_input; ++i)
    add_need(c, graph, proto->input[i]);
  for (size_t i = 0; i < proto->n_attribute; ++i)
    if (proto->attribute[i]->g && !sort(c, graph, proto->attribute[i]->g))
      return false;
  return true;
}

// Fails for the open nodes from `first` on: the last needs the first.
static bool fail_cycle(LunaOnnxImport *c, const Graph *graph, size_t first) {
  const char *text = "";
  size_t end = first + CYCLE_SHOWN;
  for (size_t i = first; i < graph->open_count && i < end; ++i) {
    const Node *node = &graph->nodes[graph->open[i]];
    const Need *need = &node->needs.items[node->looked_at - 1];
    text =
        luna_arena_printf(c->arena, "%s%s'%.40s' of '%.40s'", text,
                          i > first ? ", which takes " : "", need->name,
                          luna_onnx_node_name(graph->nodes[need->from].proto));
  }
  c->node = graph->nodes[graph->open[first]].proto;
  return luna_onnx_fail(c, "is in a cycle: takes %s%s", text,
                        graph->open_count > end ? ", ..." : "");
}

static void open_node(Graph *graph, size_t index) {
  if (graph->nodes[index].progress != WAITING)
    return;
  graph->nodes[index].progress = OPEN;
  graph->open[graph->open_count++] = index;
}

// Places what the open nodes need, and then these.
static bool place_open(LunaOnnxImport *c, Graph *graph) {
  while (graph->open_count > 0) {
    Node *node = &graph->nodes[graph->open[graph->open_count - 1]];
    if (node->looked_at == node->needs.count) {
      node->progress = PLACED;
      graph->sorted[graph->sorted_count++] = node->proto;
      --graph->open_count;
      continue;
    }
    size_t from = node->needs.items[node->looked_at++].from, first = 0;
    if (graph->nodes[from].progress == OPEN) {
      while (graph->open[first] != from)
        ++first;
      return fail_cycle(c, graph, first);
    }
    open_node(graph, from);
  }
  return true;
}

// Sorts a graph, after those in it.
static bool sort(LunaOnnxImport *c, Graph *outer, Onnx__GraphProto *proto) {
  size_t count = proto->n_node;
  Graph graph = {.outer = outer,
                 .nodes = LUNA_ARENA_ARRAY(c->arena, Node, count),
                 .open = LUNA_ARENA_ARRAY(c->arena, size_t, count),
                 .sorted =
                     LUNA_ARENA_ARRAY(c->arena, Onnx__NodeProto *, count)};
  add_names(c, &graph, proto);
  for (; graph.at < count; ++graph.at) {
    graph.nodes[graph.at].proto = proto->node[graph.at];
    if (!add_needs(c, &graph))
      return false;
  }
  for (size_t i = 0; i < proto->n_output; ++i)
    if (proto->output[i]->name && !has_name(&graph, proto->output[i]->name))
      add_need(c, outer, proto->output[i]->name);
  for (size_t i = 0; i < count; ++i) {
    open_node(&graph, i);
    if (!place_open(c, &graph))
      return false;
  }
  for (size_t i = 0; i < count; ++i)
    proto->node[i] = graph.sorted[i];
  return true;
}

bool luna_onnx_sort(LunaOnnxImport *c) {
  return sort(c, NULL, c->model->graph);
}
