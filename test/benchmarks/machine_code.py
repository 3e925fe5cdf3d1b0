# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the text of nvdisasm: functions, instructions, control flow and the loop nest.

`Module(text)` takes the output of `nvdisasm FILE.cubin`, or of `nvdisasm -c`, which lacks the attributes. A loop is a
natural loop: the blocks from which a branch back to a block that dominates it is reached without passing that block.
Retry blocks of barrier waits, which ptxas places after the kernel, belong to the loop whose wait they retry.
"""

import re
import subprocess

LINE = re.compile(r"^\s+/\*([0-9a-f]{4,})\*/\s+(?:(@!?U?P\w+)\s+)?([A-Z][\w.]*)\s*(.*?)\s*;\s*$")
LABEL = re.compile(r"^(\.L_x_\d+|\$?[\w.$]+):\s*$")
REFERENCE = re.compile(r"`\((.+?)\)")
PREDICATE = re.compile(r"^(?:\w+\s+)?!?U?P[0-6]\b")
# Instructions without a predicate after which control does not reach the next one.
ENDS = ("EXIT", "BRA", "BRX", "BRXU", "JMP", "JMX", "JMXU", "RET", "BREAK", "KILL", "RTT")
BRANCHES = ("BRA", "JMP", "BRX", "BRXU", "JMX", "JMXU")


class Instruction:
    """One machine instruction. `op` is the whole mnemonic, `base` its part before the first dot."""

    __slots__ = ("address", "predicate", "op", "base", "parts", "operands")

    def __init__(self, address, predicate, op, operands):
        self.address, self.predicate, self.op, self.operands = address, predicate, op, operands
        self.parts = op.rstrip(".").split(".")
        self.base = self.parts[0]

    def targets(self):
        """Returns the possible target labels of a branch."""
        listed = re.search(r'BRANCH_TARGETS ([^"]*)', self.operands)
        return listed.group(1).split(",") if listed else REFERENCE.findall(self.operands)

    def conditional(self):
        """Returns whether control may also reach the next instruction."""
        if self.predicate and self.predicate not in ("@PT", "@UPT"):
            return True
        return self.base in BRANCHES and bool(PREDICATE.match(self.operands))

    def __repr__(self):
        return f"{self.address:04x} {self.predicate or ''} {self.op} {self.operands}"


class Block:
    """Straight-line instructions; `successors` are indices of blocks."""

    def __init__(self, index, first, last):
        self.index, self.first, self.last = index, first, last  # instruction indices, `last` excluded
        self.successors, self.predecessors = [], []


class Loop:
    """One natural loop: `blocks` are indices, `depth` counts from 1, `parent` is the loop around it."""

    def __init__(self, header, blocks):
        self.header, self.blocks = header, blocks
        self.parent, self.depth, self.children = None, 1, []


class Function:
    """One function of the text: `instructions`, `blocks` and `loops` (headers in order of address)."""

    def __init__(self, name):
        self.name = name
        self.instructions = []
        self.labels = {}  # label: index of the instruction that follows it
        self.blocks = []
        self.loops = []

    def analyse(self):
        self._split()
        self._find_loops()

    def loop_instructions(self, loop):
        """Returns instructions of `loop` and of its inner loops, in order of address."""
        return [i for b in sorted(loop.blocks) for i in self.instructions[self.blocks[b].first : self.blocks[b].last]]

    def _split(self):
        starts = {0}
        for at, instruction in enumerate(self.instructions):
            if instruction.base in BRANCHES or instruction.base in ENDS or instruction.base == "CALL":
                starts.add(at + 1)
                starts.update(self.labels[t] for t in instruction.targets() if t in self.labels)
        edges = sorted(s for s in starts if s < len(self.instructions)) + [len(self.instructions)]
        self.blocks = [Block(n, a, b) for n, (a, b) in enumerate(zip(edges, edges[1:]))]
        by_start = {b.first: b.index for b in self.blocks}
        self._called = set()
        for block in self.blocks:
            last = self.instructions[block.last - 1]
            after = set()
            reached = [by_start[self.labels[t]] for t in last.targets() if t in self.labels and self.labels[t] in by_start]
            if last.base in BRANCHES:
                after.update(reached)
            elif last.base == "CALL":
                self._called.update(reached)  # a function of its own: it returns after the call
            if (last.base not in ENDS or last.conditional()) and block.index + 1 < len(self.blocks):
                after.add(block.index + 1)
            block.successors = sorted(after)
            for s in after:
                self.blocks[s].predecessors.append(block.index)

    def _order(self):
        """Returns the reachable blocks in reverse postorder, from the entry and from called functions. Iterative,
        because blocks are many."""
        seen, order = set(), []
        for root in [0] + sorted(self._called):
            if root in seen or not self.blocks:
                continue
            seen.add(root)
            stack = [(root, iter(self.blocks[root].successors))]
            while stack:
                block, rest = stack[-1]
                step = next((s for s in rest if s not in seen), None)
                if step is None:
                    order.append(block)
                    stack.pop()
                else:
                    seen.add(step)
                    stack.append((step, iter(self.blocks[step].successors)))
        return order[::-1]

    def _dominators(self):
        """Returns {block: immediate dominator}; a virtual block -1 precedes all roots (Cooper, Harvey, Kennedy)."""
        order = self._order()
        place = {b: n for n, b in enumerate(order)}
        place[-1] = -1
        up = {-1: -1}
        for root in [0] + sorted(self._called):
            up[root] = -1
        changed = True
        while changed:
            changed = False
            for block in order:
                sources = [p for p in self.blocks[block].predecessors if p in up and p in place]
                if block == 0 or block in self._called:
                    sources.append(-1)
                best = sources[0]
                for other in sources[1:]:
                    while best != other:
                        while place[best] > place[other]:
                            best = up[best]
                        while place[other] > place[best]:
                            other = up[other]
                if up.get(block) != best:
                    up[block] = best
                    changed = True
        return up

    def _find_loops(self):
        if not self.blocks:
            return
        up = self._dominators()

        def dominates(a, b):
            while b not in (a, -1):
                b = up[b]
            return a == b

        bodies = {}
        for block in self.blocks:
            for head in block.successors:
                if block.index in up and dominates(head, block.index):
                    body, work = bodies.setdefault(head, {head}), [block.index]
                    while work:
                        b = work.pop()
                        if b not in body and b in up:
                            body.add(b)
                            work += self.blocks[b].predecessors
        self.loops = [Loop(h, bodies[h]) for h in sorted(bodies, key=lambda h: self.blocks[h].first)]
        for inner in self.loops:
            around = [o for o in self.loops if o is not inner and inner.header in o.blocks and inner.blocks <= o.blocks]
            if around:
                inner.parent = min(around, key=lambda o: len(o.blocks))
                inner.parent.children.append(inner)
            inner.depth = len(around) + 1


class Module:
    """All functions of one cubin and, per kernel, the attributes that nvdisasm names (`attributes[kernel][NAME]`)."""

    def __init__(self, text):
        self.target = (re.search(r"^\s*\.target\s+(\w+)", text, re.M) or [None, ""])[1]
        self.functions, self.attributes, self.sections = [], {}, {}
        self.entries = set(re.findall(r'\.other\s+([\w.$]+),\s*@"STO_CUDA_ENTRY', text))
        self._read_code(text)
        self._read_attributes(text)
        for function in self.functions:
            function.analyse()

    def _read_code(self, text):
        function, inside = None, False
        for line in text.splitlines():
            if line.startswith("//----"):
                name = line.split()[1] if len(line.split()) > 1 else ""
                inside = name.startswith(".text.")
                if inside:
                    function = Function(name[len(".text.") :])
                    self.functions.append(function)
                continue
            if not inside:
                continue
            found = LINE.match(line)
            if found:
                address, predicate, op, operands = found.groups()
                function.instructions.append(Instruction(int(address, 16), predicate, op, operands))
                continue
            label = LABEL.match(line)
            if label:
                function.labels[label.group(1)] = len(function.instructions)

    def _read_attributes(self, text):
        """`.nv.info` words: those of the module name a kernel in their first word, those of a kernel's section do not."""
        section, attribute, words = "", None, []

        def finish():
            if not attribute or not words:
                return
            if section == ".nv.info":
                self.attributes.setdefault(words[0], {})[attribute] = words[1:]
            elif section.startswith(".nv.info."):
                self.attributes.setdefault(section[len(".nv.info.") :], {}).setdefault(attribute, words[:])

        for line in text.splitlines():
            if line.startswith("//----"):
                finish()
                attribute, words = None, []
                section = line.split()[1] if len(line.split()) > 1 else ""
            elif "//----- nvinfo : " in line:
                finish()
                attribute, words = line.split(":")[1].strip().removeprefix("EIATTR_"), []
            elif attribute and section.startswith(".nv.info"):
                data = re.search(r"\.(word|short|byte)\s+(.*)", line)
                if data and data.group(1) == "word":
                    words += [self._word(w.strip()) for w in data.group(2).split(",")]
                elif data and data.group(1) == "byte" and not words:
                    form = [int(b, 16) for b in data.group(2).split(",") if b.strip().startswith("0x")]
                    if len(form) == 4:  # a value inside the header
                        words.append(form[2] | form[3] << 8)
            elif section.startswith(".nv.shared.") and ".zero" in line:
                self.sections[section] = self.sections.get(section, 0) + int(line.split()[1], 0)
        finish()

    @staticmethod
    def _word(text):
        named = re.match(r"index@\((.*)\)", text)
        if named:
            return named.group(1)
        return int(text, 0) if re.fullmatch(r"(0x)?[0-9a-f]+", text) else text


def disassemble(nvdisasm, cubin):
    """Returns the text of `cubin`; RuntimeError with nvdisasm's output if it rejects the file."""
    done = subprocess.run([nvdisasm, cubin], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{cubin}: {(done.stderr or done.stdout).strip()}")
    return done.stdout
