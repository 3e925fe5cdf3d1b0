# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Selects the cases of a sweep that a test runs: `--slice N` takes N of them.

The name of the test determines the selection, so that a passing commit keeps passing. `--rotate` uses the day of the
year instead: the nightly tests visit all cases over time. `--turn` repeats the selection that either of them has
printed.
"""

import datetime
import os
import zlib


def add_options(parser):
    parser.add_argument("--slice", type=int, help="how many cases (default: all)")
    parser.add_argument("--rotate", action="store_true", help="other cases each day")
    parser.add_argument("--turn", type=int, help="which cases, as printed")
    shards = int(os.environ.get("TEST_TOTAL_SHARDS", 1))
    shard = int(os.environ.get("TEST_SHARD_INDEX", 0))
    parser.add_argument("--part", default=f"{shard + 1}/{shards}", help="of so many (default: the shard's)")


def choose(options, total, step):
    """Returns numbers of the cases to run. `step` is coprime to `total`, so that repeated selections visit all of
    them."""
    if "TEST_SHARD_STATUS_FILE" in os.environ:
        open(os.environ["TEST_SHARD_STATUS_FILE"], "w").close()
    numbers = range(total)
    if options.slice:
        turn = options.turn
        if turn is None and options.rotate:
            turn = datetime.date.today().timetuple().tm_yday
        if turn is None:
            turn = zlib.crc32(os.environ.get("TEST_TARGET", "").encode()) % 1000
        numbers = [(turn * options.slice + i) * step % total for i in range(options.slice)]
        print(f"turn {turn}: cases {numbers}")
    part, parts = map(int, options.part.split("/"))
    return list(numbers)[part - 1::parts]
