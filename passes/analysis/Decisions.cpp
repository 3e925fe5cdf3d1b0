// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/Remarks.h"

#include "llvm/Support/raw_ostream.h"

#include <map>
#include <mutex>

namespace tileir {

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

void printPlace(llvm::raw_ostream &os, mlir::Location loc) {
  mlir::FileLineColLoc place;
  loc->walk([&](mlir::Location part) {
    place = llvm::dyn_cast<mlir::FileLineColLoc>(part);
    return place ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  if (place)
    os << place.getFilename().getValue() << ':' << place.getLine() << ':'
       << place.getColumn();
  else
    os << loc;
}

DecisionMessage::~DecisionMessage() {
  std::string lines;
  llvm::StringRef rest = llvm::StringRef(text).rtrim('\n');
  do {
    auto [line, remaining] = rest.split('\n');
    lines += ("[" + type + "] " + line + "\n").str();
    rest = remaining;
  } while (!rest.empty());
  // One write for all lines: passes print from several threads.
  llvm::errs() << lines;
}

//===----------------------------------------------------------------------===//
// Counts
//===----------------------------------------------------------------------===//

namespace {

struct Sum {
  std::string description;
  uint64_t count = 0;
};

/// Totals of destroyed counters by pass and name: the per-thread copies of a
/// pass share one line.
struct StatisticTable {
  std::mutex mutex;
  int64_t numCounters = 0;
  std::map<std::pair<std::string, std::string>, Sum> sums;

  void print();
};

} // namespace

/// The table is never destroyed: passes may outlive static objects.
static StatisticTable &getTable() {
  static StatisticTable *table = new StatisticTable;
  return *table;
}

void StatisticTable::print() {
  std::string lines;
  for (const auto &[key, sum] : sums)
    lines += "[" + key.first + "] " + key.second + ": " +
             std::to_string(sum.count) + " (" + sum.description + ")\n";
  llvm::errs() << lines;
}

PassStatistic::PassStatistic(mlir::Pass *owner, const char *name,
                             const char *description)
    : Statistic(owner, name, description), pass(owner->getArgument()),
      name(name), description(description),
      isCountedByLLVM(llvm::is_contained(owner->getStatistics(), this)) {
  StatisticTable &table = getTable();
  std::lock_guard<std::mutex> lock(table.mutex);
  ++table.numCounters;
}

PassStatistic::~PassStatistic() {
  StatisticTable &table = getTable();
  std::lock_guard<std::mutex> lock(table.mutex);
  if (count) {
    Sum &sum = table.sums[{pass.str(), name}];
    sum.description = description;
    sum.count += count;
  }
  if (--table.numCounters > 0 || table.sums.empty())
    return;
  if (gates::statistics())
    table.print();
  table.sums.clear();
}

PassStatistic &PassStatistic::operator=(uint64_t value) {
  count = value;
  if (isCountedByLLVM)
    Statistic::operator=(unsigned(value));
  return *this;
}

} // namespace tileir
