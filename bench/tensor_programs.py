"""Random programs on tensors of many shapes, in MLIR.

Operators that move, join, compute and choose elements of f32, i32 and i8, also
of constants and at computed places, under branches, switches and loops of scf
and TOSA whose results are of any of these types: arguments, constants, slices,
one value twice, or none that is used.
"""

import random


def tensor(shape, element):
    return f"tensor<{'x'.join(map(str, list(shape) + [element]))}>"


def volume(shape):
    total = 1
    for extent in shape:
        total *= extent
    return total


class Value:
    """A value: its name, shape and element type."""

    def __init__(self, name, shape, element):
        self.name, self.shape, self.element = name, tuple(shape), element
        self.type = tensor(shape, element)


class TensorProgram:
    ELEMENTS = ["f32", "i32", "i8"]

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines, self.names = [], 0
        self.budget = self.random.choice([3, 6, 12, 24])
        self.operators = [getattr(self, name) for name in dir(self)
                          if name.startswith("make_")]
        self.structures = [getattr(self, name) for name in dir(self)
                           if name.startswith("nest_")]

    # -- writing ---------------------------------------------------------------

    def fresh(self):
        self.names += 1
        return f"%v{self.names}"

    def emit(self, text):
        name = self.fresh()
        self.lines.append(f"  {name} = {text}")
        return name

    def value(self, text, shape, element):
        return Value(self.emit(text), shape, element)

    def shape(self, rank=None):
        pick = self.random.choice
        rank = pick([0, 1, 1, 2, 2, 3, 4, 5]) if rank is None else rank
        return tuple(pick([1, 1, 2, 3, 4, 5, 8]) for _ in range(rank))

    def number(self, element):
        if element == "f32":
            return f"{self.random.uniform(-3, 3):.3e}"
        return str(self.random.randint(-100, 100))

    def constant(self, shape, element):
        def nested(extents):
            if not extents:
                return self.number(element)
            rows = (nested(extents[1:]) for _ in range(extents[0]))
            return f"[{', '.join(rows)}]"
        text = (self.number(element) if volume(shape) > 64 else
                nested(list(shape)))
        return self.value(f"arith.constant dense<{text}> : "
                          f"{tensor(shape, element)}", shape, element)

    def index(self, number):
        return self.emit(f"arith.constant {number} : index")

    # -- choosing --------------------------------------------------------------

    def pick(self, values, test=lambda value: True):
        found = [value for value in values if test(value)]
        return self.random.choice(found[-6:]) if found else None

    def like(self, values, shape, element):
        """A value of this type, at times a new constant."""
        kind = tensor(shape, element)
        found = self.pick(values, lambda value: value.type == kind)
        if found and self.random.random() < 0.75:
            return found
        return self.constant(shape, element)

    def element_of(self, value):
        places = [self.index(self.random.randrange(extent))
                  for extent in value.shape]
        return self.emit(f"tensor.extract {value.name}[{', '.join(places)}] : "
                         f"{value.type}")

    def place(self, values, last):
        """An index from 0 to `last`, computed where it can be."""
        source = self.pick(values, lambda value: value.element != "f32")
        if last == 0 or not source or self.random.random() < 0.3:
            return self.index(self.random.randint(0, last))
        index = self.emit(f"arith.index_cast {self.element_of(source)} : "
                          f"{source.element} to index")
        return self.emit(f"arith.remui {index}, {self.index(last + 1)} : index")

    def flag(self, values):
        source = self.pick(values, lambda value: value.element != "f32")
        if not source:
            return self.emit("arith.constant true")
        zero = self.emit(f"arith.constant 3 : {source.element}")
        return self.emit(f"arith.cmpi slt, {self.element_of(source)}, {zero} : "
                         f"{source.element}")

    # -- operators: each gives a value, or None if there is nothing to take -----

    def make_function(self, values):
        x = self.pick(values, lambda value: value.element == "f32")
        name = self.random.choice(["exp", "tanh", "abs", "floor", "sigmoid"])
        return x and self.value(f"tosa.{name} {x.name} : ({x.type}) -> {x.type}",
                                x.shape, "f32")

    def make_arithmetic(self, values):
        x = self.pick(values, lambda value: value.element != "i8")
        if not x:
            return None
        y = self.like(values, [extent if self.random.random() < 0.7 else 1
                               for extent in x.shape], x.element)
        name = self.random.choice(["add", "sub", "maximum", "minimum"])
        return self.value(f"tosa.{name} {x.name}, {y.name} : "
                          f"({x.type}, {y.type}) -> {x.type}", x.shape, x.element)

    def make_slice(self, values):
        x = self.pick(values, lambda value: value.shape)
        if not x:
            return None
        places, sizes, strides = [], [], []
        for extent in x.shape:
            size = self.random.randint(1, extent)
            fits = (extent - 1) // max(size - 1, 1)
            # What is the stride of one element has no meaning.
            stride = self.random.randint(1, max(1, min(fits, 3)))
            last = extent - 1 - (size - 1) * stride
            is_computed = self.random.random() < 0.3
            places.append(self.place(values, last) if is_computed else
                          str(self.random.randint(0, last)))
            sizes.append(size)
            strides.append(stride)
        kept = [size for size in sizes if size > 1 or self.random.random() < 0.6]
        return self.value(
            f"tensor.extract_slice {x.name}[{', '.join(places)}] {sizes} "
            f"{strides} : {x.type} to {tensor(kept, x.element)}", kept, x.element)

    def make_insertion(self, values):
        x = self.pick(values, lambda value: value.shape)
        if not x:
            return None
        sizes = [self.random.randint(1, extent) for extent in x.shape]
        places = [self.place(values, extent - size)
                  for extent, size in zip(x.shape, sizes)]
        part = self.like(values, sizes, x.element)
        return self.value(
            f"tensor.insert_slice {part.name} into {x.name}[{', '.join(places)}] "
            f"{sizes} {[1] * len(sizes)} : {part.type} into {x.type}", x.shape,
            x.element)

    def make_reshape(self, values):
        x = self.pick(values, lambda value: len(value.shape) > 1)
        if not x:
            return None
        at = self.random.randrange(len(x.shape) - 1)
        groups = [[i] for i in range(at)] + [[at, at + 1]]
        groups += [[i] for i in range(at + 2, len(x.shape))]
        shape = list(x.shape)
        shape[at:at + 2] = [x.shape[at] * x.shape[at + 1]]
        if self.random.random() < 0.5:
            return self.value(f"tensor.collapse_shape {x.name} {groups} : "
                              f"{x.type} into {tensor(shape, x.element)}", shape,
                              x.element)
        flat = self.like(values, shape, x.element)
        return self.value(f"tensor.expand_shape {flat.name} {groups} output_shape "
                          f"{list(x.shape)} : {flat.type} into {x.type}", x.shape,
                          x.element)

    def make_transpose(self, values):
        x = self.pick(values, lambda value: len(value.shape) > 1)
        if not x:
            return None
        order = list(range(len(x.shape)))
        self.random.shuffle(order)
        shape = [x.shape[i] for i in order]
        return self.value(
            f"tosa.transpose {x.name} {{perms = array<i32: "
            f"{', '.join(map(str, order))}>}} : ({x.type}) -> "
            f"{tensor(shape, x.element)}", shape, x.element)

    def make_concat(self, values):
        x = self.pick(values, lambda value: value.shape)
        if not x:
            return None
        axis = self.random.randrange(len(x.shape))
        parts = [x] * self.random.randint(1, 2)
        shape = list(x.shape)
        parts.append(self.like(values, shape, x.element))
        shape[axis] *= len(parts)
        return self.value(
            f"tensor.concat dim({axis}) {', '.join(p.name for p in parts)} : "
            f"({', '.join(p.type for p in parts)}) -> {tensor(shape, x.element)}",
            shape, x.element)

    def make_pad(self, values):
        x = self.pick(values, lambda value: value.shape)
        if not x:
            return None
        low = [self.random.choice([0, 0, 1, 2]) for _ in x.shape]
        high = [self.random.choice([0, 0, 1, 3]) for _ in x.shape]
        shape = [sum(extents) for extents in zip(x.shape, low, high)]
        filler = self.emit(f"arith.constant {self.number(x.element)} : {x.element}")
        places = ", ".join(f"%p{self.names}_{i}: index"
                           for i in range(len(shape)))
        return self.value(
            f"tensor.pad {x.name} low{low} high{high} {{\n  ^bb0({places}):\n"
            f"  tensor.yield {filler} : {x.element}\n  }} : {x.type} to "
            f"{tensor(shape, x.element)}", shape, x.element)

    def make_reduction(self, values):
        x = self.pick(values, lambda value: value.shape)
        if not x:
            return None
        axis = self.random.randrange(len(x.shape))
        shape = [1 if i == axis else extent for i, extent in enumerate(x.shape)]
        name = self.random.choice(["reduce_max", "reduce_min"])
        return self.value(f"tosa.{name} {x.name} {{axis = {axis} : i32}} : "
                          f"({x.type}) -> {tensor(shape, x.element)}", shape,
                          x.element)

    def make_choice(self, values):
        x = self.pick(values)
        y = self.like(values, x.shape, x.element)
        return self.value(f"arith.select {self.flag(values)}, {x.name}, {y.name} : "
                          f"{x.type}", x.shape, x.element)

    def make_convolution(self, values):
        x = self.pick(values, lambda value: len(value.shape) == 4 and
                      value.element == "i8")
        if not x:
            shape = self.shape(4)
            x = self.like(values, shape, "i8")
        outputs = self.random.randint(1, 4)
        weight = self.like(values, [outputs, 1, 1, x.shape[3]], "i8")
        bias = self.constant([outputs], "i32")
        zero = self.constant([1], "i8"), self.emit(
            "arith.constant dense<0> : tensor<1xi8>")
        shape = list(x.shape[:3]) + [outputs]
        return self.value(
            f"tosa.conv2d {x.name}, {weight.name}, {bias.name}, {zero[0].name}, "
            f"{zero[1]} {{acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = "
            "array<i64: 1, 1>, dilation = array<i64: 1, 1>} : "
            f"({x.type}, {weight.type}, {bias.type}, tensor<1xi8>, tensor<1xi8>) "
            f"-> {tensor(shape, 'i32')}", shape, "i32")

    def make_constant(self, _):
        return self.constant(self.shape(), self.random.choice(self.ELEMENTS))

    # -- control flow ----------------------------------------------------------

    def results(self, values):
        """Types of what a branch or loop gives, as values of them."""
        return [self.pick(values) for _ in range(self.random.choice([1, 1, 2, 3]))]

    def types(self, values):
        return ", ".join(value.type for value in values)

    def names_like(self, values, wanted):
        chosen = [self.like(values, value.shape, value.element).name
                  for value in wanted]
        same = all(value.type == wanted[0].type for value in wanted)
        return ", ".join([chosen[0]] * len(chosen)
                         if same and self.random.random() < 0.2 else chosen)

    def given(self, text, wanted):
        """Emits the start of a structure; gives its results."""
        name = self.fresh()
        self.lines.append(f"  {name}:{len(wanted)} = {text} {{")
        return [Value(f"{name}#{i}", value.shape, value.element)
                for i, value in enumerate(wanted)]

    def region(self, values, wanted, end, depth, name="scf.yield"):
        inner = self.block(values, depth + 1)
        self.lines.append(f"  {name} {self.names_like(inner, wanted)} : "
                          f"{self.types(wanted)}\n  {end}")

    def nest_branch(self, values, depth):
        wanted, flag = self.results(values), self.flag(values)
        given = self.given(f"scf.if {flag} -> ({self.types(wanted)})", wanted)
        for end in ("} else {", "}"):
            self.region(values, wanted, end, depth)
        return given

    def nest_tosa_branch(self, values, depth):
        wanted = self.results(values)
        flag = self.emit(f"tensor.from_elements {self.flag(values)} : tensor<i1>")
        given = self.given(f"tosa.cond_if {flag} : tensor<i1> -> "
                           f"({self.types(wanted)})", wanted)
        for end in ("} else {", "}"):
            self.region(values, wanted, end, depth, "tosa.yield")
        return given

    def nest_switch(self, values, depth):
        wanted, which = self.results(values), self.place(values, 3)
        given = self.given(f"scf.index_switch {which} -> {self.types(wanted)}\n"
                           "  case 0", wanted)
        for end in ("}\n  case 2 {", "}\n  default {", "}"):
            self.region(values, wanted, end, depth)
        return given

    def nest_for(self, values, depth):
        wanted = self.results(values)
        inits = self.names_like(values, wanted).split(", ")
        bounds = [self.index(0), self.place(values, 3), self.index(1)]
        carried = [Value(f"%c{self.names}_{i}", value.shape, value.element)
                   for i, value in enumerate(wanted)]
        pairs = ", ".join(f"{value.name} = {init}"
                          for value, init in zip(carried, inits))
        given = self.given(f"scf.for %i{self.names} = {bounds[0]} to {bounds[1]} "
                           f"step {bounds[2]} iter_args({pairs}) -> "
                           f"({self.types(wanted)})", wanted)
        self.region(values + carried, wanted, "}", depth)
        return given

    def nest_while(self, values, depth):
        """A loop that passes on other types than it carries."""
        wanted, passed = self.results(values), self.results(values)
        inits = self.names_like(values, wanted).split(", ")
        start, end, one = (self.emit(f"arith.constant {number} : i32")
                           for number in (0, self.random.randint(0, 3), 1))
        tag = self.names
        carried = [Value(f"%c{tag}_{i}", value.shape, value.element)
                   for i, value in enumerate(wanted)]
        pairs = "".join(f"{value.name} = {init}, "
                        for value, init in zip(carried, inits))
        name = self.fresh()
        self.lines.append(
            f"  {name}:{len(passed) + 1} = scf.while ({pairs}%i{tag} = {start}) : "
            f"({self.types(wanted)}, i32) -> ({self.types(passed)}, i32) {{")
        inner = self.block(values + carried, depth + 1)
        test = self.emit(f"arith.cmpi slt, %i{tag}, {end} : i32")
        self.lines.append(
            f"  scf.condition({test}) {self.names_like(inner, passed)}, %i{tag} : "
            f"{self.types(passed)}, i32\n  }} do {{")
        received = [Value(f"%d{tag}_{i}", value.shape, value.element)
                    for i, value in enumerate(passed)]
        arguments = "".join(f"{value.name}: {value.type}, " for value in received)
        self.lines.append(f"  ^bb0({arguments}%j{tag}: i32):")
        inner = self.block(values + received, depth + 1)
        following = self.names_like(inner, wanted)
        more = self.emit(f"arith.addi %j{tag}, {one} : i32")
        self.lines.append(f"  scf.yield {following}, {more} : "
                          f"{self.types(wanted)}, i32\n  }}")
        return [Value(f"{name}#{i}", value.shape, value.element)
                for i, value in enumerate(passed)]

    # -- all -------------------------------------------------------------------

    def block(self, values, depth):
        """A few operators and structures on `values`; gives all there are."""
        values = list(values)
        for _ in range(self.random.randint(0, 4)):
            if self.budget == 0:
                break
            self.budget -= 1
            if depth < 4 and self.random.random() < 0.35:
                values += self.random.choice(self.structures)(values, depth)
                continue
            made = self.random.choice(self.operators)(values)
            if made and volume(made.shape) <= 6000 and len(made.shape) <= 6:
                values.append(made)
        return values

    def text(self):
        arguments = [Value(f"%x{i}", self.shape(), self.random.choice(
            self.ELEMENTS)) for i in range(self.random.randint(1, 4))]
        values = list(arguments)
        while self.budget > 0:
            values = self.block(values, 0)
        results = [self.random.choice(values[-5:])
                   for _ in range(self.random.randint(1, 4))]
        head = ", ".join(f"{value.name}: {value.type}" for value in arguments)
        return "\n".join(
            [f"func.func @main({head}) -> ({self.types(results)}) {{", *self.lines,
             f"  return {', '.join(value.name for value in results)} : "
             f"{self.types(results)}", "}", ""])
