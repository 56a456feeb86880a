# lit configuration: the pass, dialect, driver and simulator tests, and the C
# unit tests. Run through scripts/test, or:
#   lit -sv build/unit_tests lit_tests   (LUNA_BUILD names another build folder)
# A build with sanitizers has a site configuration of its own, which loads this
# file: lit -sv build-asan/unit_tests build-asan/lit_tests.
import os
import shutil
import subprocess

import lit.formats

source_root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sanitized = getattr(config, "luna_sanitized_build", None)
build_root = sanitized or os.path.abspath(
    os.environ.get("LUNA_BUILD", os.path.join(source_root, "build")))
llvm_bin = os.environ.get("LLVM_BIN", "/usr/lib/llvm-22/bin")
models = os.path.abspath(os.environ.get(
    "LUNA_MODELS", os.path.join(source_root, "..", "shared", "models")))

onnx_testdata = "/usr/share/libonnx-testdata/data"

config.name = "luna-mlir-asan" if sanitized else "luna-mlir"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "inputs"]
config.test_source_root = os.path.dirname(os.path.abspath(__file__))
config.test_exec_root = os.path.join(build_root, "lit_tests")

opt_prefix = os.environ.get("LUNA_OPT_PREFIX", "")
if sanitized:
    # A campaign of random or damaged inputs is a fifth, as in cmake/LunaBuild.cmake.
    config.available_features.add("sanitizers")
    # The pages, the benches and the installation are of the release build; the
    # models of every operator, and those that are large for a search's sake,
    # would take minutes; what runs on a core is not instrumented (the other
    # tests of cores compile for them), nor are upstream's passes between ours.
    # What draws programs, plans and models of its own (unit tests, replays of
    # fuzz corpora, examples/random_plans.test) stands for what repeats a search
    # or a text on many of them; cache-redis.test and random.test, for cache-run.
    config.excludes += ["docs", "bench", "install", "recorded.test",
                        "conformance.test", "exchanges.test", "riscv32.test",
                        "xtensa.test", "stages.test", "nests.test",
                        "skip-blocks.test", "mutation.test", "cache-run.test"]
    # mlir-opt has the runtime preloaded. Debian's libMLIR is not instrumented,
    # so what LLVM's allocators poison there means nothing, nor do the leaks of
    # its mlir-opt.
    runtime = subprocess.run(
        ["clang-22", f"-print-file-name=libclang_rt.asan-{os.uname().machine}.so"],
        capture_output=True, text=True, check=True).stdout.strip()
    options = "allow_user_poisoning=0"
    config.environment["ASAN_OPTIONS"] = options
    opt_prefix = (f"env LD_PRELOAD={runtime} "
                  f"ASAN_OPTIONS={options}:detect_leaks=0 ")
    config.environment["LUNA_OPT_PREFIX"] = opt_prefix

plugin = os.path.join(build_root, "lib", "LunaMLIR.so")
config.substitutions += [
    ("%luna_machines", os.path.join(source_root, "luna_target", "machines")),
    ("%luna_models", models),
    ("%onnx_testdata", onnx_testdata),
    ("%llvm_lib", os.path.join(os.path.dirname(llvm_bin), "lib")),
    ("%luna_plugin", plugin),
    ("%examples", os.path.join(source_root, "examples")),
    ("%source", source_root),
    ("%build", build_root),
    (r"(?<!\S)luna-opt(?!\S)", opt_prefix +
     os.path.join(llvm_bin, "mlir-opt") + " --load-dialect-plugin=" + plugin),
    (r"(?<!\S)lunac(?!\S)", os.path.join(build_root, "bin", "lunac")),
    (r"(?<!\S)luna-plan(?!\S)", os.path.join(build_root, "bin", "luna-plan")),
]
config.environment["PATH"] = os.pathsep.join(
    [llvm_bin, config.environment.get("PATH", os.environ["PATH"])])
# Tests of the cache name a folder and a server of their own.
config.environment["LUNA_CACHE"] = "off"
# Servers that share a cache; their programs need not be on the path.
for feature, server in {"redis": "redis-server", "nginx": "nginx"}.items():
    if shutil.which(server, path=os.environ["PATH"] + os.pathsep + "/usr/sbin"):
        config.available_features.add(feature)
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS",
             "LUNA_OPT_PREFIX"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

if os.path.isdir(models):
    config.available_features.add("models")
# The vendor's host models are no part of this project.
vendor = os.environ.get("LUNA_VENDOR", "")
config.substitutions.append(("%vendor", vendor))
if os.path.isfile(os.path.join(vendor, "venus", "linux64", "libluna.a")):
    config.available_features.add("vendor")
if os.path.isdir(onnx_testdata):
    config.available_features.add("onnx-testdata")
# The tools of the chips' cores: compiler, C library (without which nothing was
# built for the core), and QEMU's user mode.
for core, tools in {
        "riscv32": ("riscv64-unknown-elf-gcc", "qemu-riscv32"),
        "xtensa": ("xtensa-lx106-elf-gcc", "qemu-xtensa")}.items():
    library = os.path.join(build_root, "lib", "luna", core, "libluna_run.a")
    if all(map(shutil.which, tools)) and os.path.isfile(library):
        config.available_features.add(core)
# Xtensa's windowed ABI is LLVM's own to compile and to assemble.
if all(shutil.which(tool) for tool in ("clang-22", "llvm-mc-22")):
    config.available_features.add("windowed")
