# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""again.py LIST TOOL INPUT: checks that a printed pipeline, parsed by the tool and printed again, is the same."""
import re
import subprocess
import sys

text = open(sys.argv[1]).read().strip()
run = subprocess.run([sys.argv[2], sys.argv[3], "--pass-pipeline=" + text, "--dump-pass-pipeline", "-o", "/dev/null"],
                     stderr=subprocess.PIPE, text=True)  # there is nothing to compile
printed = run.stderr.split("Pass Manager with", 1)[1].split(":", 1)[1].split("\n\n")[0]
squeeze = lambda pipeline: re.sub(r"\s+", "", pipeline)
if squeeze(printed) != squeeze(text):
    sys.exit(f"expected {text}\ngot {printed}")
