"""Faults in the records and chains of compiled programs: does anything see them?

luna-mutate-records compiles a plan and puts faults, one at a time, into the
records of its products (strides, launches, borders, vector calls) and the chains
of its sums. A record that is not that of the descriptor is refused by the simulator;
each fault also runs as on a chip, where nothing checks: is it seen in the
outputs of random inputs? The chain of a sum is derived on the chip, so that
nothing can refuse it; what the outputs do not show is equal if the sum is right
for every pair of operands of 8 bits, else missed. Each model is planned for the
unit's calls, with layouts of either kind, and into calls of the library.
"""

import os
import re
import subprocess
import tempfile

from bench_util import LUNAC, progress, table

MUTATE = os.path.join(os.path.dirname(LUNAC), "luna-mutate-records")
PLANS = (["--place=unit"], ["--layout=auto"], ["--layout=calls"])
COLUMNS = ("made", "refused", "seen", "equal", "missed")
ROW = re.compile(r"^(\S+) +(\d+) made, (\d+) refused, (\d+) seen, "
                 r"(\d+) equal, (\d+) missed$", re.MULTILINE)
TIME_LIMIT_SECONDS = 900


def run(plan, arguments):
    """What luna-mutate-records prints of a plan; None if it cannot run it."""
    done = subprocess.run(
        [MUTATE, f"--seed={arguments.seed}", f"--per-kind={arguments.per_kind}",
         f"--machine={arguments.machine}", plan],
        capture_output=True, text=True, timeout=TIME_LIMIT_SECONDS)
    if done.returncode in (0, 3):
        return done.stdout
    reason = done.stderr.strip() or f"ends with {done.returncode}"
    print(f"  not run: {os.path.basename(plan)}: {reason[:150]}")
    return None


def campaign(models, arguments):
    """Prints what saw the faults, by kind; returns True if none was missed and
    some were made."""
    rows = {}
    for model in models:
        progress(os.path.basename(model))
        name = os.path.splitext(os.path.basename(model))[0]
        for options in PLANS:
            with tempfile.TemporaryDirectory() as folder:
                plan = os.path.join(folder, name + ".mlir")
                done = subprocess.run(
                    [LUNAC, "compile", model, "--emit=luna", "-o", plan,
                     f"--machine={arguments.machine}", *options],
                    capture_output=True, text=True)
                text = run(plan, arguments) if done.returncode == 0 else None
            for line in (text or "").splitlines():
                if line.startswith("missed"):
                    print("  " + line.replace(folder + "/", ""))
            for kind, *counts in ROW.findall(text or ""):
                row = rows.setdefault(kind, [0] * len(COLUMNS))
                rows[kind] = [a + int(b) for a, b in zip(row, counts)]
    lines = [(kind, *row) for kind, row in rows.items()]
    sums = [sum(line[i] for line in lines)
            for i in range(1, len(COLUMNS) + 1)]
    table(("fault", *COLUMNS), lines + [("all", *sums)])
    return sums[0] > 0 and sums[-1] == 0
