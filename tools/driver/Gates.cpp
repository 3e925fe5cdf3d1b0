// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/driver/Gates.h"

#include "tools/driver/Environment.h"

namespace tileir::driver {

using namespace llvm;

namespace {

/// Gates whose work LLVM's own pipeline does in its own way: the names parse,
/// with their defaults, and change nothing.
struct Flag {
  const char *name;
  bool value;
};
struct Number {
  const char *name;
  int value;
};

constexpr Flag acceptedFlags[] = {
    {"do-scev-cgp-aggresively", true}, // sic
    {"enable-dot", true},
    {"enable-fma-to-ffma2", false},
    {"balance-dot-chain", true},
    {"aggressive-no-sink", true},
    {"dump-ip-msp", false},
    {"track-indir-load", true},
    {"param-always-point-to-global", true},
    {"apply-multi-level-restrict", false},
    {"allow-restrict-in-struct", false},
    {"dump-process-restrict", false},
};

constexpr Number acceptedNumbers[] = {
    {"do-scev-cgp", 2},
    {"do-function-scev-cgp", 2},
    {"scev-cgp-cross-block-limit", 8},
    {"scev-cgp-idom-level-limit", 3},
    {"scev-cgp-inst-limit", 500},
    {"scev-cgp-tid-max-value", 4096},
    {"scev-cgp-control", -1},
    {"do-base-address-strength-reduce", 4},
    {"dump-base-address-strength-reduce", 0},
    {"max-chain-length", 64},
    {"max-chain-width", 2},
    {"do-clone-for-ip-msp", -1},
    {"process-restrict", 1},
};

} // namespace

GateOptions::GateOptions()
    : unsafeAlgebra("opt-unsafe-algebra",
                    cl::desc("Use the fast-math flags of the IR"),
                    cl::init(true), cl::Hidden),
      removeBarriers("basic-dbe",
                     cl::desc("Remove a barrier that directly follows another"),
                     cl::init(false), cl::Hidden),
      lowerByValue("lsa-opt",
                   cl::desc("Read by-value arguments in parameter space; off: "
                            "copy them first"),
                   cl::init(true), cl::Hidden),
      dumpBeforeMemorySpace(
          "dump-ir-before-memory-space-opt",
          cl::desc("Print the module before address spaces are inferred"),
          cl::init(false), cl::Hidden),
      dumpAfterMemorySpace(
          "dump-ir-after-memory-space-opt",
          cl::desc("Print the module after address spaces are inferred"),
          cl::init(false), cl::Hidden),
      lowerPrintf("nvvm-lower-printf", cl::desc("Lower printf to vprintf"),
                  cl::init(true), cl::Hidden),
      kernelList("select-kernel-list",
                 cl::desc("Keep these kernels, comma-separated names"),
                 cl::value_desc("names"), cl::Hidden),
      kernelRange("select-kernel-range",
                  cl::desc("Keep these kernels, a-b or a, counted from 0"),
                  cl::value_desc("range"), cl::Hidden) {
  for (const Flag &flag : acceptedFlags)
    flags.push_back(std::make_unique<cl::opt<bool>>(
        StringRef(flag.name), cl::desc("Accepted, without effect"),
        cl::init(flag.value), cl::Hidden));
  for (const Number &number : acceptedNumbers)
    numbers.push_back(std::make_unique<cl::opt<int>>(
        StringRef(number.name), cl::desc("Accepted, without effect"),
        cl::init(number.value), cl::Hidden));
}

GateOptions::~GateOptions() = default;

void GateOptions::apply(CodegenGates &gates) const {
  gates.unsafeAlgebra = unsafeAlgebra;
  gates.lowerPrintf = lowerPrintf;
  gates.removeBarriers = removeBarriers;
  gates.dumpBeforeMemorySpace = dumpBeforeMemorySpace;
  gates.dumpAfterMemorySpace = dumpAfterMemorySpace;
  if (!lowerByValue)
    setLLVMOption("nvptx-early-byval-copy", "true");
  gates.kernelList = kernelList;
  gates.kernelRange = kernelRange;
}

} // namespace tileir::driver
