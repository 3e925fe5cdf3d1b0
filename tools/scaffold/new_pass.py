#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the files of a pass that changes nothing yet, and enters it where its family lists its passes.

    tools/scaffold/new_pass.py tileas tileas-count-loops "Counts the loops of a function"

FAMILY is a folder of passes/, ARGUMENT the name of the pass in a pipeline; the third is its summary. The class is the argument
in CamelCase (tileas -> TileAS). Afterwards `bazel test //test/passes/FAMILY:ARGUMENT.mlir.test` passes; docs/develop/extending.md says
what comes next.
"""
import os
import re
import sys

WORDS = {"tileas": "TileAS", "tileaa": "TileAA", "tileir": "TileIR", "llvm": "LLVM", "nvvm": "NVVM", "gpu": "GPU", "fma": "FMA",
         "cudatile": "CudaTile"}

TD = """// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef {guard}
#define {guard}

include "mlir/Pass/PassBase.td"

def {name} : Pass<"{argument}"> {{
  let summary = "{summary}";
  let description = [{{
    Changes nothing yet.

    Input:

    ```mlir
    func.func @f() {{
      return
    }}
    ```

    Output:

    ```mlir
    func.func @f() {{
      return
    }}
    ```
  }}];
}}

#endif // {guard}
"""

CPP = """// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

{remarks}#include "mlir/IR/Operation.h"
#include "mlir/Pass/Pass.h"

#define DEBUG_TYPE "{argument}"

namespace tileir {{

#define GEN_PASS_DECL_{upper}
#define GEN_PASS_DEF_{upper}
#include "passes/{family}/{name}.h.inc"

namespace {{

using namespace mlir;

struct {name} final : impl::{name}Base<{name}> {{
  using {name}Base::{name}Base;

  void runOnOperation() override;
}};

}} // namespace

void {name}::runOnOperation() {{ markAllAnalysesPreserved(); }}

}} // namespace tileir
"""

TEST = """// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt %s --load-pass-plugin=%{so} --pass-pipeline='builtin.module({argument})' | FileCheck %s

// CHECK-LABEL: func.func @f()
func.func @f() {{
  // CHECK-NEXT: return
  return
}}
"""


def fail(why):
    sys.exit("error: " + why)


def write(path, text):
    if os.path.exists(path):
        fail("'%s' is there already" % path)
    with open(path, "w") as file:
        file.write(text)
    print(path)


def insert_sorted(path, pattern, line):
    """Inserts `line` in order into the run of lines that match `pattern`."""
    with open(path) as file:
        lines = file.readlines()
    at = [number for number, text in enumerate(lines) if re.match(pattern, text)]
    if not at:
        fail("'%s' has no list of passes to enter '%s' into" % (path, line.strip()))
    place = next((number for number in at if lines[number] > line), at[-1] + 1)
    lines.insert(place, line)
    with open(path, "w") as file:
        file.writelines(lines)
    print(path)


def main():
    if any(argument in ("-h", "--help") for argument in sys.argv[1:]):
        print(__doc__.strip())
        return
    if len(sys.argv) != 4:
        fail("expected FAMILY ARGUMENT SUMMARY; see --help")
    family, argument, summary = sys.argv[1:]
    os.chdir(os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", ".."))
    folder = os.path.join("passes", family)
    build = os.path.join(folder, "BUILD.bazel")
    if not os.path.exists(build):
        fail("'%s' is no family of passes" % folder)
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", argument):
        fail("'%s' is no name of a pass: words of small letters with '-' between" % argument)
    name = "".join(WORDS.get(word, word.capitalize()) for word in argument.split("-"))
    with open(build) as file:
        text = file.read()
    so = re.search(r'so = "([^"]+)"', text)[1]
    passes = re.search(r"    passes = \[\n((?:        .*\n)+)    \],\n", text)
    if not passes:
        fail("'%s' lists its passes on one line; give each a line" % build)
    listed = sorted(passes[1].splitlines(True) + ['        "%s",\n' % name])
    guard = "PASSES_%s_%s_TD" % (family.upper(), name.upper())
    values = dict(name=name, argument=argument, summary=summary, family=family, guard=guard, upper=name.upper(), so=so,
                  remarks='#include "passes/analysis/Remarks.h"\n\n' if '"//passes/analysis"' in text else "")
    write(os.path.join(folder, name + ".td"), TD.format(**values))
    write(os.path.join(folder, name + ".cpp"), CPP.format(**values))
    write(os.path.join("test", "passes", family, argument + ".mlir"), TEST.format(**values))
    with open(build, "w") as file:
        file.write(text[:passes.start(1)] + "".join(listed) + text[passes.end(1):])
    print(build)
    insert_sorted(os.path.join(folder, "Passes.td"), r'include "passes/', 'include "passes/%s/%s.td"\n' % (family, name))
    print("next: tools/lint/docs.sh --fix, a line in %s/README.md, docs/develop/extending.md" % folder)


if __name__ == "__main__":
    main()
