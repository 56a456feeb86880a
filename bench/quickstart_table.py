"""Prints the one table of scripts/quickstart from its statistics.

    bench/quickstart_table.py FOLDER

FOLDER holds compile.json and, for each DMA mode and branch, sync-then.json …
ping-pong-else.json.
"""

import json
import os
import sys

from bench_util import change, check_of, count, dig

MERGES = ("none", "linear", "block", "path")
STRATEGIES = ("naive", "sequential", "large-first", "short-first", "optimal")


def read(folder, name):
    with open(os.path.join(folder, name + ".json"), encoding="utf-8") as file:
        return json.load(file)


def memory_lines(stats):
    rows = dig(stats, "plan", "per_strategy")
    yield ("peak memory, bytes", *MERGES)
    for name in STRATEGIES:
        by_merge = {row["merge"]: row["total_bytes"] for row in rows
                    if row["strategy"] == name}
        yield (f"  {name}", *(count(by_merge.get(m)) for m in MERGES))
    plan = stats["plan"]
    total, bound = plan["total_bytes"], plan["lower_bound_bytes"]
    placed = plan["placement_bound_bytes"]
    yield (f"  chosen: {plan['strategy']}, {plan['merge']}", count(total),
           "", "", "")
    yield ("  placement bound", count(placed), "", "",
           "reached" if total == placed else change(total, placed))
    yield ("  lower bound", count(bound), "",
           "proven" if plan["optimal"] else "at most",
           "optimal" if plan["optimal"] else change(total, bound))


def time_lines(folder):
    yield ("cycles", "synchronous", "ping-pong", "bound", "saved")
    for branch in ("then", "else"):
        sync = read(folder, f"sync-{branch}")
        ping = read(folder, f"ping-pong-{branch}")
        before = dig(sync, "simulated", "cycles")
        after = dig(ping, "simulated", "cycles")
        name = f"if0={branch}"
        bound = next((p["bound_cycles"] for p in ping["paths"]
                      if p["path"] == name), None)
        yield (f"  {name}", count(before), count(after), count(bound),
               change(after, before))
        hazards = (sync["hazards"], ping["hazards"])
        yield ("", f"hazards {max(hazards)}", f"result {check_of(ping)}", "",
               "")


def main():
    folder = sys.argv[1]
    stats = read(folder, "compile")
    lines = [*memory_lines(stats), *time_lines(folder)]
    widths = [max(len(line[i]) for line in lines) for i in range(5)]
    rule = "-" * (sum(widths) + 8)
    print(f"\nfusion_detect on {stats['machine']}\n{rule}")
    for line in lines:
        if line[0] and not line[0].startswith(" ") and line != lines[0]:
            print(rule)
        print("  ".join([line[0].ljust(widths[0])] +
                        [c.rjust(w) for c, w in zip(line[1:], widths[1:])])
              .rstrip())
    print(rule)


main()
