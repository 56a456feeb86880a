#!/usr/bin/env python3
"""TFLite_Detection_PostProcess, drawn at random, against its definition.

usage: run_detection.py LUNAC FOLDER COUNT
"""

import math
import os
import struct
import subprocess
import sys
from random import Random

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from model_run import expect_close, run
from tflite_wire import F32, U8, Graph, Model

LUNAC, FOLDER, COUNT = sys.argv[1], sys.argv[2], int(sys.argv[3])
NAME = "TFLite_Detection_PostProcess"


def flex(options, width=4):
    """A map of names to numbers as FlexBuffers."""
    out, places = b"", []
    for name in sorted(options):
        places.append(len(out))
        out += name.encode() + b"\0"
    out += b"\0" * (-len(out) % width)

    def word(value, size=width):
        return value.to_bytes(size, "little", signed=value < 0)
    out += word(len(places))
    keys = len(out)
    for place in places:
        out += word(len(out) - place)
    out += word(len(out) - keys) + word(width) + word(len(places))
    values, types = len(out), b""
    for name in sorted(options):
        value = options[name]
        kind = 26 if isinstance(value, bool) else \
            3 if isinstance(value, float) else 1
        out += struct.pack("<f" if width == 4 else "<d", value) if kind == 3 \
            else word(int(value))
        types += bytes([kind << 2 | {1: 0, 2: 1, 4: 2, 8: 3}[width]])
    out += types
    return out + word(len(out) - values) + bytes(
        [9 << 2 | {1: 0, 2: 1, 4: 2, 8: 3}[width], width])


def overlap(a, b):
    inner = math.prod(max(0, min(a[d + 2], b[d + 2]) - max(a[d], b[d]))
                      for d in (0, 1))
    areas = [(c[2] - c[0]) * (c[3] - c[1]) for c in (a, b)]
    return inner / (sum(areas) - inner) if min(areas) > 0 else 0


def wanted(codes, scores, anchors, offset, options):
    """Boxes, classes, scores, and how many boxes."""
    boxes = []
    for (y, x, h, w), (ay, ax, ah, aw) in zip(codes, anchors):
        cy = y / options["y_scale"] * ah + ay
        cx = x / options["x_scale"] * aw + ax
        h = math.exp(h / options["h_scale"]) * ah / 2
        w = math.exp(w / options["w_scale"]) * aw / 2
        boxes.append([cy - h, cx - w, cy + h, cx + w])
    own = [row[offset:] for row in scores]
    order = sorted(range(len(own)), key=lambda i: -max(own[i]))
    kept = []
    for i in order:
        if max(own[i]) >= options["nms_score_threshold"] and \
                len(kept) < options["max_detections"] and all(
                    overlap(boxes[i], boxes[k]) <= options["nms_iou_threshold"]
                    for k in kept):
            kept.append(i)
    columns = options["max_classes_per_detection"]
    room = options["max_detections"] * columns
    listed = [[0.0] * 4] * room, [0.0] * room, [0.0] * room
    for n, i in enumerate(kept):
        best = sorted(range(len(own[i])), key=lambda c: -own[i][c])[:columns]
        for k, c in enumerate(best):
            for part, value in zip(listed, (boxes[i], float(c), own[i][c])):
                part[n * columns + k] = value
    return sum(listed[0], []), listed[1], listed[2], [float(len(kept))]


def rows(flat, length):
    return [flat[i:i + length] for i in range(0, len(flat), length)]


def build(count, classes, offset, options, anchors, kind=F32, custom=None):
    g = Graph(Model(), "main")
    scale = (0.03125, 0.00390625) if kind == U8 else (None, None)
    given = [g.tensor("codes", kind, [1, count, 4], scale[0],
                      128 if scale[0] else 0),
             g.tensor("scores", kind, [1, count, classes + offset], scale[1])]
    fixed = g.tensor("anchors", F32, [count, 4], data=anchors)
    room = max(1, options.get("max_detections", 1) *
               options.get("max_classes_per_detection", 1))
    made = [g.tensor(name, F32, shape) for name, shape in (
        ("boxes", [1, room, 4]), ("classes", [1, room]), ("found", [1, room]),
        ("count", [1]))]
    g.op(32, given + [fixed], made, custom=NAME,
         flex=flex(options, 4) if custom is None else custom)
    g.inputs, g.outputs = given, made
    return g.model


def draw(seed):
    rng = Random(seed)
    count, classes = rng.randint(1, 10), rng.randint(1, 4)
    offset, kind = rng.randint(0, 1), rng.choice([F32, U8])
    options = {"max_detections": rng.randint(1, 6),
               "max_classes_per_detection": rng.randint(1, 3),
               "detections_per_class": 100, "use_regular_nms": False,
               "nms_score_threshold": rng.choice([0.0, 0.5, 0.75]),
               "nms_iou_threshold": rng.choice([0.25, 0.5]),
               "num_classes": classes, "y_scale": 10.0, "x_scale": 10.0,
               "h_scale": 5.0, "w_scale": 5.0}
    anchors = [rng.choice([0.25, 0.5, 0.625]) for _ in range(4 * count)]
    path = os.path.join(FOLDER, "..", "detection.tflite")
    os.makedirs(FOLDER, exist_ok=True)
    build(count, classes, offset, options, anchors, kind).write(path)
    cases = []
    for low in (False, True, False):
        # Scores differ, as which of equal ones comes first is not defined.
        most = 64 if low else 256
        numbers = rng.sample(range(most), min(most, count * (classes + offset)))
        cases.append(([rng.randint(0, 255) for _ in range(4 * count)], numbers))
    found = run(LUNAC, path, FOLDER, [
        {"codes": ("B", codes), "scores": ("B", scores)} if kind == U8 else
        {"codes": ("f", [(c - 128) / 32 for c in codes]),
         "scores": ("f", [s / 256 for s in scores])}
        for codes, scores in cases], "--machine=" + ("venus", "arcs")[seed % 2])
    for (codes, scores), outputs in zip(cases, found):
        lists = wanted(rows([(c - 128) / 32 for c in codes], 4),
                       rows([s / 256 for s in scores], classes + offset),
                       rows(anchors, 4), offset, options)
        for name, values in zip(("boxes", "classes", "found", "count"), lists):
            expect_close("seed %d: %s" % (seed, name), outputs[name][1], values)


for number in range(COUNT):
    draw(number)

FULL = {"max_detections": 2, "max_classes_per_detection": 1, "num_classes": 2,
        "y_scale": 1.0, "x_scale": 1.0, "h_scale": 1.0, "w_scale": 1.0}
REFUSED = (({}, None, "its options lack a number, or one is 0"),
           (FULL, b"\x01", "its options lack a number, or one is 0"),
           (dict(FULL, w_scale=0.0), None, "its options lack a number"),
           (dict(FULL, use_regular_nms=True), None,
            "use_regular_nms is not supported"),
           (dict(FULL, num_classes=9), None,
            "boxes, scores and anchors do not go together"))
path = os.path.join(FOLDER, "refused.tflite")
for options, custom, message in REFUSED:
    build(3, 2, 0, options, [1.0] * 12, custom=custom).write(path)
    done = subprocess.run([LUNAC, "import", path], capture_output=True,
                          text=True)
    if done.returncode != 2 or message not in done.stderr:
        raise SystemExit("expected: %s\nexit %d: %s" % (
            message, done.returncode, done.stderr))
whole = flex(FULL)
for end in range(len(whole)):  # cut off: read as nothing, or as less
    build(3, 2, 0, FULL, [1.0] * 12, custom=whole[end:]).write(path)
    subprocess.run([LUNAC, "import", path], capture_output=True)
print("%d as defined, %d refused" % (COUNT, len(REFUSED)))
