// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/driver/Gates.h"

#include "tools/driver/CommandLine.h"

#include "llvm/ADT/STLExtras.h"

#include <climits>

namespace tileir::driver {

using namespace llvm;

namespace {

template <typename T> struct Gate {
  const char *name;
  T CodegenGates::*field;
  const char *text;
};

struct NumberGate : Gate<int> {
  int least;
  int most = INT_MAX;
};

constexpr Gate<bool> flagGates[] = {
    {"opt-unsafe-algebra", &CodegenGates::unsafeAlgebra,
     "Use the fast-math flags of the IR"},
    {"basic-dbe", &CodegenGates::removeBarriers,
     "Remove a barrier that directly follows another"},
    {"do-scev-cgp-aggresively", &CodegenGates::uniteAddresses, // sic
     "Reassociate sums and unite expressions so that addresses share more"},
    {"enable-fma-to-ffma2", &CodegenGates::pairMultiplyAdds,
     "Make pairs of independent f32 operations"},
    {"dump-ip-msp", &CodegenGates::dumpMemorySpaceClones,
     "Print the module after functions are cloned for memory spaces"},
    {"lsa-opt", &CodegenGates::lowerByValue,
     "Read by-value arguments in parameter space; off: copy them first"},
    {"track-indir-load", &CodegenGates::loadedPointToGlobal,
     "Take pointers in by-value arguments of kernels for global ones"},
    {"param-always-point-to-global", &CodegenGates::parametersPointToGlobal,
     "Take pointers that are arguments of kernels for global ones"},
    {"dump-ir-before-memory-space-opt", &CodegenGates::dumpBeforeMemorySpace,
     "Print the module before address spaces are inferred"},
    {"dump-ir-after-memory-space-opt", &CodegenGates::dumpAfterMemorySpace,
     "Print the module after address spaces are inferred"},
    {"dump-process-restrict", &CodegenGates::dumpRestrict,
     "Print the module after functions are inlined"},
    {"nvvm-lower-printf", &CodegenGates::lowerPrintf,
     "Lower printf to vprintf"},
};

constexpr NumberGate numberGates[] = {
    {{"do-scev-cgp", &CodegenGates::kernelAddresses,
      "Compute what addresses share once, in kernels: 0 never, 1 in small "
      "ones, 2 always"},
     0,
     2},
    {{"do-function-scev-cgp", &CodegenGates::functionAddresses,
      "The same in functions that are not kernels"},
     0,
     2},
    {{"scev-cgp-inst-limit", &CodegenGates::addressInstLimit,
      "Maximum number of instructions of a small kernel or function"},
     0},
    {{"scev-cgp-control", &CodegenGates::addressFunctions,
      "Only in the first N functions; -1: in all"},
     -1},
    {{"do-base-address-strength-reduce", &CodegenGates::strengthReduce,
      "Straight-line strength reduction: 0 never, 4 also in large functions"},
     0,
     4},
    {{"dump-base-address-strength-reduce", &CodegenGates::dumpStrengthReduce,
      "Print functions around straight-line strength reduction"},
     0},
    {{"do-clone-for-ip-msp", &CodegenGates::memorySpaceClones,
      "Maximum number of clones of functions for memory spaces; -1: no limit"},
     -1},
    {{"opt-bisect-limit", &CodegenGates::passLimit,
      "Run only the first N passes of LLVM's pipeline and print them; -1: all"},
     -1},
    {{"process-restrict", &CodegenGates::processRestrict,
      "Use what 'noalias' says of arguments"},
     0,
     1},
};

constexpr Gate<std::string> textGates[] = {
    {"select-kernel-list", &CodegenGates::kernelList,
     "Keep these kernels, comma-separated names"},
    {"select-kernel-range", &CodegenGates::kernelRange,
     "Keep these kernels, a-b or a, counted from 0"},
};

} // namespace

template <typename T>
static std::unique_ptr<cl::opt<T>> makeOption(const Gate<T> &gate) {
  static const CodegenGates defaults;
  return std::make_unique<cl::opt<T>>(StringRef(gate.name), cl::desc(gate.text),
                                      cl::init(defaults.*gate.field),
                                      cl::cat(categories::gates()), cl::Hidden);
}

GateOptions::GateOptions() {
  for (const Gate<bool> &gate : flagGates)
    flags.push_back(makeOption(gate));
  for (const NumberGate &gate : numberGates)
    numbers.push_back(makeOption<int>(gate));
  for (const Gate<std::string> &gate : textGates)
    texts.push_back(makeOption(gate));
}

GateOptions::~GateOptions() = default;

Status GateOptions::apply(CodegenGates &gates, const Reporter &reporter) const {
  for (auto [gate, option] : zip_equal(flagGates, flags))
    gates.*gate.field = *option;
  for (auto [gate, option] : zip_equal(textGates, texts))
    gates.*gate.field = option->getValue();
  for (auto [gate, option] : zip_equal(numberGates, numbers)) {
    gates.*gate.field = *option;
    if (*option < gate.least || *option > gate.most)
      return reporter.error(
          Status::Config,
          "invalid value '" + Twine(option->getValue()) + "' for --" +
              gate.name + "; expected " + Twine(gate.least) +
              (gate.most == INT_MAX ? Twine(" or more")
                                    : " to " + Twine(gate.most)));
  }
  return Status::Success;
}

} // namespace tileir::driver
