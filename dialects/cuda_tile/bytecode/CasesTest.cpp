// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Round trip of every operation, and of every feature newer than its operation,
// in every version: equal after the read, or rejected by name.

#include "dialects/cuda_tile/bytecode/OpTable.h"
#include "dialects/cuda_tile/bytecode/TestSupport.h"
#include "dialects/cuda_tile/bytecode/TextLocations.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::bytecode_test;

namespace {

struct Case {
  std::string name;
  /// Oldest version that can hold the module.
  BytecodeVersion since;
  /// Errors of the writer below a version; the first that applies counts.
  std::vector<std::pair<BytecodeVersion, std::string>> refusals;
  std::string text;
  bool isOp = false;
};

BytecodeVersion versionOf(llvm::StringRef text) {
  BytecodeVersion version;
  std::string error;
  EXPECT_TRUE(parseBytecodeVersion(text, version, error)) << error;
  return version;
}

/// The modules of `file`; a module of `ops.mlir` is named after its operation.
std::vector<Case> casesOf(const std::string &file) {
  enableTestingVersions();
  std::string text =
      fileBytes(dataFolder() + "/../dialects/cuda_tile/bytecode/" + file);
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(text).split(parts, "// -----\n");
  std::vector<Case> cases;
  for (llvm::StringRef part : llvm::drop_begin(parts)) {
    Case result;
    result.isOp = file == "ops.mlir";
    result.text = part.str();
    for (llvm::StringRef line : llvm::split(part, '\n')) {
      if (line.consume_front("// case: ")) {
        auto [name, since] = line.rsplit(' ');
        result.name = name.str();
        result.since = versionOf(since);
      } else if (line.consume_front("// below ")) {
        auto [version, message] = line.split(": ");
        result.refusals.emplace_back(versionOf(version), message.str());
      }
    }
    EXPECT_FALSE(result.name.empty()) << result.text;
    cases.push_back(std::move(result));
  }
  return cases;
}

std::vector<Case> allCases() {
  std::vector<Case> cases = casesOf("ops.mlir");
  llvm::append_range(cases, casesOf("features.mlir"));
  return cases;
}

std::string write(cuda_tile::ModuleOp module, BytecodeVersion version) {
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  return succeeded(writeBytecode(module, version, stream)) ? bytes : "";
}

void PrintTo(const Case &test, std::ostream *os) { *os << test.name; }

class CaseTest : public testing::TestWithParam<Case> {
protected:
  std::string refusal(BytecodeVersion version) {
    const Case &test = GetParam();
    for (const auto &[below, message] : test.refusals) {
      if (below < version || below == version)
        continue;
      size_t at = message.find("{V}");
      return at == std::string::npos ? message
                                     : message.substr(0, at) + version.str() +
                                           message.substr(at + 3);
    }
    if (test.isOp)
      return "operation 'cuda_tile." + test.name +
             "' is not available in bytecode version " + version.str();
    return "no message is stated for version " + version.str();
  }
};

TEST_P(CaseTest, IsReadBackOrRefused) {
  const Case &test = GetParam();
  Reading reading;
  OwningOpRef<cuda_tile::ModuleOp> module = reading.parse(test.text);
  ASSERT_TRUE(module) << reading.allErrors();
  if (test.isOp) {
    bool found = false;
    module->walk([&](Operation *op) {
      found |= op->getName().stripDialect() == test.name;
    });
    EXPECT_TRUE(found);
  }
  normalize(*module);
  // Bytecode has no positions in text.
  locateImplicitTerminators(*module, "golden");
  module->walk([&](Operation *op) {
    if (isa<FileLineColLoc>(op->getLoc()))
      op->setLoc(UnknownLoc::get(&reading.context));
  });
  FailureOr<BytecodeVersion> minimum = minimumBytecodeVersion(*module);
  ASSERT_TRUE(succeeded(minimum)) << reading.allErrors();
  EXPECT_EQ(minimum->str(), test.since.str());
  for (const BytecodeVersionInfo &info : supportedBytecodeVersions()) {
    SCOPED_TRACE(info.version.str());
    reading.errors.clear();
    std::string bytes = write(*module, info.version);
    if (info.version < test.since) {
      EXPECT_TRUE(bytes.empty());
      ASSERT_FALSE(reading.errors.empty());
      EXPECT_EQ(reading.errors.front(), refusal(info.version));
      continue;
    }
    ASSERT_FALSE(bytes.empty()) << reading.allErrors();
    OwningOpRef<cuda_tile::ModuleOp> again = reading.read(bytes);
    ASSERT_TRUE(again) << reading.allErrors();
    normalize(*again);
    EXPECT_EQ(print(*module, true, /*generic=*/true),
              print(*again, true, /*generic=*/true));
    EXPECT_EQ(llvm::toHex(write(*again, info.version)), llvm::toHex(bytes));
  }
}

INSTANTIATE_TEST_SUITE_P(, CaseTest, testing::ValuesIn(allCases()),
                         [](const auto &info) {
                           return testName(info.param.name) + "_" +
                                  std::to_string(info.index);
                         });

TEST(Cases, NameEveryOperation) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<cuda_tile::CudaTileDialect>();
  llvm::StringMap<BytecodeVersion> cases;
  for (const Case &test : casesOf("ops.mlir"))
    EXPECT_TRUE(cases.insert({test.name, test.since}).second) << test.name;
  for (RegisteredOperationName name : context.getRegisteredOperations()) {
    if (name.getDialectNamespace() != "cuda_tile")
      continue;
    EXPECT_EQ(cases.count(name.stripDialect()), 1u)
        << name.getStringRef().str();
    if (const OpRecord *record = findOpRecord(name.stripDialect()))
      EXPECT_EQ(record->since.str(), cases.lookup(record->name).str());
  }
}

} // namespace
