// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/driver/Remarks.h"

#include "dialects/cuda_tile/CudaTile.h"
#include "dialects/support/Output.h"
#include "dialects/support/Target.h"
#include "serialize/elf/Cubin.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/YAMLTraits.h"
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
  /// Symbol of the function in the object.
  std::string symbol;
  std::string text;
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
  std::vector<std::pair<std::string, std::string>> notes;
};

/// Our categories beside the two of other tools.
static const struct {
  const char *option;
  const char *categories[3];
} choices[] = {
    {"memory", {"Memory"}},
    {"tensorcore", {"Tensor-core"}},
    {"hints", {"Hints"}},
    {"schedule", {"tileas_schedule", "warp_specialize"}},
    {"layout", {"tileas", "tileas_lowering"}},
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

namespace {
/// The position that a location names, in the user's function rather than in
/// inlined code.
struct Position {
  mlir::FileLineColLoc file;
  std::string program;

  void read(mlir::Location loc);
};
} // namespace

void Position::read(mlir::Location loc) {
  using namespace mlir;
  auto takeProgram = [&](StringRef name) {
    if (program.empty())
      program = name.str();
  };
  LocationAttr attr = loc;
  if (auto position = dyn_cast<FileLineColLoc>(attr)) {
    // Scopes are created with "<unknown>" if there is no file.
    if (!file && position.getFilename() != "<unknown>")
      file = position;
  } else if (auto call = dyn_cast<CallSiteLoc>(attr)) {
    read(call.getCaller());
  } else if (auto name = dyn_cast<NameLoc>(attr)) {
    read(name.getChildLoc());
  } else if (auto opaque = dyn_cast<OpaqueLoc>(attr)) {
    read(opaque.getFallbackLocation());
  } else if (auto scoped = dyn_cast<cuda_tile::DILocAttr>(attr)) {
    Attribute scope = scoped.getScope();
    while (auto block = dyn_cast_or_null<cuda_tile::DILexicalBlockAttr>(scope))
      scope = block.getScope();
    if (auto found = dyn_cast_or_null<cuda_tile::DISubprogramAttr>(scope))
      takeProgram(found.getName().getValue());
    read(scoped.getSourceLoc());
  } else if (auto fused = dyn_cast<FusedLoc>(attr)) {
    Attribute scope = fused.getMetadata();
    while (scope) {
      if (auto block = dyn_cast<LLVM::DILexicalBlockAttr>(scope))
        scope = block.getScope();
      else if (auto part = dyn_cast<LLVM::DILexicalBlockFileAttr>(scope))
        scope = part.getScope();
      else
        break;
    }
    if (auto found = dyn_cast_or_null<LLVM::DISubprogramAttr>(scope))
      if (StringAttr name = found.getName())
        takeProgram(name.getValue());
    for (Location part : fused.getLocations())
      if (!file)
        read(part);
  }
}

std::tuple<std::string, unsigned, unsigned>
getUserPosition(mlir::Location loc) {
  Position position;
  position.read(loc);
  if (!position.file)
    return {"", 0, 0};
  return {position.file.getFilename().str(), position.file.getLine(),
          position.file.getColumn()};
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
    entry.symbol = entry.function = remark.getFunction().str();
    Position position;
    position.read(remark.getLocation());
    if (options.sourceNames && !position.program.empty())
      entry.function = position.program;
    if (position.file) {
      entry.file = position.file.getFilename().str();
      entry.line = position.file.getLine();
      entry.column = position.file.getColumn();
    }
    for (const auto &arg : remark.getArgs()) {
      if (arg.key == "Remark" && entry.text.empty())
        entry.text = arg.val;
      else
        entry.notes.emplace_back(arg.key, arg.val);
    }
    // A remark with only a reason.
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
  // `all` adds to the existing filters.
  everything.passed = everything.missed = everything.failed =
      everything.analysis = ".*";
  auto engine = std::make_unique<mlir::remark::detail::RemarkEngine>(
      /*printAsEmitRemarks=*/false, everything);
  std::string ignored;
  if (mlir::succeeded(engine->initialize(
          std::make_unique<Streamer>(options, entries),
          std::make_unique<mlir::remark::RemarkEmittingPolicyAll>(), &ignored)))
    context.setRemarkEngine(std::move(engine));
}

void RemarkCollector::addCubin(StringRef cubin) {
  if (!selected(options.categories[unsigned(RemarkKind::Missed)], "registers"))
    return;
  std::string ignored;
  std::optional<CubinInfo> info = readCubin(cubin, ignored);
  if (!info)
    return;
  for (const CubinKernel &kernel : info->kernels) {
    if (kernel.registers < unsigned(limits::registersPerThread))
      continue;
    Entry entry;
    entry.kind = RemarkKind::Missed;
    entry.category = "registers";
    entry.name = "RegisterPressure";
    entry.function = kernel.name;
    entry.text = "High register usage";
    entry.notes = {{"Registers", llvm::utostr(kernel.registers)},
                   {"Limit", llvm::utostr(limits::registersPerThread)},
                   {"StackBytes", llvm::utostr(kernel.frameBytes)},
                   {"Suggestion", "reduce the tile size"}};
    // The other remarks know the kernel's location and source name.
    for (const Entry &other : *entries)
      if (other.symbol == kernel.name) {
        entry.function = other.function;
        entry.file = other.file;
        entry.line = other.line;
        entry.column = other.column;
        break;
      }
    entry.order = entries->size();
    entries->push_back(std::move(entry));
  }
}

Status RemarkCollector::open(const Reporter &reporter) {
  if (options.isSilent || !options.yaml || options.file == "-")
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

/// Returns `text` as a YAML scalar, quoted if needed.
static std::string yamlScalar(StringRef text) {
  switch (llvm::yaml::needsQuotes(text, /*ForcePreserveAsString=*/false)) {
  case llvm::yaml::QuotingType::None:
    return text.str();
  case llvm::yaml::QuotingType::Double:
    return "\"" + llvm::yaml::escape(text, /*EscapePrintable=*/false) + "\"";
  case llvm::yaml::QuotingType::Single:
    break;
  }
  std::string result = "'";
  for (char c : text)
    result += c == '\'' ? "''" : std::string(1, c);
  return result + "'";
}

/// Prints one block per function, categories in order of appearance.
std::string RemarkCollector::text() const {
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::MapVector<StringRef,
                  llvm::MapVector<StringRef, std::vector<const Entry *>>>
      functions;
  for (const Entry &entry : *entries)
    functions[entry.function][entry.category].push_back(&entry);
  for (auto &[function, categories] : functions) {
    out << "in function: " << function << ":\n";
    for (auto &[category, list] : categories) {
      out << "\n  category: " << category << "\n";
      for (const Entry *entry : list) {
        out << "    remark[" << kindName(entry->kind, false)
            << "]: " << entry->text << "\n";
        if (!entry->file.empty())
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
  // Values are aligned in one column.
  auto argument = [&](StringRef key, StringRef value) {
    out << "  - " << key << ":";
    out.indent(key.size() < 11 ? 12 - key.size() : 1)
        << yamlScalar(value) << "\n";
  };
  for (const Entry &entry : *entries) {
    out << "--- !" << kindName(entry.kind, true) << "\n";
    out << "Pass:            " << yamlScalar(entry.category) << "\n";
    out << "Name:            " << yamlScalar(entry.name) << "\n";
    if (!entry.file.empty())
      out << "DebugLoc:        { File: " << yamlScalar(entry.file)
          << ", Line: " << entry.line << ", Column: " << entry.column << " }\n";
    out << "Function:        " << yamlScalar(entry.function) << "\n";
    out << "Args:\n";
    argument("RemarkId", llvm::utostr(id++));
    argument("Remark", entry.text);
    for (const auto &[key, value] : entry.notes)
      argument(key, value);
    out << "...\n";
  }
  return text;
}

llvm::json::Array RemarkCollector::json() const {
  llvm::json::Array all;
  for (const Entry &entry : *entries) {
    llvm::json::Array notes;
    for (const auto &[key, value] : entry.notes)
      notes.push_back(llvm::json::Array{key, value});
    all.push_back(llvm::json::Object{{"kind", kindName(entry.kind, false)},
                                     {"category", entry.category},
                                     {"name", entry.name},
                                     {"kernel", entry.symbol},
                                     {"function", entry.function},
                                     {"text", entry.text},
                                     {"file", entry.file},
                                     {"line", entry.line},
                                     {"column", entry.column},
                                     {"notes", std::move(notes)}});
  }
  return all;
}

Status RemarkCollector::write(const Reporter &reporter) {
  // Source order; passes visit kernels in other orders.
  llvm::sort(*entries, [](const Entry &a, const Entry &b) {
    return std::tie(a.file, a.line, a.column, a.order) <
           std::tie(b.file, b.line, b.column, b.order);
  });
  if (options.isSilent)
    return Status::Success;
  if (!options.yaml) {
    if (entries->empty())
      return Status::Success;
    (options.toStandardError ? llvm::errs() : llvm::outs()) << text();
    return Status::Success;
  }
  std::string bytes = yaml();
  if (options.file == "-" && options.toStandardError) {
    llvm::errs() << bytes;
    return Status::Success;
  }
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
