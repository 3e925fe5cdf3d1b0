// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_DRIVER_REMARKS_H
#define TOOLS_DRIVER_REMARKS_H

#include "serialize/Report.h"

#include "llvm/Support/JSON.h"

#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace mlir {
class Location;
class MLIRContext;
} // namespace mlir

namespace tileir::driver {

enum class RemarkKind { Passed, Missed, Failed, Analysis };

struct RemarkOptions {
  /// Category by kind, in the order of `RemarkKind`: `none`, `all`, `memory`,
  /// `tensorcore`, or one of ours.
  std::string categories[4] = {"none", "none", "none", "none"};
  bool yaml = false;
  /// YAML file; `-` is standard output.
  std::string file = "tileir_remarks.yaml";
  /// The product goes to standard output.
  bool toStandardError = false;
  /// Functions have their source names, not their symbols.
  bool sourceNames = false;
  /// Nothing is written: only `json` is needed.
  bool isSilent = false;

  bool any() const;
};

/// Returns file, line and column that `loc` names, in the user's function
/// rather than in inlined code. An empty name and zeros if it names none.
std::tuple<std::string, unsigned, unsigned> getUserPosition(mlir::Location loc);

/// Returns the accepted values of `--remarks…`.
std::vector<std::string> remarkCategoryNames();

/// Collects the remarks of passes and writes them in source order.
class RemarkCollector {
public:
  explicit RemarkCollector(const RemarkOptions &options);
  ~RemarkCollector();

  /// Makes the passes of `context` report here.
  void attach(mlir::MLIRContext &context);

  /// Adds remarks about kernels of the cubin that use all registers.
  void addCubin(llvm::StringRef cubin);

  /// Opens the YAML file before the compilation, so that a failed compilation
  /// leaves it empty.
  Status open(const Reporter &reporter);

  /// Prints all collected remarks.
  Status write(const Reporter &reporter);

  /// Returns all remarks, one object each.
  llvm::json::Array json() const;

  struct Entry;

private:
  std::string text() const;
  std::string yaml() const;

  const RemarkOptions &options;
  std::shared_ptr<std::vector<Entry>> entries;
};

} // namespace tileir::driver

#endif // TOOLS_DRIVER_REMARKS_H
