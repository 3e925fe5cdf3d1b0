// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/ptx/DeviceModule.h"

#include "dialects/launch/KernelAbi.h"
#include "serialize/ptx/TargetNames.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

namespace tileir {

using namespace llvm;

/// Value of a string attribute of the first kernel that has it.
static std::string kernelAttribute(const Module &module, StringRef name) {
  for (const Function &function : module)
    if (function.getCallingConv() == CallingConv::PTX_Kernel &&
        function.hasFnAttribute(name))
      return function.getFnAttribute(name).getValueAsString().str();
  return "";
}

static Status chooseTarget(const Module &module, const DeviceRequest &request,
                           const Reporter &reporter,
                           std::optional<Target> &target) {
  auto config = [&](const Twine &text) {
    return reporter.error(Status::Config, text);
  };
  std::string cpu = kernelAttribute(module, "target-cpu");
  if (!cpu.empty()) {
    target = Target::parse(cpu);
    if (!target)
      return refuseTarget(reporter, "module target '" + escaped(cpu) +
                                        "' is not supported");
  }
  if (!request.gpuName.empty()) {
    std::optional<Target> wanted = Target::parse(request.gpuName);
    if (!wanted)
      return refuseTarget(reporter, "unsupported GPU target");
    if (target && !(target = reconcileTarget(*target, *wanted)))
      return config("--gpu-name=" + request.gpuName +
                    " conflicts with module target " + cpu);
    if (!target)
      target = wanted;
  }
  if (!target)
    target = Target::parse(defaultTarget);
  if (request.suffix == DeviceRequest::Suffix::Accelerated)
    target = target->accelerated();
  return Status::Success;
}

Status importDevice(StringRef bytes, StringRef name,
                    const DeviceRequest &request, const Reporter &reporter,
                    std::unique_ptr<DeviceModule> &result) {
  auto context = std::make_unique<LLVMContext>();
  SMDiagnostic problem;
  std::unique_ptr<MemoryBuffer> buffer =
      MemoryBuffer::getMemBufferCopy(bytes, name);
  std::unique_ptr<Module> module = parseIR(*buffer, problem, *context);
  std::string text;
  raw_string_ostream stream(text);
  if (!module) {
    problem.print(nullptr, stream, /*ShowColors=*/false);
    reporter.forward(text);
    return reporter.error(Status::BadInput,
                          "cannot parse '" + escaped(name) + "' as LLVM IR");
  }
  if (verifyModule(*module, &stream)) {
    reporter.forward(text);
    return reporter.error(Status::BadInput,
                          "'" + escaped(name) + "' is not valid LLVM IR");
  }
  // LLVM itself aborts on most of these names.
  for (const Function &function : *module)
    if (function.getCallingConv() == CallingConv::PTX_Kernel &&
        !isPtxIdentifier(function.getName()))
      return reporter.error(Status::Compile,
                            "kernel symbol name '" +
                                escaped(function.getName()) +
                                "' is not a valid PTX identifier");
  std::optional<Target> target;
  if (Status status = chooseTarget(*module, request, reporter, target);
      status != Status::Success)
    return status;

  result = std::make_unique<DeviceModule>(*target);
  DeviceModule &out = *result;
  if (Status status = choosePTXVersion(
          *target, request, kernelAttribute(*module, "target-features"),
          kernelAttribute(*module, "target-cpu"), reporter, out.ptxVersion);
      status != Status::Success)
    return status;
  out.fixedPTXVersion = request.ptxVersion.has_value();
  out.optLevel = request.optLevel.value_or(3);
  out.launchAbi = request.launchAbi.value_or(LaunchAbi::Plain);
  out.approx = request.approx;
  out.ftz = request.ftz;
  out.debug = request.debug;
  out.relocatable = request.relocatable;
  if (request.debug == DebugKind::None)
    StripDebugInfo(*module);
  out.context = std::move(context);
  out.module = std::move(module);
  return Status::Success;
}

} // namespace tileir
