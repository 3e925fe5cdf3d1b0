# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""editors.py README SERVER: checks that the samples for editors are well formed, and that SERVER accepts their
options."""
import json
import os
import re
import subprocess
import sys
import tomllib

PROGRAM = "/opt/tileir/bin/tileir-lsp-server"
with open(os.path.normpath(sys.argv[1]), encoding="utf-8") as file:
    blocks = dict(re.findall(r"^```(\w+)\n(.*?)^```", file.read(), re.M | re.S))
toml = tomllib.loads(blocks["toml"])
server = toml["language-server"][toml["language"][0]["language-servers"][0]]
commands = {
    "json": [json.loads(blocks["json"])["mlir.server_path"]],
    "toml": [server["command"], *server["args"]],
    "lua": re.findall(r"'([^']*)'", re.search(r"cmd = \{(.*?)\}", blocks["lua"])[1]),
    "elisp": re.findall(r'"([^"]*)"', blocks["elisp"]),
}
assert commands.keys() == blocks.keys(), blocks.keys()
for name, (program, *options) in commands.items():
    assert program == PROGRAM, (name, program)
    said = subprocess.run([sys.argv[2], *options, "--version"], check=True, capture_output=True, text=True).stdout
    print(name, *options, said.split(":")[0])
