"""Prints the operators of the unit as LunaOps.td has them, in the columns of
luna-unit-docs: operator, operands, attributes. Where its constants are packed,
`params` or `folded_zp`, is no part of what an operator computes.

    units_of_ods.py RECORDS.json   (llvm-tblgen --dump-json)
"""

import json
import re
import sys


def operand(name, constraint):
    return f"[{name}]" if "Optional" in constraint["!superclasses"] else name


def attribute(name, attr):
    if attr["isOptional"] or attr["!name"] == "UnitAttr":
        return f"{name} = 0"
    values = set(re.findall(r"-?\d+", attr["defaultValue"] or ""))
    assert len(values) <= 1, f"{name}: {attr['defaultValue']} is not uniform"
    return " = ".join([name, *values])


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        records = json.load(file)
    for name in records["!instanceof"]["Op"]:
        op = records[name]
        if "Luna_UnitOp" not in op["!superclasses"]:
            continue
        arguments = [(argument, records[kind["def"]])
                     for kind, argument in op["arguments"]["args"]]
        is_attr = [attr["!name"] in records["!instanceof"]["Attr"]
                   for _, attr in arguments]
        operands = [operand(*item)
                    for item, other in zip(arguments, is_attr) if not other]
        attributes = [attribute(*item)
                      for item, other in zip(arguments, is_attr)
                      if other and item[0] not in ("params", "folded_zp")]
        print(f"| `luna.{op['opName']}` | {', '.join(operands)} | "
              f"{', '.join(attributes)} ")


main()
