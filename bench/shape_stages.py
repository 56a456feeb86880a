"""The stages that bench/shapes --stages compares: what each step of the
compiler gains on a model of several sizes."""

import os
import re
import subprocess
import sys
import tempfile

from bench_util import LLVM_BIN, LUNAC, OPT_PREFIX, PLUGIN, ROOT

# What is left out before a stage. Bufferisation and linalg on the core remain.
FUSION = ["linalg-fuse-elementwise-ops", "luna-schedule"]
STAGES = [
    # name, passes that are left out, if operators are ordered, strategy
    ("none", FUSION, False, "sequential"),
    ("fusion", [], False, "sequential"),
    ("order", [], True, "sequential"),
    ("plan", [], True, "best"),
]


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"error: {' '.join(command)[:200]}: {done.stderr[:400]}")
    return done


def mlir_opt(pipeline, *options):
    return run([*OPT_PREFIX, os.path.join(LLVM_BIN, "mlir-opt"),
                f"--load-dialect-plugin={PLUGIN}",
                f"--pass-pipeline={pipeline}", *options])


def pass_list(model):
    """luna-compile-to-plan as text, pass by pass."""
    text = mlir_opt("builtin.module(luna-compile-to-plan)", model, "-o",
                    os.devnull, "--dump-pass-pipeline").stderr
    # What is printed after it are warnings.
    text = text[text.index("builtin.module("):text.index("\n)") + 2]
    return re.sub(r"\s*\n\s*", "", text)


def without(pipeline, name):
    """The pipeline without a pass, of which options are in braces."""
    start = re.search(rf"(?<=[(,]){name}(?=[{{,)])", pipeline)
    if not start:
        sys.exit(f"error: luna-compile-to-plan has no {name}")
    end, depth = start.end(), 0
    while depth > 0 or pipeline[end] not in ",)":
        depth += {"{": 1, "}": -1}.get(pipeline[end], 0)
        end += 1
    text = pipeline[:start.start()] + pipeline[end:]
    return text.replace(",,", ",").replace("(,", "(").replace(",)", ")")


def roomy_machine(folder):
    """Venus with more memory, where a model fits without any of the steps."""
    source = os.path.join(ROOT, "luna_target", "machines", "venus.xml")
    path = os.path.join(folder, "roomy.xml")
    with open(source, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace('<bytes value="655360"',
                                '<bytes value="16777216"', 1))
    return path


def plan(pipeline, model):
    """(bytes, cycles of the slowest path) of a planned model."""
    text = mlir_opt(pipeline, model).stdout.split("luna.program @")[0]
    arena = re.search(r"luna\.arena_bytes = (\d+)", text)
    costs = re.findall(r"\bcycles = (\d+)", text.split("luna.cost = ")[1]
                       .split("luna.plan = ")[0])
    return int(arena[1]), max(map(int, costs))


def stages(model, options):
    """(name, bytes, cycles) of a model for one size, stage by stage."""
    with tempfile.TemporaryDirectory() as folder:
        tosa = os.path.join(folder, "model.mlir")
        run([LUNAC, "import", model, *options, "-o", tosa])
        whole, machine = pass_list(tosa), roomy_machine(folder)
        for name, left_out, is_ordered, strategy in STAGES:
            pipeline = whole
            for step in left_out:
                pipeline = without(pipeline, step)
            if not is_ordered:
                pipeline = re.sub(r"(?<=[ {])steps=\d+", "steps=0",
                                  pipeline)
            pipeline = pipeline.replace("strategy=best", f"strategy={strategy}")
            pipeline = pipeline.replace("machine=venus", f"machine={machine}")
            yield name, *plan(pipeline, tosa)
