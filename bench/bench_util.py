"""What the benchmarks share: running lunac, printing tables."""

import glob
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LUNAC = os.environ.get("LUNAC", os.path.join(ROOT, "build", "bin", "lunac"))
LLVM_BIN = os.environ.get("LLVM_BIN", "/usr/lib/llvm-22/bin")
PLUGIN = os.environ.get("LUNA_PLUGIN",
                        os.path.join(ROOT, "build", "lib", "LunaMLIR.so"))
# What has to stand before mlir-opt for a sanitised plugin.
OPT_PREFIX = os.environ.get("LUNA_OPT_PREFIX", "").split()
# What is measured is computed.
os.environ.setdefault("LUNA_CACHE", "off")
MODELS = os.environ.get("LUNA_MODELS",
                        os.path.join(ROOT, "..", "shared", "models"))


def require_lunac():
    if not os.access(LUNAC, os.X_OK):
        sys.exit(f"error: no {LUNAC}; build first: scripts/build")


def example(name):
    return os.path.join(ROOT, "examples", name + ".mlir")


# What the unit's sums matter to.
UNIT_EXAMPLES = ("face_align", "face_detect", "fusion_detect", "noise_reduction",
         "wake_word")
UNIT_MODELS = (
    "tosa/fusion_detect_if.mlir",
    "generated/tflite/resnet8_blockdrop_if.tflite",
    "tiny/mlperf_ad01_int8.tflite", "tiny/mlperf_ic_resnet8_int8.tflite",
    "wake/mlperf_kws_int8.tflite", "wake/mlperf_str_ww_int8.tflite",
    "wake/mww_v2_okay_nabu.tflite", "wake/mww_v2_vad.tflite",
    "luna/resnet18-12-regular.onnx", "luna/resnet50_fashion_mnist.onnx",
    "body/person_detect.tflite", "body/tinyengine_detection_fpn.tflite",
    "face/blazeface_front_128.tflite")


def unit_models():
    paths = [example(name) for name in UNIT_EXAMPLES]
    paths += [os.path.join(MODELS, name) for name in UNIT_MODELS]
    return [path for path in paths if os.path.exists(path)]


# The sizes that a model leaves open.
DIMS = {"yunet_n_dynamic.onnx": ("batch=1", "height=64", "width=64")}


def model_paths():
    """Every model of examples/ and of $LUNA_MODELS."""
    paths = glob.glob(os.path.join(ROOT, "examples", "**", "*"),
                      recursive=True)
    paths += glob.glob(os.path.join(MODELS, "**", "*"), recursive=True)
    return sorted(path for path in paths
                  if path.endswith((".mlir", ".tflite", ".onnx")))


def model_options(path):
    return [f"--dim={dim}" for dim in DIMS.get(os.path.basename(path), ())]


def lunac(action, model, *options):
    """Runs lunac and gives its statistics; None, with the reason on standard
    error, where it fails."""
    with tempfile.TemporaryDirectory() as folder:
        stats = os.path.join(folder, "stats.json")
        command = [LUNAC, action, model, f"--stats={stats}", *options]
        if action == "compile":
            command += ["-o", os.path.join(folder, "out")]
        done = subprocess.run(command, capture_output=True, text=True)
        # A failed check still leaves its statistics.
        if os.path.exists(stats):
            with open(stats, encoding="utf-8") as file:
                result = json.load(file)
            result["exit_code"] = done.returncode
            return result
    first = (done.stderr or done.stdout).strip().splitlines()[:1] or ["failed"]
    print(f"  {os.path.basename(model)} {' '.join(options)}: {first[0][:160]}",
          file=sys.stderr)
    return None


def with_memory(machine, size, folder):
    """A machine file as `machine`, with `size` bytes of shared memory."""
    path = machine if machine.endswith(".xml") else os.path.join(
        ROOT, "luna_target", "machines", machine + ".xml")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    smaller = re.sub(r'(<shared>\s*<bytes value=")\d+', rf"\g<1>{size}", text)
    path = os.path.join(folder, f"{size}.xml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(smaller)
    return path


def dig(stats, *keys):
    """stats[keys[0]][keys[1]]…, None where one is missing."""
    for key in keys:
        if not isinstance(stats, dict) or key not in stats:
            return None
        stats = stats[key]
    return stats


def check_of(stats):
    """The verdict of --check in a word."""
    check = dig(stats, "check")
    if isinstance(check, dict):
        check = check.get("equal")
    return {True: "equal", False: "DIFFERENT", None: "–"}.get(check,
                                                              str(check))


def count(value):
    return "–" if value is None else f"{value:,}"


def change(new, old):
    """How much smaller or larger `new` is: -5.9 %."""
    if new is None or not old:
        return "–"
    return f"{(new - old) * 100 / old:+.1f} %".replace("+0.0", "0.0") \
        .replace("-0.0", "0.0")


def table(head, rows, left=1):
    """Prints a table; the first `left` columns are text, the others right."""
    rows = [[str(cell) for cell in row] for row in [head, *rows]]
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    for index, row in enumerate(rows):
        cells = [cell.ljust(w) if i < left else cell.rjust(w)
                 for i, (cell, w) in enumerate(zip(row, widths))]
        print("  " + "  ".join(cells).rstrip())
        if index == 0:
            print("  " + "  ".join("-" * w for w in widths))
    print(flush=True)


def progress(text):
    print(f"  … {text}", file=sys.stderr, flush=True)
