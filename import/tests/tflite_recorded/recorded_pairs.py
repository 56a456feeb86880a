"""Operators on two tensors."""

from recorded_case import BOOL, F32, I16, I32, I8, broadcast, kind, same


# -- two operands ------------------------------------------------------------

def arithmetic(g, k, code, options):
    """An operator of two scaled operands with a fused activation."""
    a, b, c = broadcast(g)
    if g.is_large:
        a = b = c = [1, 16, 16, 16]
    sa, sb = (None, None) if k not in (I8, I16) else (g.scale(k), g.scale(k))
    largest = max(sa, sb) if sa else None
    so = None
    if sa:
        so = sa * sb * g.real(20, 300) if code == 18 else \
            largest * g.real(0.7, 3)
    x = g.input(k, a, sa)
    y = g.input(k, b, sb) if g.rng.random() < 0.7 else g.const(k, b, sb)
    z = g.output(k, c, so)
    g.op(code, [x, y], [z], options,
         {0: ("b", 0 if k == I32 else g.rng.choice([0, 0, 1, 3]))})


@kind(F32, I8, I16, I32)
def add(g, k):
    arithmetic(g, k, 0, 11)


@kind(F32, I8, I16, I32)
def sub(g, k):
    arithmetic(g, k, 41, 28)


@kind(F32, I8, I16, I32)
def mul(g, k):
    arithmetic(g, k, 18, 21)


@kind(F32, I8, I16)
def squared_difference(g, k):
    a, b, c = broadcast(g)
    sa, sb = (g.scale(k), g.scale(k)) if k != F32 else (None, None)
    so = max(sa, sb) ** 2 * g.real(300, 3000) * (1 if k == I8 else 100) \
        if sa else None
    z = g.output(k, c, so)
    g.op(99, [g.input(k, a, sa), g.input(k, b, sb)], [z])


@kind(F32, I32, I8)
def div(g, k):
    a, b, c = broadcast(g)
    low, high = {F32: (0.5, 4), I32: (1, 50), I8: (-79, 127)}[k]
    # The reference kernel's shifts leave 32 bits for smaller factors.
    sx, sy, sz = (0.5, 0.5 * g.real(0.5, 1), 1 / g.real(65, 120)) \
        if k == I8 else (None, None, None)
    x = g.input(k, a, sx)
    y = g.input(k, b, sy, -80 if k == I8 else None, low, high)
    if k == I8 and g.rng.random() < 0.5:
        y = g.const(k, b, sy, 100, -128, 99)
    g.op(42, [x, y], [g.output(k, c, sz)], 29, {0: ("b", 0 if k == I32 else g.rng.choice([0, 0, 1]))})


@kind(F32)
def floor_div(g, k):
    a, b, c = broadcast(g)
    g.op(90, [g.input(k, a), g.input(k, b, low=0.3, high=2)], [g.output(k, c)])


@kind(F32)
def floor_mod(g, k):
    a, b, c = broadcast(g)
    g.op(95, [g.input(k, a), g.input(k, b, low=-2, high=-0.3)],
         [g.output(k, c)])


@kind(F32, I8)
def add_n(g, k):
    shape, count = g.shape(), g.rng.randint(2, 5)
    scale, zero = g.scale(I8), g.zero(I8)
    inputs = [g.input(k, shape, scale, zero) for _ in range(count)]
    g.op(106, inputs, [g.output(k, shape, scale * g.real(1, 4))])


@kind(F32, I8, I16)
def batch_matmul(g, k):
    rng = g.rng
    m, n, length = (rng.randint(1, 6) for _ in range(3))
    batches = [rng.randint(1, 3) for _ in range(rng.randint(0, 3))]
    left, right = list(batches), list(batches)
    how = rng.randint(0, 3)
    if how == 1:
        left = [1] * len(left)
    if how == 2:
        right = [1] * len(right)
    if how == 3:
        left, right = [1] * len(left), []
        batches = [1] * len(batches)
    adj_x, adj_y = rng.random() < 0.4, rng.random() < 0.4
    sa, sb = (g.scale(k), g.scale(k)) if k != F32 else (None, None)
    x = g.input(k, left + ([length, m] if adj_x else [m, length]), sa)
    y_shape = right + ([n, length] if adj_y else [length, n])
    y = g.input(k, y_shape, sb)
    so = sa * sb * length * (60 if k == I8 else 9000) if sa else None
    g.op(126, [x, y], [g.output(k, batches + [m, n], so)], 101,
         {0: ("?", adj_x), 1: ("?", adj_y)})


@kind(F32, I8, I32)
def compare(g, k):
    a, b, c = broadcast(g)
    scale = g.scale(k) if k == I8 else None
    other = scale if g.rng.random() < 0.5 else \
        scale * g.real(0.5, 2) if scale else None
    low, high = (-3, 3) if k == I32 else (None, None)
    g.op(g.rng.choice([58, 61, 62, 63, 71, 72]),
         [g.input(k, a, scale, low=low, high=high),
          g.input(k, b, other, low=low, high=high)],
         [g.output(BOOL, c)])


@kind(F32, I8, I16, I32)
def extremes(g, k):
    a, b, c = broadcast(g)
    q = same(g, k)
    g.op(g.rng.choice([55, 57]), [g.input(k, a, *q), g.input(k, b, *q)],
         [g.output(k, c, *q)])


@kind()
def logic(g, k):
    a, b, c = broadcast(g)
    g.op(g.rng.choice([84, 86]), [g.input(BOOL, a), g.input(BOOL, b)],
         [g.output(BOOL, c)])
