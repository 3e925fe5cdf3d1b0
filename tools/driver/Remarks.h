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
  /// File of the YAML form; `-` is standard output.
  std::string file = "tileir_remarks.yaml";
  /// Standard output is taken by the product.
  bool toStandardError = false;
  /// Functions bear the names of the source, not those of their symbols.
  bool sourceNames = false;
  /// Nothing is written: only `json` is asked for.
  bool isSilent = false;

  bool any() const;
};

/// File, line and column that `loc` names: of the user's function, not of what
/// was inlined there. An empty name and zeros where it names none.
std::tuple<std::string, unsigned, unsigned> getUserPosition(mlir::Location loc);

/// The values that `--remarks…` takes.
std::vector<std::string> remarkCategoryNames();

/// Collects what passes say and writes it in source order.
class RemarkCollector {
public:
  explicit RemarkCollector(const RemarkOptions &options);
  ~RemarkCollector();

  /// Makes the passes of `context` report here.
  void attach(mlir::MLIRContext &context);

  /// Remarks about kernels of the cubin that use every register there is.
  void addCubin(llvm::StringRef cubin);

  /// Opens the YAML file; before the compilation, so that a failed one leaves
  /// it empty.
  Status open(const Reporter &reporter);

  /// Prints everything that was collected.
  Status write(const Reporter &reporter);

  /// All of it, an object for each remark.
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
