"""The host costs of machine files, fitted to instructions of small kernels."""

import glob
import os
import re
import subprocess

import core_programs
from bench_util import ROOT
from core_programs import CORES, LIBRARIES, symbols

SOURCES = os.path.join(ROOT, "bench", "core_counts")

def cost_names():
    """The names of the costs in their order, from luna/host_costs.def."""
    with open(os.path.join(ROOT, "luna_target", "include", "luna",
                           "host_costs.def"), encoding="utf-8") as file:
        return re.findall(r"^LUNA_HOST_COST\(\w+, (\w+)", file.read(), re.M)


#===- Kernels of device_runtime/ --------------------------------------------===#

def signed(word):
    return word - (1 << 64) if word >> 63 else word


def build_kernels(core, folder, has_mulsh):
    """Compiles bench/core_counts/kernel*.c; returns the program."""
    prefix, _, _, _, flags = CORES[core]
    program = os.path.join(folder, "kernels")
    own = [os.path.join(ROOT, "device_runtime", "src", f"core_{name}.c")
           for name in ("eltwise", "pool", "product", "requant", "scale",
                        "table")]
    subprocess.run(
        [prefix + "gcc", *flags, "-std=gnu11", "-O2", "-Wall", "-Wextra",
         *(['-DLUNA_CORE_MULSH="mull"'] + own if has_mulsh else []),
         "-ffp-contract=off", f"-I{ROOT}/device_runtime/include", f"-I{ROOT}/base/include",
         f"-I{ROOT}/luna_target/include", f"-I{ROOT}/emulated_cores/src",
         "-nostartfiles", "-T", f"{LIBRARIES}/{core}/link.ld",
         "-Wl,--gc-sections,-z,noexecstack,--no-warn-execstack",
         "-Wl,--no-warn-rwx-segments",
         *sorted(glob.glob(os.path.join(SOURCES, "kernel*.c"))),
         f"{LIBRARIES}/{core}/libluna_run.a", "-lm", "-o", program],
        check=True)
    return program


def is_of_kernels(name, file):
    """Whether bench/core_counts/kernel*.c define the function."""
    return (file or "").startswith("kernel") or re.match(
        r"main$|luna_bench_|luna_unit_", name)


def write_kernel_ranges(core, program, path):
    """Writes the parts of the program; returns the address of the mark."""
    of_core = core_programs.functions_of_core(core)
    with open(path, "w", encoding="utf-8") as out:
        for at, size, kind, name, file in symbols(CORES[core][0], program):
            part = (core_programs.CORE
                    if name in of_core or core_programs.is_static_of_core(file)
                    else core_programs.SIMULATOR if is_of_kernels(name, file)
                    else None)
            if kind in "tT" and part:
                out.write(f"{at:x} {at + size:x} {part:x}\n")
            if name == "luna_bench_mark":
                mark = at
    return mark


def kernel_rows(core, plugin, folder, has_mulsh=False):
    """(name, how often each cost, instructions) of each kernel of
    bench/core_counts/."""
    _, emulator, options, _, _ = CORES[core]
    program = build_kernels(core, folder, has_mulsh)
    result, ranges = (os.path.join(folder, name)
                      for name in ("counts", "ranges"))
    mark = write_kernel_ranges(core, program, ranges)
    lines = subprocess.run(
        [emulator, *options, "-plugin",
         f"{plugin},mark={mark:x},ranges={ranges},out={result}", program],
        check=True, capture_output=True, text=True).stdout
    with open(result, encoding="utf-8") as file:
        marks = [int(line.split()[1]) for line in file
                 if line.startswith("mark")]
    for i, line in enumerate(lines.splitlines()):
        name, costs = line.split(":")
        once, once_end, twice, twice_end = marks[4 * i:4 * i + 4]
        yield (name, [signed(int(word)) for word in costs.split()],
               twice_end - twice - (once_end - once))


#===- Loops of programs -----------------------------------------------------===#

def chain(operation, kind, number):
    """A body: `number` times the operation, on both operands in turn."""
    lines, last = [], "%a"
    for i in range(number):
        other = "%b" if i % 2 == 0 else "%a"
        lines.append(operation.format(f"%v{i}", last, other, i, kind))
        last = f"%v{i}"
    return lines, last


# (name, type, body of a chain's step, its steps): some steps LLVM would join.
OPERATIONS = [
    ("sum", "i32", "{0} = arith.addi {1}, {2} : {4}", (1, 4)),
    ("shift", "i32",
     "%d{3} = arith.addi {1}, {2} : {4}\n"
     "{0} = arith.shrsi %d{3}, %eight : {4}", (1, 4)),
    ("product", "i32", "{0} = arith.muli {1}, {2} : {4}", (1, 4)),
    ("maximum", "i32",
     "%m{3} = arith.maxsi {1}, {2} : {4}\n"
     "{0} = arith.addi %m{3}, {2} : {4}", (1, 4)),
    ("minimum", "i8",
     "%m{3} = arith.minsi {1}, {2} : {4}\n"
     "{0} = arith.addi %m{3}, {2} : {4}", (1, 4)),
    ("comparison", "i32",
     "%c{3} = arith.cmpi sgt, {1}, {2} : {4}\n"
     "%e{3} = arith.extui %c{3} : i1 to i32\n"
     "{0} = arith.addi %e{3}, {2} : {4}", (1, 4)),
    ("wide sum", "i64", "{0} = arith.addi {1}, {2} : {4}", (1, 4)),
    ("wide shift", "i64",
     "%w{3} = arith.addi {1}, {2} : {4}\n"
     "{0} = arith.shrsi %w{3}, %c7 : {4}", (1, 4)),
    ("wide product", "i64", "{0} = arith.muli {1}, {2} : {4}", (1,)),
    ("quotient", "i32",
     "%d{3} = arith.ori {2}, %one : {4}\n"
     "{0} = arith.divsi {1}, %d{3} : {4}", (1, 4)),
    ("constant quotient", "i32",
     "%d{3} = arith.addi {1}, {2} : {4}\n"
     "{0} = arith.divsi %d{3}, %seven : {4}", (1, 4)),
    ("constant remainder", "i32",
     "%d{3} = arith.addi {1}, {2} : {4}\n"
     "{0} = arith.remsi %d{3}, %seven : {4}", (1,)),
    ("quotient by a power of two", "i32",
     "%d{3} = arith.addi {1}, {2} : {4}\n"
     "{0} = arith.divsi %d{3}, %eight : {4}", (1, 4)),
    ("float sum", "f32", "{0} = arith.addf {1}, {2} : {4}", (1, 4)),
    ("float difference", "f32", "{0} = arith.subf {1}, {2} : {4}", (1, 4)),
    ("float product", "f32", "{0} = arith.mulf {1}, {2} : {4}", (1, 4)),
    ("float quotient", "f32", "{0} = arith.divf {1}, {2} : {4}", (1, 4)),
    ("float maximum", "f32", "{0} = arith.maximumf {1}, {2} : {4}", (1,)),
    ("float range", "f32",
     "%m{3} = arith.maximumf {1}, %low : {4}\n"
     "{0} = arith.minimumf %m{3}, %high : {4}", (1,)),
    ("float comparison", "f32",
     "%c{3} = arith.cmpf ogt, {1}, {2} : {4}\n"
     "{0} = arith.select %c{3}, {1}, {2} : {4}", (1,)),
    ("rounding", "f32", "{0} = math.roundeven {1} : {4}", (1,)),
    ("conversion", "f32",
     "%i{3} = arith.fptosi {1} : f32 to i32\n"
     "{0} = arith.sitofp %i{3} : i32 to f32", (1,)),
    ("exponential", "f32",
     "%m{3} = math.absf {1} : f32\n"
     "%n{3} = arith.negf %m{3} : f32\n"
     "{0} = math.exp %n{3} : f32", (1, 4)),
    ("hyperbolic tangent", "f32", "{0} = math.tanh {1} : f32", (1,)),
    ("logarithm", "f32",
     "%m{3} = math.absf {1} : f32\n"
     "{0} = math.log %m{3} : f32", (1,)),
    ("power", "f32",
     "%m{3} = math.absf {1} : f32\n"
     "{0} = math.powf %m{3}, {2} : f32", (1,)),
    *((name, "f32", f"{{0}} = math.{function} {{1}} : f32", (1,))
      for name, function in (
          ("sine", "sin"), ("cosine", "cos"), ("slope", "tan"),
          ("arc of a sine", "asin"), ("arc of a cosine", "acos"),
          ("arc of a slope", "atan"), ("hyperbolic sine", "sinh"),
          ("hyperbolic cosine", "cosh"), ("area", "asinh"),
          ("area of a tangent", "atanh"))),
    ("double sum", "f64", "{0} = arith.addf {1}, {2} : {4}", (1, 4)),
    ("double difference", "f64", "{0} = arith.subf {1}, {2} : {4}", (1, 4)),
    ("double product", "f64", "{0} = arith.mulf {1}, {2} : {4}", (1, 4)),
    ("double quotient", "f64", "{0} = arith.divf {1}, {2} : {4}", (1, 4)),
    ("double root", "f64",
     "%m{3} = math.absf {1} : f64\n"
     "{0} = math.sqrt %m{3} : f64", (1,)),
    ("double comparison", "f64",
     "%c{3} = arith.cmpf ogt, {1}, {2} : {4}\n"
     "{0} = arith.select %c{3}, {1}, {2} : {4}", (1,)),
    ("double and integer", "f64",
     "%i{3} = arith.fptosi {1} : f64 to i32\n"
     "{0} = arith.sitofp %i{3} : i32 to f64", (1,)),
    ("double and float", "f64",
     "%i{3} = arith.truncf {1} : f64 to f32\n"
     "{0} = arith.extf %i{3} : f32 to f64", (1,)),
]
SHAPES = ["64", "256", "16x8", "4x4x16"]


class Loops:
    """A function of linalg operators, each with a result of its own."""

    def __init__(self):
        self.arguments, self.body, self.results = {}, [], []
        self.constants = {}

    def argument(self, shape, kind):
        """The names of three tensors."""
        names = []
        for letter in "abc":
            name = f"%{letter}_{kind}_{shape}"
            self.arguments[name] = f"tensor<{shape}x{kind}>"
            names.append(name)
        return names

    def add(self, label, inputs, output, maps, iterators, body, init=None):
        """An operator; `inputs` are names, `body` has %a, %b, … and %out, which
        is `init`."""
        number = len(self.results)
        kinds = [self.arguments[name] for name in inputs]
        elements = [kind[:-1].split("x")[-1] for kind in [*kinds, output]]
        names = [f"%{letter}" for letter in "abc"[:len(inputs)]] + ["%out"]
        self.body += [
            f"%t{number} = tensor.empty() : {output}",
            f"%o{number} = linalg.generic {{indexing_maps = [" +
            ", ".join(f"affine_map<{text}>" for text in maps) +
            "], iterator_types = [" +
            ", ".join(f'"{text}"' for text in iterators) + "]} ins(" +
            ", ".join(inputs) + " : " + ", ".join(kinds) +
            f") outs({init or f'%t{number}'} : {output}) {{",
            "^bb0(" + ", ".join(f"{name}: {kind}" for name, kind in
                                zip(names, elements)) + "):",
            *body, f'}} -> {output} loc("{label}")']
        self.results.append((f"%o{number}", output))

    def add_fill(self, shape, kind):
        """One whose byte or number only the running program knows."""
        number = len(self.results)
        output = f"tensor<{shape}x{kind}>"
        name = self.argument("1", kind)[0]
        self.body += [
            f"%x{number} = tensor.extract {name}[%first] : "
            f"{self.arguments[name]}",
            f"%t{number} = tensor.empty() : {output}",
            f"%o{number} = linalg.fill ins(%x{number} : {kind}) outs("
            f'%t{number} : {output}) -> {output} loc("fill of {shape}, {kind}")']
        self.results.append((f"%o{number}", output))

    def add_maximum(self, rows, channels):
        """A pool that the unit computes alone."""
        number = len(self.results)
        data = f"tensor<1x{rows}x8x{channels}xi8>"
        name = self.argument(f"1x{rows}x8x{channels}", "i8")[0]
        output = f"tensor<1x{rows // 2}x4x{channels}xi8>"
        self.body += [
            f"%o{number} = tosa.max_pool2d {name} {{kernel = array<i64: 2, 2>, "
            "pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : ("
            f'{data}) -> {output} loc("maxima of {rows} x 8 x {channels}")']
        self.results.append((f"%o{number}", output))

    def constant(self, name, kind, value):
        self.constants[name] = (f'{name} = "tosa.const"() <{{values = '
                                f"dense<{value}> : {kind}}}> : () -> {kind}")
        return name

    def add_convolution(self, rows, channels):
        """One that the unit requantises."""
        number = len(self.results)
        data = self.argument(f"1x{rows}x8x8", "i8")[0]
        inner = f"tensor<{channels}x1x1x8xi8>"
        zero = self.constant("%z8", "tensor<1xi8>", 0)
        result = f"tensor<1x{rows}x8x{channels}x"
        constants = [
            self.constant(f"%w{channels}", inner, 1),
            self.constant(f"%b{channels}", f"tensor<{channels}xi32>", 1),
            zero, zero]
        scales = [self.constant("%m", "tensor<1xi32>", 1 << 30),
                  self.constant("%n", "tensor<1xi8>", 38),
                  self.constant("%z32", "tensor<1xi32>", 0), zero]
        label = f'loc("convolution, {rows} x 8 x {channels}")'
        self.body += [
            f"%s{number} = tosa.conv2d {data}, {', '.join(constants)} "
            "{acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64:"
            " 1, 1>, dilation = array<i64: 1, 1>} : ("
            f"{self.arguments[data]}, {inner}, tensor<{channels}xi32>, "
            f"tensor<1xi8>, tensor<1xi8>) -> {result}i32> {label}",
            f"%o{number} = tosa.rescale %s{number}, {', '.join(scales)} "
            "{scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = "
            "false, input_unsigned = false, output_unsigned = false} : ("
            f"{result}i32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, "
            f"tensor<1xi8>) -> {result}i8> {label}"]
        self.results.append((f"%o{number}", result + "i8>"))

    def text(self):
        kinds = ", ".join(kind for _, kind in self.results)
        return ("func.func @loops(" +
                ", ".join(f"{name}: {kind}" for name, kind in
                          self.arguments.items()) + f") -> ({kinds}) {{\n"
                "%one = arith.constant 1 : i32\n" +
                "\n".join(self.constants.values()) + "\n"
                "%first = arith.constant 0 : index\n"
                "%seven = arith.constant 7 : i32\n"
                "%eight = arith.constant 8 : i32\n"
                "%low = arith.constant 0.0 : f32\n"
                "%high = arith.constant 6.0 : f32\n"
                "%c7 = arith.constant 7 : i64\n"
                "%c31 = arith.constant 31 : i64\n" + "\n".join(self.body) +
                "\nreturn " + ", ".join(name for name, _ in self.results) +
                f" : {kinds}\n}}\n")


def add_chains(loops, shape):
    """Each operation, once and four times."""
    rank = shape.count("x") + 1
    dims = "(" + ", ".join(f"d{i}" for i in range(rank)) + ")"
    for name, kind, operation, numbers in OPERATIONS:
        stored = "i32" if kind == "i64" else kind
        for number in numbers:
            lines, last = chain(operation, kind, number)
            if kind == "i64":
                lines = ["%wa = arith.extsi %a : i32 to i64",
                         "%wb = arith.extsi %b : i32 to i64",
                         *(re.sub(r"%([ab])\b", r"%w\1", line)
                           for line in lines),
                         f"%h = arith.shrsi {last}, %c31 : i64",
                         "%r = arith.trunci %h : i64 to i32"]
                last = "%r"
            loops.add(f"{name}, {number} on {shape}",
                      loops.argument(shape, stored)[:2],
                      f"tensor<{shape}x{stored}>", [f"{dims} -> {dims}"] * 3,
                      ["parallel"] * rank, lines +
                      [f"linalg.yield {last} : {stored}"])


def add_accesses(loops, shape, kind):
    """One to three operands, a row that is repeated, a sum along rows, a
    transposition."""
    add = "arith.addf" if kind == "f32" else "arith.addi"
    rank = shape.count("x") + 1
    dims = ", ".join(f"d{i}" for i in range(rank))
    tensor = f"tensor<{shape}x{kind}>"
    same = f"({dims}) -> ({dims})"
    names = loops.argument(shape, kind)
    bodies = {1: [f"%s = {add} %a, %a : {kind}"],
              2: [f"%s = {add} %a, %b : {kind}"],
              3: [f"%u = {add} %a, %b : {kind}", f"%s = {add} %u, %c : {kind}"]}
    for number, body in bodies.items():
        loops.add(f"{number} operands of {kind} on {shape}", names[:number],
                  tensor, [same] * (number + 1), ["parallel"] * rank,
                  body + [f"linalg.yield %s : {kind}"])
    if rank != 2:
        return
    rows, columns = shape.split("x")
    row = loops.argument(columns, kind)[0]
    loops.add(f"row repeated, {kind} on {shape}", [names[0], row], tensor,
              [same, "(d0, d1) -> (d1)", same], ["parallel"] * 2,
              bodies[2] + [f"linalg.yield %s : {kind}"])
    loops.add(f"sum of rows, {kind} on {shape}", [names[0]],
              f"tensor<{rows}x{kind}>", [same, "(d0, d1) -> (d0)"],
              ["parallel", "reduction"],
              [f"%s = {add} %a, %out : {kind}", f"linalg.yield %s : {kind}"],
              loops.argument(rows, kind)[0])
    loops.add(f"transposition, {kind} on {shape}", [names[0]],
              f"tensor<{columns}x{rows}x{kind}>",
              ["(d0, d1) -> (d1, d0)", same], ["parallel"] * 2,
              [f"linalg.yield %a : {kind}"])


def add_products(loops, rows, columns, depth, kind):
    """A matrix product, and a window that slides over a row; sums of int8
    have 32 bits."""
    product, add = (("arith.mulf", "arith.addf") if kind == "f32" else
                    ("arith.muli", "arith.addi"))
    total, body, left, right = kind, [], "%a", "%b"
    if kind == "i8":
        total, left, right = "i32", "%x", "%y"
        body = ["%x = arith.extsi %a : i8 to i32",
                "%y = arith.extsi %b : i8 to i32"]
    body += [f"%p = {product} {left}, {right} : {total}",
             f"%s = {add} %p, %out : {total}", f"linalg.yield %s : {total}"]
    left = loops.argument(f"{rows}x{depth}", kind)[0]
    right = loops.argument(f"{depth}x{columns}", kind)[0]
    start = loops.argument(f"{rows}x{columns}", total)[0]
    loops.add(f"{rows}x{depth} by {depth}x{columns}, {kind}", [left, right],
              f"tensor<{rows}x{columns}x{total}>",
              ["(d0, d1, d2) -> (d0, d2)", "(d0, d1, d2) -> (d2, d1)",
               "(d0, d1, d2) -> (d0, d1)"],
              ["parallel", "parallel", "reduction"], body, start)
    data = loops.argument(f"{rows}x{columns + depth - 1}", kind)[0]
    loops.add(f"windows of {depth} on {rows}x{columns}, {kind}",
              [data, loops.argument(f"{rows}x{depth}", kind)[0]],
              f"tensor<{rows}x{columns}x{total}>",
              ["(d0, d1, d2) -> (d0, d1 + d2)", "(d0, d1, d2) -> (d0, d2)",
               "(d0, d1, d2) -> (d0, d1)"],
              ["parallel", "parallel", "reduction"], body, start)


def loops_module():
    """A module of small operators that the program computes."""
    loops = Loops()
    for shape in SHAPES:
        add_chains(loops, shape)
    for shape in SHAPES + ["2x32", "32x2"]:
        for kind in ("i8", "i32", "f32"):
            add_accesses(loops, shape, kind)
    for shape in ("1", "2"):
        for kind in ("i8", "i32"):
            add_accesses(loops, shape, kind)
    for rows, columns, depth in ((4, 4, 32), (4, 16, 3), (4, 4, 8), (3, 5, 40)):
        for kind in ("i8", "i32", "f32"):
            add_products(loops, rows, columns, depth, kind)
    for shape in ("32x16", "1024"):
        for kind in ("i8", "i32"):
            loops.add_fill(shape, kind)
    for rows, channels in ((2, 8), (4, 16), (8, 16)):
        loops.add_maximum(rows, channels)
    for rows, channels in ((1, 8), (8, 8), (8, 16), (4, 32)):
        loops.add_convolution(rows, channels)
    return loops.text()


def products_module(rows, columns, depth):
    """A module of a product of int8 matrices that the program computes."""
    loops = Loops()
    loops.add("product", [loops.argument(f"{rows}x{depth}", "i8")[0],
                          loops.argument(f"{columns}x{depth}", "i8")[1]],
              f"tensor<{rows}x{columns}xi32>",
              ["(d0, d1, d2) -> (d0, d2)", "(d0, d1, d2) -> (d1, d2)",
               "(d0, d1, d2) -> (d0, d1)"],
              ["parallel", "parallel", "reduction"],
              ["%x = arith.extsi %a : i8 to i32",
               "%y = arith.extsi %b : i8 to i32", "%p = arith.muli %x, %y : i32",
               "%s = arith.addi %p, %out : i32", "linalg.yield %s : i32"],
              loops.argument(f"{rows}x{columns}", "i32")[2])
    return loops.text()


def product_cost(core, plugin, folder, depth):
    """Instructions of a product of two int8 numbers in a row of `depth`, and
    what the machine file takes it for."""
    model, rows, columns = os.path.join(folder, "products.mlir"), 16, 15
    with open(model, "w", encoding="utf-8") as file:
        file.write(products_module(rows, columns, depth))
    ops = core_programs.run(core, model, plugin, folder,
                            machine_as_run(core, folder))
    op = max(ops, key=lambda op: op.program)
    number = rows * columns * depth
    return (op.program + op.core) / number, op.cycles / number


#===- Least squares ---------------------------------------------------------===#

def solve(matrix, right):
    """Solves symmetric equations; unknowns that nothing determines are 0."""
    size = len(right)
    rows = [list(matrix[i]) + [right[i]] for i in range(size)]
    for i in range(size):
        pivot = max(range(i, size), key=lambda k: abs(rows[k][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        if abs(rows[i][i]) < 1e-12:
            rows[i] = [0.0] * (size + 1)
            rows[i][i] = 1.0
        for k in range(size):
            factor = rows[k][i] / rows[i][i]
            if k != i and factor:
                rows[k] = [a - factor * b for a, b in zip(rows[k], rows[i])]
    return [rows[i][size] / rows[i][i] for i in range(size)]


def least_squares(rows, size):
    """The coefficients, none negative, with the least relative errors of the
    rows (name, features, count)."""
    used = set(range(size))
    while True:
        order = sorted(used)
        matrix = [[0.0] * len(order) for _ in order]
        right = [0.0] * len(order)
        for _, features, counted in rows:
            scaled = [features[k] / counted for k in order]
            for i, value in enumerate(scaled):
                if value:
                    right[i] += value
                    for k, other in enumerate(scaled):
                        matrix[i][k] += value * other
        found = dict(zip(order, solve(matrix, right)))
        negative = {k for k, value in found.items() if value < 0}
        if not negative:
            return [found.get(k, 0.0) for k in range(size)]
        used -= {min(negative, key=lambda k: found[k])}


#===- Machine files ---------------------------------------------------------===#

ROW = r'<{} value="(\d+)"\s*source="counted[^"]*"/>'


def machine_path(core):
    return os.path.join(ROOT, "luna_target", "machines",
                        CORES[core][3] + ".xml")


def machine_paths(core):
    """The machine files of chips with this core."""
    paths = sorted(glob.glob(os.path.join(ROOT, "luna_target", "machines",
                                          "*.xml")))
    for path in paths:
        with open(path, encoding="utf-8") as file:
            if f'<target value="{core}"' in file.read():
                yield path


def read_machine(core):
    with open(machine_path(core), encoding="utf-8") as file:
        return file.read()


def with_costs(text, costs, note=lambda name: ""):
    """A machine file with other host costs."""
    for name, value in costs.items():
        text, found = re.subn(
            ROW.format(name), f'<{name} value="{value}"\n        '
            f'source="counted: bench/cores --fit{note(name)}"/>', text)
        if found != 1:
            raise ValueError(f"no row {name}")
    return text


def costs_in_file(core):
    text = read_machine(core)
    return {name: int(re.search(ROW.format(name), text)[1])
            for name in cost_names()}


def machine_as_run(core, folder):
    """A machine file of what QEMU's core executes: rows whose instructions it
    lacks note their count."""
    text = re.sub(r'value="\d+"(\s*source="counted[^"]*; as run (\d+))',
                  r'value="\2"\1', read_machine(core))
    return write_machine(text, folder)


def write_machine(text, folder):
    path = os.path.join(folder, "machine.xml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


#===- All of it -------------------------------------------------------------===#

DIGIT = 6500
# What the program executes, and what device_runtime/ does of the operators it calls.
PROGRAM_COSTS = (["call", "product_call", "program_call", "argument",
                  "transfer", "entry", "pointer"] +
                 cost_names()[cost_names().index("loop"):])
CALLED_COSTS = ["operator", "start", "await"]


def features_of(core, model, folder):
    """(name, how often it has each cost) of what the core does in a run of a
    model, in order, as the simulator counts it on this computer."""
    names, features = cost_names(), {}
    # Several in a run, as digits: no feature reaches DIGIT. The last one is 1,
    # so that what has no other is there, too.
    every = PROGRAM_COSTS + CALLED_COSTS
    for first in range(0, len(every), 2):
        some = every[first:first + 2]
        costs = {name: 50 * (name in ("entry", "program_call", "call",
                                      "product_call", "transfer"))
                 for name in names}
        for i, name in enumerate(some):
            costs[name] += 100 * DIGIT ** (i + 1)
        machine = write_machine(with_costs(read_machine(core), costs), folder)
        for number, (name, cycles) in enumerate(
                core_programs.host_cycles(model, machine, folder)):
            _, row = features.setdefault(number, (name, [0] * len(names)))
            for i, cost in enumerate(some):
                row[names.index(cost)] = cycles // DIGIT ** (i + 1) % DIGIT
    return list(features.values())


def program_rows(core, plugin, folder):
    """The same of the operators of loops_module."""
    model = os.path.join(folder, "loops.mlir")
    with open(model, "w", encoding="utf-8") as file:
        file.write(loops_module())
    features, counts = dict(features_of(core, model, folder)), {}
    for op in core_programs.run(core, model, plugin, folder,
                                machine_as_run(core, folder)):
        is_transfer = op.calls == 0
        counts[op.name] = (op.program + is_transfer * op.core,
                           op.core - is_transfer * op.core)
    names, rows = cost_names(), []
    for own, part in ((PROGRAM_COSTS, 0), (CALLED_COSTS, 1)):
        rows += [(name, [times if cost in own else 0 for cost, times
                         in zip(names, features[name])], counts[name][part])
                 for name in counts if name in features]
    return [row for row in rows if any(row[1]) and row[2]]


def sums_module(inputs, outputs):
    """A module that adds up its inputs, for each of its outputs."""
    loops, kind = Loops(), "tensor<4xi32>"
    names = [f"%x{i}" for i in range(inputs)]
    loops.arguments = {name: kind for name in names}
    for constant in ("%one", "%seven", "%eight")[:outputs]:
        lines, last = [], "%a"
        for letter in "bc"[:inputs - 1]:
            lines.append(f"%s{letter} = arith.addi {last}, %{letter} : i32")
            last = f"%s{letter}"
        loops.add("sum", names, kind, ["(d0) -> (d0)"] * (inputs + 1),
                  ["parallel"],
                  [*lines, f"%r = arith.addi {last}, {constant} : i32",
                   "linalg.yield %r : i32"])
    return loops.text()


def entry_rows(core, plugin, folder):
    """The same of whole programs, which are entered and left."""
    model = os.path.join(folder, "sums.mlir")
    for inputs, outputs in ((1, 1), (2, 1), (3, 1), (1, 2), (2, 2), (1, 3)):
        with open(model, "w", encoding="utf-8") as file:
            file.write(sums_module(inputs, outputs))
        features = [row for _, row in features_of(core, model, folder)]
        ops = core_programs.run(core, model, plugin, folder,
                                machine_as_run(core, folder))
        yield (f"{inputs} inputs, {outputs} outputs",
               [sum(column) for column in zip(*features)],
               sum(op.program + op.core for op in ops))


def fit(core, plugin, folder):
    """(costs as run, costs for the machine file), in cycles of a hundred."""
    names = cost_names()
    program = (program_rows(core, plugin, folder) +
               list(entry_rows(core, plugin, folder)))
    found = []
    for has_mulsh in (False, core == "xtensa"):
        rows = list(kernel_rows(core, plugin, folder, has_mulsh)) + program
        values = least_squares(rows, len(names))
        found.append({name: round(100 * value)
                      for name, value in zip(names, values)})
    return found


def update_machine(core, as_run, costs):
    def note(name):
        return (f"; as run {as_run[name]}" if as_run[name] != costs[name]
                else "")
    for path in machine_paths(core):
        with open(path, encoding="utf-8") as file:
            text = with_costs(file.read(), costs, note)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
