// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler's launch sidecar (docs/design/launch.md): what a launcher has to
// know about a kernel, and its hidden parameters without foreign code in this
// process.
#ifndef TOOLS_LAUNCH_SIDECAR_H
#define TOOLS_LAUNCH_SIDECAR_H

#include "tools/cases/Json.h"
#include "tools/emulator/TensorMap.h"
#include "tools/launch/Run.h"

#include <array>
#include <functional>

namespace tileir::launch {

/// One kernel of a sidecar. Pointers go into `json`: not to be copied.
struct Sidecar {
  struct Parameter {
    std::string kind; ///< visible, workspace or tensormap.
    uint64_t offset = 0, size = 0;
  };

  std::string entry;
  std::vector<Parameter> parameters;
  size_t visible = 0; ///< Parameters that the launcher passes; the first ones.
  std::array<uint32_t, 3> block{1, 1, 1}, cluster{1, 1, 1};
  uint64_t blockBytes = 0, dynamicSharedBytes = 0, workspaceBytesPerSM = 0;

  Sidecar() = default;
  Sidecar(const Sidecar &) = delete;
  Sidecar &operator=(const Sidecar &) = delete;

  /// Reads the kernel `name`, or the only one where `name` is empty.
  bool read(const std::string &text, const std::string &name,
            std::string &error);
  bool readFile(const std::string &file, const std::string &name,
                std::string &error);

  /// Writes the 128 bytes of a tensor map.
  using Encoder =
      std::function<bool(const emu::TensorMap &, uint8_t *, std::string &)>;

  /// Builds the tensor maps of a parameter block whose visible parameters are
  /// there.
  bool fillMaps(std::vector<uint8_t> &block, const Encoder &encode,
                std::string &error) const;

private:
  cases::Json json;
  const cases::Json *kernel = nullptr;
};

/// Fills the hidden parameters of an emulated launch.
bool fillFromSidecar(const Options &options, const Sidecar &sidecar,
                     const emu::Function &entry,
                     const std::vector<uint64_t> &offsets,
                     emu::Machine &machine, std::vector<uint8_t> &block,
                     std::string &error);

} // namespace tileir::launch

#endif // TOOLS_LAUNCH_SIDECAR_H
