"""Operators that move elements."""

from recorded_case import BOOL, F32, I16, I32, I8, broadcast, kind, same


# -- moving elements ---------------------------------------------------------

@kind(F32, I8)
def depth_to_space(g, k):
    n, h, w, c, b = (g.rng.randint(1, 3) for _ in range(5))
    q = same(g, k)
    g.op(5, [g.input(k, [n, h, w, c * b * b], *q)],
         [g.output(k, [n, h * b, w * b, c], *q)], 94, {0: ("i", b)})


@kind(F32, I8)
def space_to_depth(g, k):
    n, h, w, c, b = (g.rng.randint(1, 3) for _ in range(5))
    q = same(g, k)
    g.op(26, [g.input(k, [n, h * b, w * b, c], *q)],
         [g.output(k, [n, h, w, c * b * b], *q)], 19, {0: ("i", b)})


@kind(F32, I8)
def space_to_batch(g, k):
    n, h, w, c, b, d = (g.rng.randint(1, 3) for _ in range(6))
    pads = [g.rng.randint(0, min(1, h * b - 1)), 0,
            0, g.rng.randint(0, min(1, w * d - 1))]
    # The reference kernel pads with 0, TensorFlow Lite with the zero point.
    q = (g.scale(k), 0) if k == I8 else (None, None)
    g.op(38, [g.input(k, [n, h * b - pads[0], w * d - pads[3], c], *q),
              g.ints([b, d]), g.ints(pads, [2, 2])],
         [g.output(k, [n * b * d, h, w, c], *q)])


@kind(F32, I8)
def batch_to_space(g, k):
    n, h, w, c, b, d = (g.rng.randint(1, 3) for _ in range(6))
    crops = [g.rng.randint(0, min(1, h * b - 1)), 0,
             0, g.rng.randint(0, min(1, w * d - 1))]
    q = same(g, k)
    g.op(37, [g.input(k, [n * b * d, h, w, c], *q), g.ints([b, d]),
              g.ints(crops, [2, 2])],
         [g.output(k, [n, h * b - crops[0], w * d - crops[3], c], *q)])


@kind(F32, I8)
def mirror_pad(g, k):
    shape, mode = [g.rng.randint(2, 5) for _ in range(g.rng.randint(1, 4))], \
        g.rng.randint(0, 1)
    pads = [g.rng.randint(0, n - 1 + mode) for n in shape for _ in range(2)]
    out = [n + a + b for n, a, b in zip(shape, pads[::2], pads[1::2])]
    q = same(g, k)
    g.op(100, [g.input(k, shape, *q), g.ints(pads, [len(shape), 2])],
         [g.output(k, out, *q)], 77, {0: ("b", mode)})


@kind(F32, I8, I16, I32)
def reverse(g, k):
    shape, q = g.shape(), same(g, k)
    axes = g.rng.sample(range(len(shape)), 1)
    g.op(105, [g.input(k, shape, *q), g.ints(axes)],
         [g.output(k, shape, *q)])


@kind(F32, I8)
def broadcast_to(g, k):
    shape = g.shape()
    part = [1 if g.rng.random() < 0.5 else n for n in shape]
    part, q = part[g.rng.randint(0, len(part) - 1):], same(g, k)
    g.op(130, [g.input(k, part, *q), g.ints(shape)], [g.output(k, shape, *q)])


@kind(F32, I8)
def gather(g, k):
    rng, q = g.rng, same(g, k)
    shape = g.shape(2, 3)
    axis, batch = rng.randrange(len(shape)), 0
    indices = [rng.randint(1, 4) for _ in range(rng.randint(1, 2))]
    if axis > 0 and rng.random() < 0.3:
        batch, indices = 1, [shape[0], indices[0]]
    x = g.input(k, shape, *q)
    i = g.input(I32, indices, low=0, high=shape[axis] - 1) \
        if rng.random() < 0.5 else \
        g.const(I32, indices, low=0, high=shape[axis] - 1)
    g.op(36, [x, i],
         [g.output(k, shape[:axis] + indices[batch:] + shape[axis + 1:], *q)],
         23, {0: ("i", axis), 1: ("i", batch)})


@kind(F32, I8)
def gather_nd(g, k):
    rng, q = g.rng, same(g, k)
    shape = g.shape(2, 4)
    depth = rng.randint(1, len(shape))
    places = [rng.randint(1, 4) for _ in range(rng.randint(1, 2))]
    x = g.input(k, shape, *q)
    i = g.input(I32, places + [depth], low=0, high=min(shape[:depth]) - 1)
    g.op(107, [x, i], [g.output(k, places + shape[depth:], *q)])


@kind(F32, I8, I16, I32)
def update_slice(g, k):
    q, shape = same(g, k), g.shape()
    size = [g.rng.randint(1, n) for n in shape]
    x, u = g.input(k, shape, *q), g.input(k, size, *q)
    i = g.input(I32, [len(shape)], low=-1, high=max(shape))
    g.op(151, [x, u, i], [g.output(k, shape, *q)])


@kind(F32, I8)
def select(g, k):
    a, b, c = broadcast(g)
    q = same(g, k)
    g.op(123, [g.input(BOOL, c), g.input(k, a, *q), g.input(k, b, *q)],
         [g.output(k, c, *q)])


@kind(F32, I8, I32)
def fill(g, k):
    q, shape = same(g, k), g.shape()
    g.op(94, [g.ints(shape), g.input(k, [], *q)], [g.output(k, shape, *q)])


@kind(F32, I8)
def embedding_lookup(g, k):
    q, shape = same(g, k), g.shape(2, 3)
    i = g.input(I32, [3], low=0, high=shape[0] - 1)
    g.op(7, [i, g.const(k, shape, *q)], [g.output(k, [3] + shape[1:], *q)])


@kind(F32, I8, I16, I32)
def concatenation(g, k):
    shape, q = g.shape(), same(g, k)
    axis, parts = g.rng.randrange(len(shape)), []
    total = 0
    for _ in range(g.rng.randint(2, 4)):
        own = list(shape)
        own[axis] = g.rng.randint(1, 4)
        total += own[axis]
        parts.append(g.input(k, own, *q))
    shape[axis] = total
    g.op(2, parts, [g.output(k, shape, *q)], 10,
         {0: ("i", axis - g.rng.choice([0, len(shape)]))})


@kind(F32, I8, I16)
def pad(g, k):
    shape, q = g.shape(), same(g, k)
    pads = [g.rng.randint(0, 3) for _ in range(2 * len(shape))]
    out = [n + a + b for n, a, b in zip(shape, pads[::2], pads[1::2])]
    x = g.input(k, shape, *q)
    y = g.output(k, out, *q)
    p = g.ints(pads, [len(shape), 2])
    if g.rng.random() < 0.5:
        g.op(34, [x, p], [y])
    else:
        g.op(60, [x, p, g.const(k, [1], *q)], [y])


@kind(F32, I8, I16)
def transpose(g, k):
    shape, q = g.shape(2, 4), same(g, k)
    order = g.rng.sample(range(len(shape)), len(shape))
    g.op(39, [g.input(k, shape, *q), g.ints(order)],
         [g.output(k, [shape[d] for d in order], *q)])


@kind(F32, I8, I16, I32)
def strided_slice(g, k):
    rng, q = g.rng, same(g, k)
    shape = g.shape(1, 4, 7)
    begin, end, stride, out, masks = [], [], [], [], [0, 0, 0]
    for d, n in enumerate(shape):
        while True:
            b, e = rng.randint(-n - 1, n), rng.randint(-n - 1, n + 1)
            s = rng.choice([1, 1, 2, 3, -1, -2])
            flags = [rng.random() < 0.2 for _ in range(2)]
            drops = rng.random() < 0.15
            if drops:
                b, s, flags = rng.randint(-n, n - 1), 1, [False, False]
                e = b + 1 if b != -1 else n
            cut = range(n)[None if flags[0] else b:None if flags[1] else e:s]
            if not drops and b < -n and s < 0 and not flags[0]:
                continue
            if len(cut) > 0:
                break
        begin.append(b)
        end.append(e)
        stride.append(s)
        for i, flag in enumerate(flags + [drops]):
            masks[i] |= flag << d
        if not drops:
            out.append(len(cut))
    g.op(45, [g.input(k, shape, *q)] + [g.ints(v) for v in
                                        (begin, end, stride)],
         [g.output(k, out, *q)], 32,
         {0: ("i", masks[0]), 1: ("i", masks[1]), 4: ("i", masks[2])})


@kind(F32, I8, I16, I32)
def slice_(g, k):
    shape, q = g.shape(1, 4), same(g, k)
    begin = [g.rng.randint(0, n - 1) for n in shape]
    size = [g.rng.randint(1, n - b) for n, b in zip(shape, begin)]
    given = [-1 if b + s == n and g.rng.random() < 0.3 else s
             for n, b, s in zip(shape, begin, size)]
    g.op(65, [g.input(k, shape, *q), g.ints(begin), g.ints(given)],
         [g.output(k, size, *q)])


@kind(F32, I8, I16)
def split(g, k):
    shape, q = g.shape(), same(g, k)
    axis, count = g.rng.randrange(len(shape)), g.rng.randint(1, 3)
    part = list(shape)
    shape[axis] *= count
    x = g.input(k, shape, *q)
    g.op(49, [g.ints([axis]), x],
         [g.output(k, part, *q) for _ in range(count)], 35,
         {0: ("i", count)})


@kind(F32, I8)
def pack(g, k):
    shape, q = g.shape(1, 3), same(g, k)
    axis, count = g.rng.randint(0, len(shape)), g.rng.randint(1, 3)
    out = shape[:axis] + [count] + shape[axis:]
    g.op(83, [g.input(k, shape, *q) for _ in range(count)],
         [g.output(k, out, *q)], 59, {0: ("i", count), 1: ("i", axis)})


@kind(F32, I8)
def shape_of(g, k):
    shape = g.shape()
    x = g.input(k, shape)
    g.op(77, [x], [g.output(I32, [len(shape)])], 55, {0: ("b", I32)})
    g.op(93, [x], [g.output(k, shape)])
    g.op(145, [g.ints([1, 3]), g.ints([4, 2, 1])], [g.output(I32, [3])])
