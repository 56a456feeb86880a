"""Faults before the record: does anything that compares with the model see them?

luna-mutate --before-record lists the faults that each pass before
luna-record-program may leave in its output: constants one more or less, zero
points, bounds, pads, exchanged operands. build/lib/LunaFaults.so is the plugin
with one of them. The record, and the reference of --check, are made by the same
passes and have the fault too. Each model is run so, down every path, against:

- the literal reference of `lunac run --check`, or the other one;
- its recorded results, if it has some;
- ONNX's own test, if it is one.

A fault that none of them sees is harmless if the outputs of random inputs are
those without it, on every path; else missed. What does not compile, or is
refused by a verifier, counts as not made.
"""

import glob
import os
import random
import re
import shutil
import subprocess
import tempfile

from bench_util import LUNAC, ROOT, progress, table

BUILD = os.path.dirname(os.path.dirname(LUNAC))
FAULTS = os.path.join(BUILD, "lib", "LunaFaults.so")
ONNX = os.path.join(ROOT, "import", "tests", "onnx")
NODE_TESTS = os.environ.get("LUNA_ONNX_TESTDATA",
                            "/usr/share/libonnx-testdata/data/node")
TIME_LIMIT_SECONDS = 60
CASES = 4
COLUMNS = ("made", "literal", "reference", "golden", "harmless", "missed")
# model: its recorded calls, as inputs and outputs.
RECORDED = {
    "qdq": [(["qdq_x0.npy"], "qdq_y0.npy"), (["qdq_x1.npy"], "qdq_y1.npy")],
    "qdq_pair": [(["qdq_pair_x.bin", "qdq_pair_y.bin"], "qdq_pair_z.bin")],
    "qdq_pool": [(["qdq_pool_x.bin"], "qdq_pool_y.bin")],
    "qdq_up": [(["qdq_up_x.npy"], "qdq_up_y.npy")],
    "qlinear": [(["qlinear_x.bin"], "qlinear_y.bin")],
    "qlinear_runtime": [(["qlinear_runtime_x.bin", "qlinear_runtime_scale.npy",
                          "qlinear_runtime_zero.bin"],
                         "qlinear_runtime_y.bin")],
}
NODES = ["test_qlinearconv", "test_qlinearmatmul_2D", "test_qlinearmatmul_3D",
         "test_quantizelinear", "test_quantizelinear_axis"]


def default_models():
    return ([os.path.join(ONNX, name + ".onnx") for name in RECORDED] +
            [os.path.join(NODE_TESTS, name, "model.onnx") for name in NODES
             if os.path.isdir(os.path.join(NODE_TESTS, name))])


class Model:
    def __init__(self, path, folder):
        self.path, self.folder = path, folder
        self.name = os.path.splitext(os.path.basename(path))[0]
        self.right = {}

    def faults(self):
        text = os.path.join(self.folder, "model.mlir")
        subprocess.run([LUNAC, "import", self.path, "-o", text], check=True,
                       capture_output=True)
        done = subprocess.run(
            [os.path.join(BUILD, "bin", "luna-mutate"), "--before-record",
             text], check=True, capture_output=True, text=True)
        return done.stdout.splitlines()

    def run(self, fault, *options):
        environment = {**os.environ, "LUNA_FAULT": fault or ""}
        plugin = ["--plugin=" + FAULTS] if fault else []
        try:
            return subprocess.run(
                [LUNAC, "run", self.path, "--cache=off", *plugin, *options],
                capture_output=True, text=True, env=environment,
                timeout=TIME_LIMIT_SECONDS)
        except subprocess.TimeoutExpired:
            return None

    def paths(self):
        """Texts for --force-branch, of what --check has run."""
        done = self.run(None, "--random-input=1", "--check")
        named = re.findall(r"^(\S+=\S+) +0 ", done.stdout, re.MULTILINE)
        return [[]] + [["--force-branch=" + name] for name in named]

    def outputs(self, fault, options):
        """The output files of random inputs, or None."""
        folder = os.path.join(self.folder, "out")
        shutil.rmtree(folder, ignore_errors=True)
        done = self.run(fault, "--random-input=1", f"--cases={CASES}",
                        f"--output={folder}", *options)
        if done is None or done.returncode != 0:
            return None
        found = {}
        for path in glob.glob(os.path.join(folder, "*")):
            with open(path, "rb") as file:
                found[os.path.basename(path)] = file.read()
        return found

    def differs(self, fault):
        for options in self.all_paths:
            key = " ".join(options)
            if key not in self.right:
                self.right[key] = self.outputs(None, options)
            if self.outputs(fault, options) != self.right[key]:
                return True
        return False

    def breaks_recorded(self, fault):
        for inputs, expected in RECORDED.get(self.name, []):
            files = ["--input=" + os.path.join(ONNX, name) for name in inputs]
            done = self.run(fault, *files,
                            "--expect=" + os.path.join(ONNX, expected))
            if done is None or done.returncode != 0:
                return True
        return False

    def breaks_conformance(self, fault):
        test = os.path.dirname(self.path)
        if os.path.dirname(test) != NODE_TESTS:
            return False
        folder = os.path.join(self.folder, "tests")
        os.makedirs(folder, exist_ok=True)
        link = os.path.join(folder, os.path.basename(test))
        if not os.path.exists(link):
            os.symlink(test, link)
        done = subprocess.run(
            [os.path.join(BUILD, "bin", "onnx-conformance"), folder],
            capture_output=True, text=True,
            env={**os.environ, "LUNA_FAULT": fault, "LUNA_PLUGIN": FAULTS})
        return "passed 1," not in done.stdout

    def judge(self, fault):
        """The column of a fault, None if it was not made."""
        done = self.run(fault, "--random-input=1", f"--cases={CASES}",
                        "--check")
        if done is not None and done.returncode == 3:
            return ("literal" if "luna.quantize of" in done.stderr or
                    "literal reference" in done.stderr
                    else "reference")
        if done is None or done.returncode != 0:
            return None
        if self.breaks_recorded(fault) or self.breaks_conformance(fault):
            return "golden"
        return "missed" if self.differs(fault) else "harmless"


def chosen(faults, per_kind, seed):
    """Some of each pass and kind."""
    groups = {}
    for fault in faults:
        groups.setdefault(tuple(fault.split("|")[:2]), []).append(fault)
    draw = random.Random(seed)
    return [fault for key in sorted(groups)
            for fault in draw.sample(groups[key],
                                     min(per_kind, len(groups[key])))]


def campaign(models, per_kind, seed):
    """Prints what saw the faults, by pass; returns how many none did."""
    rows, missed = {}, []
    for path in models or default_models():
        with tempfile.TemporaryDirectory() as folder:
            model = Model(path, folder)
            model.all_paths = model.paths()
            for fault in chosen(model.faults(), per_kind, seed):
                progress(f"{model.name} {fault}")
                column = model.judge(fault)
                if column is None:
                    continue
                row = rows.setdefault(fault.split("|")[0],
                                      dict.fromkeys(COLUMNS, 0))
                row["made"] += 1
                row[column] += 1
                if column == "missed":
                    missed.append(f"  missed: {path}: {fault}")
    for line in missed:
        print(line)
    lines = [(name, *row.values()) for name, row in rows.items()]
    sums = [sum(line[i] for line in lines)
            for i in range(1, len(COLUMNS) + 1)]
    table(("pass", *COLUMNS), lines + [("all", *sums)])
    return len(missed)
