#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parses every snippet of PASSES.md, runs each pass on its input and compares the result with its output.

usage: descriptions.py PASSES.md MLIR-OPT ARGUMENT...

A description shows `Input` and `Output`, or `Input and output` of a pass that changes nothing. Options stand in backticks in
the line before a snippet: "Input, with `max-ops=4`:". Both snippets are printed by the same parser, so that only names of
values may differ. In a snippet

- a fragment gets a function around it; values that it does not define become arguments of it, which have one type in both
  snippets, and what nothing uses gets a user;
- a comment that begins with `// …` stands for operations left out, any number of them; values that it names and that nothing
  else defines are theirs;
- `= …` stands for any attribute;
- aliases of the first snippet hold in the second one, too.

"Output: the error `…`." stands for an output that is none. "Output, abridged:" parses, and is neither verified nor compared:
the pass makes more than a description shows. There a name of a layout that the snippet does not define is some layout of the
tile's shape, and values come from outside of a function, too. The last line of what this prints counts passes whose output
was compared, those with one that is abridged, those without IR, and snippets that leave something out.
"""

import re
import subprocess
import sys

from examples import with_layouts

FUNCTION = "cuda_tile.module @m {\ntesting$func @f(ARGUMENTS) {\n{}\nreturn\n}\n}\n"
TILE_FUNCTION = """gpu.module @m attributes {nv_tileaa.target_spec = "sm_90a", nv_tileaa.num_warps = 4 : i32} {
nv_tileaa.func @f(ARGUMENTS) {
{}
nv_tileaa.return
}
}
"""
# An operation outside of functions, by the beginning of the snippet, and the text around it.
OUTSIDE = {
    r"func\.func\b|(builtin\.)?module\b|gpu\.module\b|cuda_tile\.module\b": "{}\n",
    r"entry\b|(cuda_tile\.)?testing\$func\b": "cuda_tile.module @m {\n{}\n}\n",
    r"llvm\.func\b|nv_tileaa\.func\b": 'gpu.module @m attributes {nv_tileaa.target_spec = "sm_90a"} {\n{}\n}\n',
}
# Anchors of passes, tried in order.
ANCHORS = [
    "builtin.module(%s)",
    "builtin.module(gpu.module(%s))",
    "builtin.module(gpu.module(nv_tileaa.func(%s)))",
    "builtin.module(cuda_tile.module(%s))",
    "builtin.module(cuda_tile.module(any(%s)))",
]
ELIDED = '"test.elided"()'
ANY = '"any attribute"'
UNSAFE = ["--mlir-very-unsafe-disable-verifier-on-parsing", "--verify-each=false"]


def snippets(part):
    """Returns (words before it, code) of each snippet of IR of a pass."""
    result = []
    for match in re.finditer(r"\n([^\n]+(?:\n[^\n]+)*)\n\n```mlir\n(.*?)^```$", part, flags=re.M | re.S):
        result.append((match[1], match[2]))
    return result


class Snippet:
    def __init__(self, words, code, inherited=""):
        self.words = words
        self.abridged = "abridged" in words
        self.elides = "// …" in code
        aliases = re.findall(r"^[#!][\w.]+ = .*\n(?:^ +.*\n)*", code, flags=re.M)
        for alias in aliases:
            code = code.replace(alias, "")
        known = {re.match(r"[#!]\w+", a)[0] for a in aliases}
        aliases = [a for a in re.findall(r"^[#!].*\n(?:^ +.*\n)*", inherited, flags=re.M) if re.match(r"[#!]\w+", a)[0] not in known] + aliases
        self.aliases = "".join(aliases)
        if self.abridged:
            names = "|".join(re.escape(re.match(r"[#!]\w+", a)[0]) for a in aliases)
            code = re.sub(r"(%s)\b" % names, lambda m: m[0].replace("#", "@known_"), code) if names else code
            code = with_layouts(code).replace("@known_", "#")
        code = code.replace("= …", "= " + ANY)
        # By number of the comment: values that it names, and the undefined ones among them, with their types.
        self.named = [[] if self.abridged else re.findall(r"%\w+", line) for line in re.findall(r"^\s*// ….*$", code, flags=re.M)]
        self.results = [{} for _ in self.named]
        code = re.sub(r"^\s*// ….*$", "ELISION", code, flags=re.M)
        self.arguments, self.uses = {}, {}
        self.around = None
        for beginning, around in OUTSIDE.items():
            if re.match(beginning, code.strip()):
                self.around = around
        if self.around is None:
            inner = re.search(r"nv_tilea|\b(arith|scf|llvm|nvvm)\.", code)
            self.around = TILE_FUNCTION if inner else FUNCTION
            self.use_rest(code)
        elif self.abridged:
            code = re.sub(r"(func [\w ]*@\w+)\(\)", r"\1(ARGUMENTS)", code, count=1)
        self.code = code.strip("\n")

    def use_rest(self, code):
        for line in code.splitlines():
            defined = re.match(r"(%\w+(?::\d+)?(?:, %\w+(?::\d+)?)*) = ", line)
            for name, count in re.findall(r"(%\w+)(?::(\d+))?", defined[1] if defined else ""):
                if len(re.findall(re.escape(name) + r"(?!\w)", code)) == 1:
                    for value in [name + "#%d" % i for i in range(int(count))] if count else [name]:
                        self.uses[value] = "none"

    def render(self, arguments=None):
        users = ""
        for value, type in self.uses.items():
            users += '\n"test.use"(%s) : (%s) -> ()' % (value, type)
        code = self.code
        for results in self.results:
            names = ", ".join(results) + " = " if results else ""
            code = code.replace("ELISION", "%s%s : () -> (%s)" % (names, ELIDED, ", ".join(results.values())), 1)
        text = self.aliases + self.around.replace("{}", code + users)
        arguments = self.arguments if arguments is None else arguments
        return text.replace("(ARGUMENTS)", "(%s)" % ", ".join("%s: %s" % pair for pair in arguments.items()))

    def learn(self, message, place):
        """Learns from `message` about the text that begins with `place`; returns whether another try makes sense."""
        if message == "use of undeclared SSA value name":
            value = re.match(r"%\w+", place)[0]
            for named, results in zip(self.named, self.results):
                if value in named and value not in results:
                    results[value] = "none"
                    return True
            if "ARGUMENTS" in self.around + self.code and value not in self.arguments:
                self.arguments[value] = "none"
                return True
        other = re.search(r"use of value '(%[\w#]+)' expects different type than prior uses: '(.*)' vs '(.*)'$", message)
        for values in [self.arguments] + self.results if other else []:
            if values.get(other[1]) == "none":
                values[other[1]] = other[2]
                return True
        if other and other[2] == "none":
            # For several results the message names the value, the text after it the number.
            value = re.match(r"%[\w#]+", place)[0]
            if self.uses.get(value) == "none":
                self.uses[value] = other[3]
                return True
        return False


def parse(command, named):
    """Learns arguments of (name, snippet), prints snippets that do not parse and returns their number."""
    failed, todo = 0, list(named)
    while todo:
        starts, line, source = [], 1, ""
        for _, snippet in todo:
            starts.append(line)
            chunk = snippet.render() + "// -----\n"
            source += chunk
            line += chunk.count("\n")
        run = subprocess.run(command + ["--split-input-file", "-o", "/dev/null"], input=source, capture_output=True, text=True)
        messages, lines = {}, source.splitlines()
        for match in re.finditer(r"^<stdin>:(\d+):(\d+): error: (.*)$", run.stderr, flags=re.M):
            index = max(i for i, start in enumerate(starts) if start <= int(match[1]))
            # One message at a time: a value with two faults is reported twice.
            messages.setdefault(index, (match[3], lines[int(match[1]) - 1][int(match[2]) - 1 :]))
        if run.returncode != 0 and not messages:
            sys.exit(run.stderr)
        again = []
        for index, text in messages.items():
            if todo[index][1].learn(*text):
                again.append(todo[index])
            else:
                print("%s: %s: %s\n%s" % (todo[index][0], todo[index][1].words, text[0], todo[index][1].render()))
                failed += 1
        todo = again
    return failed


def same(expected, actual, names):
    """Compares lines up to the names of values, which `names` maps one to one; a comment matches any lines left out."""
    for i, line in enumerate(expected):
        if ELIDED in line:
            rest = expected[i + 1 :]
            return any(same(rest, actual[i + n :], dict(names)) for n in range(len(actual) - i + 1))
        if i >= len(actual):
            return False
        if re.search(r" @\w+.* \{$", line):
            names.clear()  # a symbol with a body: its values have names of their own
        token = r"%[\w#]+|\^\w+"
        left, right = re.findall(token, line), re.findall(token, actual[i])
        pattern = re.escape(re.sub(token, "%", line).strip()).replace(re.escape(ANY), ".+")
        if not re.fullmatch(pattern, re.sub(token, "%", actual[i]).strip()):
            return False
        for a, b in zip(left, right):
            if names.setdefault("<" + a, b) != b or names.setdefault(">" + b, a) != a:
                return False
    return len(expected) == len(actual)


def body(text, elides):
    """Returns lines of printed IR, without locations; users are dropped if some of them are left out."""
    lines = re.sub(r'loc\("<stdin>":\d+:\d+\)', "loc(unknown)", text).splitlines()
    return [line for line in lines if line.strip() and not (elides and '"test.use"' in line)]


def main():
    command = sys.argv[2:] + ["--allow-unregistered-dialect"]
    document = open(sys.argv[1]).read()
    passes, whole, abridged, errors = [], [], [], {}
    for part in re.split(r"^### ", document, flags=re.M)[1:]:
        name = part.splitlines()[0].strip("`-")
        found, shown = [], snippets(part)
        for words, code in shown:
            found.append(Snippet(words, code, found[0].aliases if found else ""))
            (abridged if found[-1].abridged else whole).append((name, found[-1]))
        options = " ".join(option for words, _ in shown for option in re.findall(r"`([\w-]+=[^`]*)`", words))
        error = re.search(r"^Output: the error `([^`]*)`", part, flags=re.M)
        errors[name] = error and error[1].replace("\n", " ")
        passes.append((name, found, options))
    failed = parse(command, whole) + parse(command + UNSAFE, abridged)
    compared = 0
    for name, found, options in passes if not failed else []:
        if not found or any(snippet.abridged for snippet in found):
            continue
        before, after = found[0], found[-1]
        arguments = {**before.arguments, **after.arguments}
        debug = ["--mlir-print-debuginfo"] if "loc(" in after.code else []
        print_only = command + ["--mlir-print-local-scope"] + debug
        for anchor in ANCHORS:
            # An anchor that the input lacks accepts every pass and runs none.
            if not all(operation in before.render() for operation in re.findall(r"((?:gpu|cuda_tile|nv_tileaa)\.\w+)\(", anchor)):
                continue
            pipeline = anchor % (name + ("{%s}" % options if options else ""))
            run = subprocess.run(print_only + ["--pass-pipeline=" + pipeline], input=before.render(arguments), capture_output=True, text=True)
            if not re.search("unable to schedule pass|restricted to", run.stderr):
                break
        if errors[name]:
            if run.returncode == 0 or errors[name] not in run.stderr:
                print("%s: expected the error %s, got\n%s" % (name, errors[name], run.stderr))
                failed += 1
            compared += 1
            continue
        if run.returncode != 0:
            print("%s: %s" % (name, run.stderr))
            failed += 1
            continue
        expected = subprocess.run(print_only, input=after.render(arguments), capture_output=True, text=True)
        if same(body(expected.stdout, after.elides), body(run.stdout, after.elides), {}):
            compared += 1
        else:
            print("%s: expected\n%s\ngot\n%s" % (name, expected.stdout + expected.stderr, run.stdout))
            failed += 1
    bare = [name for name, found, _ in passes if not found]
    print("%d compared, %d abridged, %d without IR, %d leave something out" % (compared, sum(any(s.abridged for s in found) for _, found, _ in passes), len(bare), sum(s.elides for _, s in whole + abridged)))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
