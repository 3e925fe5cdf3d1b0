#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# PK-5: the wheel installs with pip, runs with nothing else on the path except pip's packages beside it, and starts on a
# system with glibc 2.34. NVIDIA's two wheels are those that set-up installed.
set -euo pipefail
fail() { echo "FAILED: $*"; exit 1; }
wheel=$(ls "$PWD"/packages/wheel/*.whl)
case $wheel in
*/tileir-[0-9]*-py3-none-manylinux_2_34_x86_64.whl) ;;
*) fail "a name that pip does not take: $wheel" ;;
esac
size=$(stat -Lc %s "$wheel")
[ "$size" -le 60000000 ] || fail "$size bytes are more than 60 MB"

# No program or library needs more than glibc 2.34; programs include everything else.
/usr/bin/python3 -m zipfile -e "$wheel" "$TEST_TMPDIR/unpacked"
cd "$TEST_TMPDIR/unpacked"
programs=0
for file in tileir/bin/* tileir/lib/lib*; do
  case $(head -c 4 "$file") in $'\x7fELF') ;; *) continue ;; esac
  programs=$((programs + 1))
  newest=$(objdump -T "$file" 2>/dev/null | grep -oE 'GLIBC_2\.[0-9]+' | sort -uV | tail -n 1 || true)
  [ "$(printf '%s\n' GLIBC_2.34 "$newest" | sort -V | tail -n 1)" = GLIBC_2.34 ] || fail "$file needs $newest"
  needed=$(objdump -p "$file" | sed -n 's/^ *NEEDED *//p')
  case $file in
  */libTileIR.so.* | */tileir-opt) allowed='libTileIR\.so\.[0-9.]+|libMLIR\.so\.22\.1|libLLVM\.so\.22\.1|libstdc\+\+\.so\.6|libgcc_s\.so\.1|' ;;
  *) allowed= ;;
  esac
  others=$(grep -vxE "${allowed}lib[cm]\.so\.6|libdl\.so\.2|libpthread\.so\.0|ld-linux-x86-64\.so\.2" <<<"$needed" || true)
  [ -z "$others" ] || fail "$file needs $others"
done
[ $programs = 12 ] || fail "$programs programs and libraries instead of 12"
cd - >/dev/null

# As in a user's own environment.
env -i HOME="$TEST_TMPDIR" PATH=/usr/bin:/bin /usr/bin/python3 -m venv --system-site-packages "$TEST_TMPDIR/venv"
site=$(echo "$TEST_TMPDIR"/venv/lib/python3*/site-packages)
run() { env -i HOME="$TEST_TMPDIR" PATH="$TEST_TMPDIR/venv/bin:/usr/bin:/bin" "$@"; }
run pip install --quiet --disable-pip-version-check --no-index --no-deps "$wheel"
sed -n 's/^Requires-Dist: //p' "$TEST_TMPDIR"/unpacked/tileir-*.dist-info/METADATA >"$TEST_TMPDIR/needed"
! grep -vxE 'nvidia-(cuda-nvcc|nvvm)==13\.5\.[0-9]+|numpy' "$TEST_TMPDIR/needed" || fail "it depends on something else"
[ "$(wc -l <"$TEST_TMPDIR/needed")" = 3 ] || fail "not three dependencies"
# Without a toolkit it lists the searched places.
! run tileir-config --check >"$TEST_TMPDIR/shown" || fail "a toolkit is there"
grep -qx "  looked for $site/nvidia/cu13/bin/ptxas" "$TEST_TMPDIR/shown" || { cat "$TEST_TMPDIR/shown"; fail "not looked beside the package"; }
if [ ! -x "${TILEIR_PTXAS_PATH:-}" ]; then
  echo "SKIPPED: no ptxas; run tools/setup/setup.sh"
  exit 0
fi
ln -s "$(realpath "${TILEIR_PTXAS_PATH%/bin/*}/../..")/nvidia" "$site/nvidia"
run tileir-config --check >"$TEST_TMPDIR/shown" || { cat "$TEST_TMPDIR/shown"; fail "--check"; }
grep -qx "ptxas 13.5: $site/nvidia/cu13/bin/ptxas" "$TEST_TMPDIR/shown" || { cat "$TEST_TMPDIR/shown"; fail "another ptxas"; }

# From text to a right answer.
examples=$site/tileir/share/tileir/examples/kernels
out=$TEST_TMPDIR/out
mkdir "$out"
run tileir-translate --mlir-to-cudatilebc "$examples/attention.mlir" -o "$out/k.tileirbc"
run tileiras "$out/k.tileirbc" -o "$out/k.cubin" --gpu-name sm_90
run tileiras "$out/k.tileirbc" -o "$out/k.ptx" --gpu-name sm_90 --emit=ptx
run /usr/bin/python3 "$examples/make_case.py" attention k.ptx "$out"
run tileir-run "$out/case.json" --arch=sm_90 --cubin="$out/k.cubin"
run tileir-translate --mlir-to-cudatilebc "$examples/add.mlir" -o "$out/add.tileirbc"
run tileir-run "$out/add.tileirbc" --init="$out/whole.json" 2>/dev/null
run tileir-bisect "$out/whole.json" --pipeline=planted-fault=wrong-add >"$out/said" || { cat "$out/said"; fail "tileir-bisect"; }
grep -qx "culprit: test-tileir-plant-fault" "$out/said" || { cat "$out/said"; fail "another culprit"; }
for tool in tileirdisasm tileir-serialize tileir-interp tileir-check tileir-schedule tileir-lsp-server tileir-opt tileir-reduce tileir-explain; do
  run "$tool" --version >/dev/null || fail "$tool --version"
done
run tileir-serialize --version | grep '^tileir-serialize: ' >/dev/null || fail "tileir-serialize is another program"
run tileir-opt "$examples/add.mlir" --pass-pipeline='builtin.module(tileir{opt-level=3})' | grep nvvm.kernel >/dev/null || fail "tileir-opt"

# The Python package, without cuTile.
run env VIRTUAL_ENV_BIN="$TEST_TMPDIR/venv/bin" python - <<'EOF'
import os
import subprocess

import tileir

assert tileir.__version__ == subprocess.check_output(["tileir-config", "--version"], text=True).strip()
# The script that pip creates starts the program; cuTile finds it on the path.
assert tileir.which() == tileir.Compiler(path=os.environ["VIRTUAL_ENV_BIN"] + "/tileiras", ours=True, release="13.5"), tileir.which()
tileir.use()
tileir.use()
compiler = tileir.which()
assert compiler == tileir.Compiler(path=tileir.program("tileiras"), ours=True, release="13.5"), compiler
assert os.environ["PATH"].split(":").count(os.path.dirname(compiler.path)) == 1
try:
    tileir.program("tileirass")
except FileNotFoundError as error:
    assert "tileir has no program 'tileirass'; it has tileir-bisect, tileir-check, " in str(error), error
else:
    raise AssertionError("no error")
EOF
run env TILEIR_USE=1 python -c 'import tileir; assert tileir.which().path == tileir.program("tileiras")'

# No files are left.
run pip uninstall --quiet --yes tileir
if [ -e "$site/tileir" ] || [ -e "$TEST_TMPDIR/venv/bin/tileiras" ]; then fail "not uninstalled"; fi
