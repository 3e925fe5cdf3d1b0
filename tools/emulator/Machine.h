// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_EMULATOR_MACHINE_H
#define TOOLS_EMULATOR_MACHINE_H

#include "dialects/support/Target.h"
#include "tools/cases/Case.h"
#include "tools/emulator/AsyncEngine.h"
#include "tools/emulator/Exec.h"
#include "tools/emulator/Image.h"
#include "tools/emulator/Memory.h"
#include "tools/emulator/Options.h"
#include "tools/emulator/RaceDetector.h"
#include "tools/emulator/RegisterRules.h"
#include "tools/emulator/Scheduler.h"
#include "tools/emulator/TensorUnit.h"
#include "tools/emulator/WeakLoads.h"

#include <optional>

namespace tileir::emu {

class Profile;

/// Local memory of a thread: CUDA C++ Programming Guide, "Technical
/// Specifications".
constexpr uint64_t kLocalLimit = 512 * 1024;
/// The heap of device code, unless the host asks for more.
constexpr uint64_t kHeapLimit = 8 * 1024 * 1024;
/// Text that a run may print.
constexpr size_t kPrintLimit = 16 * 1024 * 1024;

/// A GPU that runs one module. It owns the parts that instructions work on, and
/// what a run has found and counted.
class Machine {
public:
  Machine(const Module &module, const Target &target, const Options &options);
  ~Machine();

  /// Decodes every function and places the module's variables.
  bool load(std::string &error);
  Region *findGlobal(const std::string &name);
  bool launch(const Launch &launch, std::string &error);

  const Target target;
  Options options;
  Launch config;

  Image image;
  Memory memory;
  RaceDetector races;
  WeakLoads weak;
  Scheduler scheduler;
  AsyncEngine async;
  TensorUnit tensor;
  RegisterRules registers;

  std::vector<Finding> findings;
  /// Broken promises, where no option reports them as findings.
  std::vector<Finding> notes;
  std::string printed;
  bool asserted = false;
  bool stopped = false;
  std::string failure; ///< What cannot be run: outcome "error".
  Stats stats;
  /// Records of what instructions did while they ran; null unless it is asked
  /// for.
  std::unique_ptr<Profile> profile;

  bool reports(FindingKind kind) const { return !options.off.has(kind); }
  void report(FindingKind kind, Exec &x, const Inst &inst, int lane,
              const std::string &message,
              const std::vector<Place> &related = {});
  void report(FindingKind kind, const Place &place, const std::string &message,
              const std::vector<Place> &related = {});
  /// The run cannot go on after what was last reported. When that kind is
  /// switched off, the reason is a `timeout`.
  void fatal();
  Place placeOf(const Block &block, int warp, int lane, const Inst &inst) const;
  Place placeOf(Agent agent, uint32_t inst) const;
  /// Calls a function that the driver has: a declaration in the module.
  void callDriver(Exec &x, const Inst &inst, Mask lanes,
                  const FunctionCode &callee);

private:
  void print(Exec &x, const Inst &inst, int lane, uint64_t format,
             uint64_t arguments);
  /// Computes how much shared memory a block of this launch has; false with
  /// `error`.
  bool sizeShared(const Function &entry, std::string &error);
  bool placePerCtaMemory(const Function &entry, std::string &error);
  void placeParameters(const Function &entry);

  std::map<std::string, size_t> findingIndex;
  /// The last report when its kind is switched off.
  std::optional<Finding> silenced;
};

/// Decodes all functions of the module into `machine.image`.
bool decodeModule(Machine &machine, std::string &error);

} // namespace tileir::emu

#endif // TOOLS_EMULATOR_MACHINE_H
