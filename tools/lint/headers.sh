#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks the allowed includes (the table in docs/design/architecture.md) and forbidden names.
set -uo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.." || exit
status=0
# forbid FOLDER PATTERN REASON: no source below FOLDER includes a header that matches PATTERN.
forbid() {
  local found
  found=$(git ls-files "$1" | grep -E '\.(cpp|h)$' | grep -vE "${4:-^$}" | xargs -r grep -nE "^#include [\"<]($2)" /dev/null)
  if [ -n "$found" ]; then
    printf '%s\n%s\n' "$3:" "$found"
    status=1
  fi
}
# A family is a folder of passes with a plugin.
families=$(git ls-files 'passes/*/Passes.td' | cut -d/ -f2)
forbid dialects/support '(llvm|mlir)/' 'dialects/support is C++17 alone; only Plugin.h includes MLIR' 'dialects/support/Plugin.h'
forbid dialects 'passes/|pipelines/|serialize/|tools/' 'a dialect includes no pass, pipeline, serializer or tool' 'dialects/cuda_tile/reference/'
forbid dialects/cuda_tile 'dialects/nv_' 'cuda_tile knows no dialect below it'
forbid dialects/nv_tileaa 'dialects/nv_tileas' 'nv_tileaa knows no dialect below it'
forbid passes/analysis "passes/($(paste -sd'|' <<<"$families"))/" 'passes/analysis includes no family'
for family in $families; do
  others=$(grep -vx "$family" <<<"$families" | paste -sd'|')
  forbid "passes/$family" "passes/($others)/" "passes/$family includes no other family"
done
if git ls-files -z 'passes/*/BUILD.bazel' |
  xargs -0 grep -nE "\"//passes/($(paste -sd'|' <<<"$families"))[:/]" /dev/null |
  grep -E ':__(pkg|subpackages)__'; then
  echo "no family of passes is visible to another one"
  status=1
fi
forbid serialize 'passes/|pipelines/|dialects/(cuda_tile|nv_tileaa|nv_tileas)/' 'serialize includes no tile dialect, pass or pipeline'
for folder in tileir-run launch; do
  forbid "tools/$folder" '(llvm|mlir)/' 'tileir-run has no LLVM'
done
for folder in emulator cases; do
  forbid "tools/$folder" '(llvm|mlir|passes|pipelines|serialize)/' "tools/$folder is C++17, the target table and the launch ABI"
done
# A tool includes no other tool; a library of the tools includes none at all.
mapfile -t tools < <(git ls-files 'tools/*/main.cpp' | cut -d/ -f2)
for folder in $(git ls-files 'tools/*.cpp' | cut -d/ -f2 | sort -u); do
  others=$(printf '%s\n' "${tools[@]}" | grep -vx "$folder" | paste -sd'|')
  forbid "tools/$folder" "tools/($others)/" "tools/$folder includes no tool's folder"
done
# An include guard is named after the path.
while IFS= read -r h; do
  guard=$(printf '%s' "$h" | tr 'a-z/.-' 'A-Z___')
  grep -q "#ifndef $guard\$\|#pragma once" "$h" || { echo "$h: include guard is not $guard"; status=1; }
done < <(git ls-files 'dialects/*.h' 'passes/*.h' 'pipelines/*.h' 'serialize/*.h' 'tools/*.h')
# A dot carries the decision on its MMA; a predicate with such a name would guess the kind again.
if git ls-files 'passes/*.h' 'passes/*.cpp' |
  xargs grep -nE '\b(is[A-Za-z]*For[A-Z]\w*|\w*Sure[A-Z]\w*|prefers[A-Z]\w*)\((mlir::nv_tileas|as)::DotOp'; then
  echo "read the kind of a dot from its attribute (isAssigned)"
  status=1
fi
# The name of a pass for TILEIR_DEBUG is its argument.
while IFS= read -r source; do
  argument=$(sed -n 's/.*Pass<"\([^"]*\)".*/\1/p' "${source%.cpp}.td" 2>/dev/null | head -1)
  type=$(sed -n 's/^#define DEBUG_TYPE "\(.*\)"$/\1/p' "$source")
  if [ -n "$argument" ] && [ -n "$type" ] && [ "$type" != "$argument" ]; then
    echo "$source: DEBUG_TYPE is '$type', the pass is '$argument'"
    status=1
  fi
  if grep -q 'TILEIR_LOG()' "$source" && [ -z "$type" ]; then
    echo "$source: TILEIR_LOG without a DEBUG_TYPE"
    status=1
  fi
done < <(git ls-files 'passes/*.cpp')
exit $status
