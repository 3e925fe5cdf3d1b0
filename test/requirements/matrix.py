# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lists which test covers which numbered requirement, and its result: matrix.py [--check] [NUMBER...]

Reads the checkout: a test covers a number if its text names it (`S-040`, or a range: `S-040 to S-045`). Results are
those of the last `bazel test` here. --check prints gaps only, and fails if there are any."""
import os
import re
import subprocess
import sys
from xml.etree import ElementTree

root = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
digits = {"S": 3, "CLI": 1, "LA": 1}
named = re.compile(r"\b(S|CLI|LA)-(\d+)(?:\s*(?:to|…|\.\.\.)\s*(?:and\s+)?\1-(\d+))?")


def text(family, number):
    return f"{family}-{number:0{digits[family]}}"


def numbers():
    """Maps numbers to (priority, subject), in the order of the list."""
    found = {}
    for line in open(f"{root}/test/requirements/numbers.txt", encoding="utf-8"):
        if not line.startswith("#") and line.strip():
            family, span, priority, subject = line.split(None, 3)
            first, last = map(int, span.split("-"))
            for number in range(first, last + 1):
                found[text(family, number)] = (priority, subject.strip())
    return found


def labels(path, builds):
    """Returns the test targets that use a file."""
    folder, name = os.path.split(path)
    while folder not in builds and folder:
        folder = os.path.dirname(folder)
    build = builds.get(folder)
    if build is None:
        return []
    inner = os.path.relpath(path, folder) if folder else path
    found = []
    if re.search(r"(^|/)test/", path) and os.path.splitext(path)[1] in (".mlir", ".test", ".ll", ".ptx"):
        if os.path.dirname(path) == folder:
            found.append((f"//{folder}:{name}.test", tags_of(build, name)))
    for rule in re.findall(r"^\w+\(\n(?:.*\n)*?\)", build, re.M):
        if f'"{inner}"' in rule and re.match(r"tileir_gtest|sh_test|py_test|cc_test", rule):
            target = re.search(r'name = "([^"]+)"', rule)
            if target:
                found.append((f"//{folder}:{target[1]}", re.findall(r'"(manual|peer|gpu)"', rule)))
    return found


def tags_of(build, name):
    """Returns tags of the call that declares a file under its own name or the name of a list."""
    tags = []
    for rule in re.findall(r"^tileir_lit_tests\(\n(?:.*\n)*?\)", build, re.M):
        lists = re.findall(r"^\s+srcs = (_\w+)", rule, re.M)
        listed = any(re.search(rf"^{one} = [^)\]]*\"{re.escape(name)}\"", build, re.M | re.S) for one in lists)
        if listed or f'"{name}"' in rule.split("exclude")[0]:
            tags += re.findall(r'"(manual|peer|gpu)"', rule)
    return tags


def result(label):
    package, target = label[2:].split(":")
    path = f"{root}/bazel-testlogs/{package}/{target}/test.xml"
    try:
        suites = ElementTree.parse(path).getroot()
    except (OSError, ElementTree.ParseError):
        return "not run"
    bad = sum(int(suite.get(key, 0)) for suite in suites.iter("testsuite") for key in ("failures", "errors"))
    return "FAILED" if bad else "passed"


def main():
    arguments = sys.argv[1:]
    check = "--check" in arguments
    wanted = [a for a in arguments if not a.startswith("--")]
    known = numbers()
    files = subprocess.run(["git", "ls-files"], cwd=root, check=True, stdout=subprocess.PIPE, text=True).stdout.split("\n")
    builds = {os.path.dirname(f): open(f"{root}/{f}", encoding="utf-8").read() for f in files
              if os.path.basename(f) in ("BUILD", "BUILD.bazel")}
    tests, unknown = {}, []
    for path in files:
        base, extension = os.path.splitext(path)
        if not (path.startswith("test/") and extension in (".mlir", ".test", ".ll", ".py", ".sh", ".ptx")
                or extension == ".cpp" and base.endswith("Test")):
            continue
        with open(f"{root}/{path}", encoding="utf-8", errors="replace") as file:
            content = file.read()
        for family, first, last in named.findall(content):
            for number in range(int(first), int(last or first) + 1):
                name = text(family, number)
                if name not in known:
                    if not last:
                        unknown.append(f"{path} names {name}, which is no requirement")
                    continue
                for label, tags in labels(path, builds):
                    tests.setdefault(name, {})[label] = tags
    gaps = [f"{name} ({subject}) has no test" for name, (_, subject) in known.items()
            if not any("manual" not in tags for tags in tests.get(name, {}).values())]
    if not check:
        for name, (priority, subject) in known.items():
            if wanted and name not in wanted:
                continue
            rows = sorted(tests.get(name, {}).items())
            for label, tags in rows or [("-", [])]:
                mark = f" [{', '.join(sorted(set(tags)))}]" if tags else ""
                print(f"{name:7} {priority}  {subject:28} {label}{mark}  {result(label) if label != '-' else 'NONE'}")
    for line in gaps + unknown:
        print(line)
    print(f"{len(known)} requirements, {len(known) - len(gaps)} with a test, {len(gaps)} without")
    return bool(gaps or unknown)


sys.exit(main())
