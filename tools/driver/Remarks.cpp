// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/driver/Remarks.h"

#include "serialize/elf/Output.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>
#include <tuple>

namespace tileir::driver {

using llvm::StringRef;

/// One remark, independent of the context.
struct RemarkCollector::Entry {
  size_t order = 0;
  RemarkKind kind;
  std::string category;
  std::string name;
  std::string function;
  std::string text;
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
  std::vector<std::pair<std::string, std::string>> notes;
};

/// Families of ours beside the two that other tools have.
static const struct {
  const char *option;
  const char *categories[3];
} choices[] = {
    {"memory", {"Memory"}},
    {"tensorcore", {"Tensor-core"}},
    {"hints", {"Hints"}},
    {"schedule", {"tileas_schedule", "warp_specialize"}},
    {"layout", {"tileas"}},
};

std::vector<std::string> remarkCategoryNames() {
  std::vector<std::string> names = {"none", "all"};
  for (const auto &choice : choices)
    names.push_back(choice.option);
  return names;
}

static bool selected(StringRef option, StringRef category) {
  if (option == "none")
    return false;
  if (option == "all")
    return true;
  for (const auto &choice : choices)
    if (option == choice.option)
      for (const char *name : choice.categories)
        if (name && category == name)
          return true;
  return false;
}

bool RemarkOptions::any() const {
  return llvm::any_of(categories,
                      [](StringRef category) { return category != "none"; });
}

/// Name of the innermost subprogram around `loc`.
static std::string functionOf(mlir::Location loc) {
  std::string name;
  loc->walk([&](mlir::Location inner) {
    auto fused = mlir::dyn_cast<mlir::FusedLoc>(mlir::LocationAttr(inner));
    mlir::Attribute scope = fused ? fused.getMetadata() : mlir::Attribute();
    while (auto block =
               mlir::dyn_cast_or_null<mlir::LLVM::DILexicalBlockAttr>(scope))
      scope = block.getScope();
    auto program = mlir::dyn_cast_or_null<mlir::LLVM::DISubprogramAttr>(scope);
    if (!program || !program.getName())
      return mlir::WalkResult::advance();
    name = program.getName().str();
    return mlir::WalkResult::interrupt();
  });
  return name;
}

namespace {
struct Streamer final : mlir::remark::detail::MLIRRemarkStreamerBase {
  Streamer(const RemarkOptions &options,
           std::shared_ptr<std::vector<RemarkCollector::Entry>> entries)
      : options(options), entries(std::move(entries)) {}

  void streamOptimizationRemark(
      const mlir::remark::detail::Remark &remark) override {
    RemarkCollector::Entry entry;
    switch (remark.getRemarkType()) {
    case llvm::remarks::Type::Passed:
      entry.kind = RemarkKind::Passed;
      break;
    case llvm::remarks::Type::Missed:
      entry.kind = RemarkKind::Missed;
      break;
    case llvm::remarks::Type::Failure:
      entry.kind = RemarkKind::Failed;
      break;
    default:
      entry.kind = RemarkKind::Analysis;
      break;
    }
    entry.category = remark.getCombinedCategoryName().str();
    if (!selected(options.categories[unsigned(entry.kind)],
                  remark.getCategoryName()))
      return;
    entry.name = remark.getRemarkName().str();
    mlir::Location loc = remark.getLocation();
    entry.function = remark.getFunction().str();
    if (std::string scope = functionOf(loc); !scope.empty())
      entry.function = scope;
    if (auto file = loc->findInstanceOf<mlir::FileLineColLoc>()) {
      entry.file = file.getFilename().str();
      entry.line = file.getLine();
      entry.column = file.getColumn();
    }
    for (const auto &arg : remark.getArgs()) {
      if (arg.key == "Remark" && entry.text.empty())
        entry.text = arg.val;
      else
        entry.notes.emplace_back(arg.key, arg.val);
    }
    // A remark of ours that gives its reason only.
    if (entry.text.empty() && !entry.notes.empty() &&
        entry.notes.front().first == "Reason") {
      entry.text = entry.notes.front().second;
      entry.notes.erase(entry.notes.begin());
    }
    entry.order = entries->size();
    entries->push_back(std::move(entry));
  }

  const RemarkOptions &options;
  std::shared_ptr<std::vector<RemarkCollector::Entry>> entries;
};
} // namespace

RemarkCollector::RemarkCollector(const RemarkOptions &options)
    : options(options), entries(std::make_shared<std::vector<Entry>>()) {}
RemarkCollector::~RemarkCollector() = default;

void RemarkCollector::attach(mlir::MLIRContext &context) {
  mlir::remark::RemarkCategories everything;
  everything.all = ".*";
  auto engine = std::make_unique<mlir::remark::detail::RemarkEngine>(
      /*printAsEmitRemarks=*/false, everything);
  std::string ignored;
  if (mlir::succeeded(engine->initialize(
          std::make_unique<Streamer>(options, entries),
          std::make_unique<mlir::remark::RemarkEmittingPolicyAll>(), &ignored)))
    context.setRemarkEngine(std::move(engine));
}

Status RemarkCollector::open(const Reporter &reporter) {
  if (!options.yaml || options.file == "-")
    return Status::Success;
  OutputRequest request;
  request.path = options.file;
  int error = writeOutput(request);
  if (!error)
    return Status::Success;
  reporter.line("Error opening remark output file '" + escaped(options.file) +
                "': " + strerror(error));
  return reporter.error(Status::BadInput,
                        "failed to enable optimization remarks");
}

static StringRef kindName(RemarkKind kind, bool yaml) {
  switch (kind) {
  case RemarkKind::Passed:
    return yaml ? "Passed" : "passed";
  case RemarkKind::Missed:
    return yaml ? "Missed" : "missed";
  case RemarkKind::Failed:
    return yaml ? "Failure" : "failed";
  case RemarkKind::Analysis:
    return yaml ? "Analysis" : "analysis";
  }
  return "";
}

static std::string quotedYaml(StringRef text) {
  std::string result = "'";
  for (char c : text)
    result += c == '\'' ? "''" : std::string(1, c);
  return result + "'";
}

/// One block per function, categories in the order they first occur.
std::string RemarkCollector::text() const {
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::MapVector<StringRef,
                  llvm::MapVector<StringRef, std::vector<const Entry *>>>
      functions;
  for (const Entry &entry : *entries)
    functions[entry.function][entry.category].push_back(&entry);
  for (auto &[function, categories] : functions) {
    out << "in function: " << function << ":\n\n";
    for (auto &[category, list] : categories) {
      out << "  category: " << category << "\n";
      for (const Entry *entry : list) {
        out << "    remark[" << kindName(entry->kind, false)
            << "]: " << entry->text << "\n";
        if (entry->line)
          out << "      --> \"" << entry->file << "\":" << entry->line << ":"
              << entry->column << "\n";
        else
          out << "      --> loc(unknown)\n";
        out << "       |\n       = name: " << entry->name << "\n";
        for (const auto &[key, value] : entry->notes)
          out << "       = note: " << key << " = " << value << "\n";
        out << "\n";
      }
    }
  }
  return text;
}

std::string RemarkCollector::yaml() const {
  std::string text;
  llvm::raw_string_ostream out(text);
  unsigned id = 0;
  for (const Entry &entry : *entries) {
    out << "--- !" << kindName(entry.kind, true) << "\n";
    out << "Pass:            " << entry.category << "\n";
    out << "Name:            " << entry.name << "\n";
    if (entry.line)
      out << "DebugLoc:        { File: " << quotedYaml(entry.file)
          << ", Line: " << entry.line << ", Column: " << entry.column << " }\n";
    out << "Function:        " << quotedYaml(entry.function) << "\n";
    out << "Args:\n";
    out << "  - RemarkId:        " << id++ << "\n";
    out << "  - Remark:          " << quotedYaml(entry.text) << "\n";
    for (const auto &[key, value] : entry.notes)
      out << "  - " << key << ":        " << quotedYaml(value) << "\n";
    out << "...\n";
  }
  return text;
}

Status RemarkCollector::write(const Reporter &reporter) {
  // Source order; passes visit kernels in orders of their own.
  llvm::sort(*entries, [](const Entry &a, const Entry &b) {
    return std::tie(a.file, a.line, a.column, a.order) <
           std::tie(b.file, b.line, b.column, b.order);
  });
  if (!options.yaml) {
    if (entries->empty())
      return Status::Success;
    (options.toStandardError ? llvm::errs() : llvm::outs()) << text();
    return Status::Success;
  }
  std::string bytes = yaml();
  OutputRequest request;
  request.path = options.file;
  request.bytes = bytes;
  if (int error = writeOutput(request))
    return reporter.error(Status::Config, "cannot write '" +
                                              escaped(options.file) +
                                              "': " + strerror(error));
  return Status::Success;
}

} // namespace tileir::driver
