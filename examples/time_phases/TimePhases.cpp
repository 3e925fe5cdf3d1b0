// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles a kernel in this process and prints the times of the two public
// phases: CompileNVVM, the passes, and SerializeGPUModule, from the lowered
// module to the output. Usage: time_phases KERNEL.tileirbc ARCH [TIMES]
#include "dialects/cuda_tile/bytecode/Bytecode.h"
#include "tools/driver/Compile.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

using namespace llvm;

namespace {

/// Adds up the time between begin and end of each phase. Phases nest; names of
/// inner phases may change.
class Stopwatch {
public:
  tileir::PhaseCallback callback() {
    return [this](StringRef name, bool begin) {
      if (begin)
        started[name] = Clock::now();
      else
        total[name] += Clock::now() - started[name];
    };
  }
  double milliseconds(StringRef name) const {
    return std::chrono::duration<double, std::milli>(total.lookup(name))
        .count();
  }

private:
  using Clock = std::chrono::steady_clock;
  StringMap<Clock::time_point> started;
  StringMap<Clock::duration> total;
};

} // namespace

int main(int argc, char **argv) {
  if (argc < 3 || argc > 4) {
    errs() << "usage: time_phases KERNEL.tileirbc ARCH [TIMES]\n";
    return 1;
  }
  auto input = MemoryBuffer::getFile(argv[1]);
  if (!input || !tileir::isTileIRBytecode((*input)->getBuffer())) {
    errs() << argv[1] << ": no Tile IR bytecode\n";
    return 1;
  }
  unsigned times = 1;
  if (argc == 4 && StringRef(argv[3]).getAsInteger(10, times)) {
    errs() << "'" << argv[3] << "' is no number\n";
    return 1;
  }

  // All text comes here, that of ptxas included; the library writes to no
  // stream.
  std::string messages;
  tileir::Reporter reporter(
      [&](StringRef, StringRef bytes) { messages += bytes; });
  tileir::ToolSession session(reporter, {});

  Stopwatch watch;
  tileir::driver::CompileRequest compile;
  compile.inputName = argv[1];
  compile.gpuName = argv[2];
  tileir::SerializeRequest serialize;
  serialize.product = tileir::Product::PTX; // a cubin takes ptxas
  serialize.device.launchAbi = tileir::LaunchAbi::Tile;
  serialize.phase = watch.callback();

  tileir::SerializeResult result;
  for (unsigned i = 0; i < times; ++i) {
    result = {};
    tileir::Status status = tileir::driver::compileBytecode(
        (*input)->getBuffer(), compile, serialize, session, reporter, result);
    if (status != tileir::Status::Success) {
      errs() << messages;
      return int(status);
    }
  }
  for (StringRef name : {"CompileNVVM", "SerializeGPUModule"})
    outs() << format("%-18s %8.2f ms\n", name.data(),
                     watch.milliseconds(name) / times);
  outs() << result.ptx.size() << " bytes of PTX for " << result.arch << '\n';
  return 0;
}
