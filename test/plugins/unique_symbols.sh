#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# unique_symbols.sh LIB.so…: fails if two of the libraries define the same strong dynamic symbol. The two entry points
# of a plugin, and the linker's own symbols, are in every one of them.
set -euo pipefail
for library in "$@"; do
  llvm-readelf --dyn-symbols --wide "$library" |
    awk -v lib="$(basename "$library")" '$5 == "GLOBAL" && $7 != "UND" { sub(/@.*/, "", $8); print $8, lib }'
done |
  grep -vE '^(mlirGetDialectPluginInfo|mlirGetPassPluginInfo|_edata|_end|__bss_start|_init|_fini) ' | sort -u |
  awk '{ if ($1 == name) { print $1 " is defined by " lib " and by " $2; bad = 1 } name = $1; lib = $2 } END { exit bad }'
