#!/usr/bin/env python3
"""Turns onnx_bodies.txt into C that builds the nodes of each body.

usage: make_bodies.py TEXT

The text has the syntax of Python functions: inputs, after `*` attributes with
what they are if absent. Calls of capital letters are nodes (`**attributes`: with those of the function); a
list is a constant of int64, a number one of the type of the node's last value.
Calls of small letters are those of onnx_body.h. Prints to the standard output.
"""

import ast
import sys

OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/",
             ast.FloorDiv: "/", ast.Mod: "%", ast.Eq: "==", ast.NotEq: "!=",
             ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
             ast.And: "&&", ast.Or: "||", ast.Not: "!", ast.USub: "-"}
VALUE, INT, FLOAT, TEXT, INTS = "LunaOnnxValue *", "int64_t ", "double ", "", "LunaOnnxInts "

CALLS = {"scalar": VALUE, "sqrt": FLOAT, "infinity": FLOAT, "range": INTS,
         "swapped": INTS}


class Body:
    def __init__(self, function):
        self.function, self.lines, self.locals = function, [], {}
        self.types = {argument.arg: VALUE for argument in function.args.args}

    # -- expressions ---------------------------------------------------------

    def type(self, node):
        if isinstance(node, ast.Name):
            return self.types[node.id]
        if isinstance(node, ast.IfExp):
            return self.type(node.orelse if is_none(node.body) else node.body)
        if isinstance(node, ast.Constant) and node.value is None:
            return VALUE
        if isinstance(node, ast.List):
            return INTS
        if isinstance(node, ast.Call):
            name = node.func.id
            return VALUE if name[0].isupper() else CALLS.get(name, INT)
        inner = [self.type(n) for n in ast.iter_child_nodes(node)
                 if isinstance(n, ast.expr)]
        if isinstance(node, ast.Constant):
            return FLOAT if isinstance(node.value, float) else INT
        return FLOAT if FLOAT in inner and isinstance(
            node, (ast.BinOp, ast.UnaryOp)) else INT

    def expression(self, node):
        if isinstance(node, ast.Constant):
            return "NULL" if node.value is None else \
                '"%s"' % node.value if isinstance(node.value, str) else \
                repr(node.value)
        if isinstance(node, ast.Name):
            return node.id
        if isinstance(node, ast.List):
            return "LUNA_ONNX_LIST(%s)" % ", ".join(map(self.expression,
                                                        node.elts))
        if isinstance(node, ast.Compare):
            return self.comparison(node)
        if isinstance(node, ast.IfExp):
            return "(%s ? %s : %s)" % tuple(map(self.expression, (
                node.test, node.body, node.orelse)))
        if isinstance(node, ast.Call):
            return self.call(node)
        if isinstance(node, ast.UnaryOp):
            return "%s(%s)" % (OPERATORS[type(node.op)],
                               self.expression(node.operand))
        parts = node.values if isinstance(node, ast.BoolOp) else \
            [node.left, node.right]
        return "(%s)" % (" %s " % OPERATORS[type(node.op)]).join(
            map(self.expression, parts))

    def comparison(self, node):
        left, right = node.left, node.comparators[0]
        if self.types.get(getattr(left, "id", None)) == TEXT:
            return 'luna_onnx_attr_is(f->n, "%s", "%s", "%s")' % (
                left.id, self.defaults[left.id], right.value)
        return "(%s %s %s)" % (self.expression(left),
                               OPERATORS[type(node.ops[0])],
                               self.expression(right))

    def call(self, node, more=()):
        name = node.func.id
        if not name[0].isupper():
            return "luna_onnx_body_%s(f%s)" % (name, "".join(
                ", " + self.expression(a) for a in node.args))
        inputs = [self.input(a) for a in node.args]
        attributes = [self.attribute(k) for k in node.keywords if k.arg]
        inherits = len(attributes) < len(node.keywords)
        return ('luna_onnx_body_node(f, &(LunaOnnxBodyNode){.op = "%s", '
                '.input_count = %d, .inputs = {%s}, .attribute_count = %d, '
                '.attributes = {%s}, .inherits = %d, .more_count = %d, '
                '.more = {%s}})' % (
                    name, len(inputs), ", ".join(inputs), len(attributes),
                    ", ".join(attributes) or "{0}", inherits, len(more),
                    ", ".join("&" + name for name in more) or "NULL"))

    def input(self, argument):
        kind, text = self.type(argument), self.expression(argument)
        if kind in (INT, FLOAT):
            return "{.number = %s, .is_number = true}" % text
        return "{.value = %s}" % (text if kind == VALUE else
                                  "luna_onnx_body_list(f, %s)" % text)

    def attribute(self, keyword):
        if isinstance(keyword.value, ast.Constant) and isinstance(
                keyword.value.value, str):
            return '{.name = "%s", .text = "%s"}' % (keyword.arg, keyword.value.value)
        kind, field = {INT: ("NUMBER", "number"), FLOAT: ("REAL", "real"),
                       INTS: ("INTS", "list")}[self.type(keyword.value)]
        return '{.name = "%s", .kind = LUNA_ONNX_BODY_%s, .%s = %s}' % (
            keyword.arg, kind, field, self.expression(keyword.value))

    # -- statements ----------------------------------------------------------

    def declare(self, name, kind):
        if name not in self.types:
            self.locals[name] = self.types[name] = kind

    def assign(self, name, value):
        text = self.expression(value)
        self.declare(name, self.type(value))
        self.lines.append("%s = %s;" % (name, text))

    def statement(self, node):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0],
                                                       ast.Tuple):
            first, *more = [t.id for t in node.targets[0].elts]
            for name in (first, *more):
                self.declare(name, VALUE)
            self.lines.append("%s = %s;" % (first, self.call(node.value, more)))
        elif isinstance(node, ast.Assign):
            self.assign(node.targets[0].id, node.value)
        elif isinstance(node, ast.If):
            self.block("if (%s) {" % self.expression(node.test), node.body)
            if node.orelse:
                self.block("else {", node.orelse)
        elif isinstance(node, ast.For):
            first, end = map(self.expression, node.iter.args)
            name = node.target.id
            self.declare(name, INT)
            self.block("for (%s = %s; %s < %s; ++%s) {" % (
                name, first, name, end, name), node.body)
        elif isinstance(node, ast.Return):
            values = node.value.elts if isinstance(node.value, ast.Tuple) \
                else [node.value]
            for number, value in enumerate(values):
                self.lines.append("luna_onnx_body_output(f, %d, %s);" % (
                    number, self.expression(value)))
        else:
            self.lines.append(self.expression(node.value) + ";")

    def block(self, opening, statements):
        self.lines.append(opening)
        for statement in statements:
            self.statement(statement)
        self.lines.append("}")

    def attributes(self):
        arguments = self.function.args
        self.defaults = {}
        for argument, default in zip(arguments.kwonlyargs,
                                     arguments.kw_defaults):
            name = argument.arg
            value = ast.literal_eval(default)
            self.defaults[name] = value
            kind = {int: INT, float: FLOAT, str: TEXT}[type(value)]
            self.types[name] = kind
            if kind != TEXT:
                yield '%s%s = luna_onnx_attr_%s(f->n, "%s", %r);' % (
                    kind, name, "int" if kind == INT else "float", name, value)

    def text(self):
        heads = ["LunaOnnxValue *%s = luna_onnx_input(f->n, %d);" % (a.arg, i)
                 for i, a in enumerate(self.function.args.args)]
        heads += self.attributes()
        for statement in self.function.body:
            self.statement(statement)
        heads += ["%s%s = %s;" % (kind, name,
                                  "NULL" if kind == VALUE else
                                  "{0}" if kind == INTS else "0")
                  for name, kind in self.locals.items()]
        names = [a.arg for a in self.function.args.args]
        names += [name for name, value in self.defaults.items()
                  if not isinstance(value, str)]
        heads += ["(void)%s;" % name for name in names]
        return "static void body_%s(LunaOnnxBody *f) {\n  %s\n}\n" % (
            self.function.name, "\n  ".join(heads + self.lines))


def is_none(node):
    return isinstance(node, ast.Constant) and node.value is None


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        functions = ast.parse(file.read()).body
    print('// Written by make_bodies.py.\n\n#include "onnx_body.h"\n')
    for function in functions:
        print(Body(function).text())
    print("const LunaOnnxBodyRow luna_onnx_bodies[] = {")
    for function in functions:
        print('    {"%s", body_%s},' % (function.name, function.name))
    print("    {NULL, NULL},\n};")


if __name__ == "__main__":
    main()
