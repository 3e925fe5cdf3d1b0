// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_CUDA_TILE_BYTECODE_TESTSUPPORT_H
#define DIALECTS_CUDA_TILE_BYTECODE_TESTSUPPORT_H

#include "dialects/cuda_tile/bytecode/Bytecode.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

namespace tileir::bytecode_test {

using namespace mlir;

inline std::string dataFolder() {
  const char *root = std::getenv("TEST_SRCDIR");
  const char *workspace = std::getenv("TEST_WORKSPACE");
  return std::string(root ? root : ".") + "/" +
         (workspace ? workspace : "tileir") + "/test/data";
}

inline std::string fileBytes(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  EXPECT_TRUE(bool(buffer)) << path;
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

/// The bytecode files of `test/data` whose version is supported, by name.
inline std::vector<std::string> supportedFiles() {
  std::vector<std::string> names;
  std::error_code error;
  llvm::sys::fs::directory_iterator entry(dataFolder() + "/tileirbc", error);
  for (; !error && entry != llvm::sys::fs::directory_iterator();
       entry.increment(error)) {
    if (llvm::sys::path::extension(entry->path()) != ".tileirbc")
      continue;
    std::string bytes = fileBytes(entry->path());
    if (bytes.size() > 9 &&
        findBytecodeVersion({uint8_t(bytes[8]), uint8_t(bytes[9]), 0}))
      names.push_back(llvm::sys::path::stem(entry->path()).str());
  }
  llvm::sort(names);
  return names;
}

inline std::string bytecodeOf(const std::string &name) {
  return fileBytes(dataFolder() + "/tileirbc/" + name + ".tileirbc");
}

/// The name of a file as a gtest name.
inline std::string testName(std::string name) {
  for (char &c : name)
    if (!llvm::isAlnum(c))
      c = '_';
  return name;
}

inline std::string unhex(llvm::StringRef text) {
  std::string bytes;
  for (char c : text)
    if (c != ' ')
      bytes += c;
  return llvm::fromHex(bytes);
}

/// A context that records the errors.
class Reading {
public:
  Reading() : context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<cuda_tile::CudaTileDialect>();
    context.getDiagEngine().registerHandler([&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        errors.push_back(diagnostic.str());
      return success();
    });
  }

  OwningOpRef<cuda_tile::ModuleOp> read(llvm::StringRef bytes) {
    errors.clear();
    OwningOpRef<cuda_tile::ModuleOp> module =
        readBytecode(llvm::MemoryBufferRef(bytes, "test"), &context);
    // The reader skips verification that it considers redundant.
    cuda_tile::NewestReleaseScope newest(&context);
    EXPECT_TRUE(!module || succeeded(mlir::verify(*module)));
    return module;
  }

  OwningOpRef<cuda_tile::ModuleOp> parse(llvm::StringRef text) {
    errors.clear();
    OwningOpRef<mlir::ModuleOp> file = parseSourceString<mlir::ModuleOp>(
        text, ParserConfig(&context), "golden");
    auto module = file ? cuda_tile::extractCudaTileModuleOp(*file) : nullptr;
    if (module)
      module->remove();
    return module;
  }

  std::string allErrors() const { return llvm::join(errors, "\n"); }

  MLIRContext context;
  std::vector<std::string> errors;
};

inline std::string print(cuda_tile::ModuleOp module, bool debugInfo,
                         bool generic) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  OpPrintingFlags flags;
  flags.enableDebugInfo(debugInfo).printGenericOpForm(generic);
  module->print(stream, flags);
  return text;
}

/// Hints lose the width of their integers in text.
inline void normalizeHints(cuda_tile::ModuleOp module) {
  Builder builder(module.getContext());
  AttrTypeReplacer widen;
  widen.addReplacement([&](IntegerAttr attr) -> std::optional<Attribute> {
    if (attr.getType().isInteger(1))
      return std::nullopt;
    return builder.getI64IntegerAttr(attr.getInt());
  });
  module->walk([&](Operation *op) {
    if (Attribute hints = op->getAttr("optimization_hints"))
      op->setAttr("optimization_hints", widen.replace(hints));
  });
}

/// Removes differences between text and bytecode: text loses the width of
/// integers in hints, and an argument without attributes has none or an empty
/// dictionary.
inline void normalize(cuda_tile::ModuleOp module) {
  Builder builder(module.getContext());
  normalizeHints(module);
  module->setLoc(builder.getUnknownLoc());
  module->walk([&](Operation *op) {
    if (auto args = op->getAttrOfType<ArrayAttr>("arg_attrs"))
      if (llvm::all_of(args, [](Attribute attr) {
            return cast<DictionaryAttr>(attr).empty();
          }))
        op->removeAttr("arg_attrs");
    for (Region &region : op->getRegions())
      for (BlockArgument argument : region.getArguments())
        argument.setLoc(builder.getUnknownLoc());
  });
}

constexpr const char *kEmptyModule =
    "7f54696c65495200 0d030000 820808cb 00cbcbcbcbcbcbcb 850404cb 00cbcbcb "
    "810404cb 00cbcbcb 00";

/// A complete module, byte for byte as the reference writer writes it.
constexpr const char *kExample =
    "7f 54 69 6c 65 49 52 00 0d 03 00 00 06 07 01 01 06 00 00 01 01 82 50 08 "
    "01 00 05 06 00 0b 01 02 "
    "0a 01 03 01 03 02 3c 30 04 04 04 10 04 01 10 04 02 29 01 04 00 04 05 01 "
    "06 02 01 01 02 04 04 02 "
    "03 04 01 08 07 11 00 01 09 51 02 00 07 3d 07 08 00 00 08 02 07 01 00 09 "
    "09 65 08 08 00 08 0b 0a "
    "5c 00 00 cb cb cb cb cb 84 33 08 cb cb cb cb cb 03 cb cb cb cb cb cb cb "
    "00 00 00 00 00 00 00 00 "
    "09 00 00 00 00 00 00 00 0e 00 00 00 00 00 00 00 08 00 00 80 3f 00 00 00 "
    "40 04 00 00 00 00 04 01 "
    "00 00 00 85 46 04 cb cb 09 cb cb cb 00 00 00 00 01 00 00 00 03 00 00 00 "
    "06 00 00 00 07 00 00 00 "
    "0a 00 00 00 0f 00 00 00 1a 00 00 00 1d 00 00 00 07 0c 00 0d 01 00 03 0d "
    "03 00 10 02 02 04 00 0d "
    "00 01 02 00 00 00 00 00 00 00 0d 00 00 11 07 01 04 81 36 04 05 cb cb cb "
    "00 00 00 00 05 00 00 00 "
    "08 00 00 00 0d 00 00 00 16 00 00 00 61 78 70 79 31 74 62 6c 73 6d 5f 39 "
    "30 6f 63 63 75 70 61 6e "
    "63 79 64 65 6d 6f 20 31 2e 30 00 ";

inline std::string example() { return unhex(kExample); }

inline void expectError(llvm::StringRef bytes, llvm::StringRef message) {
  Reading reading;
  EXPECT_FALSE(reading.read(bytes));
  ASSERT_FALSE(reading.errors.empty());
  llvm::StringRef first = reading.errors.front();
  // The offset is not part of the contract.
  if (first.consume_front("error at offset "))
    first = first.split(": ").second;
  EXPECT_EQ(first.str(), message.str()) << reading.allErrors();
}

/// The example with `replacement` (hexadecimal) at `offset`.
inline std::string changed(size_t offset, llvm::StringRef replacement) {
  std::string bytes = example();
  std::string patch = unhex(replacement);
  bytes.replace(offset, patch.size(), patch);
  return bytes;
}

/// Builds a file from the parts that a test varies.
class FileBuilder {
public:
  explicit FileBuilder(uint8_t minor, std::vector<std::string> strings = {"x"})
      : bytes(unhex("7f54696c65495200 0d")), minor(minor), strings(strings) {
    bytes += {static_cast<char>(minor), 0, 0};
  }

  /// A global `x` of the last of `types` with the one constant.
  void global(llvm::ArrayRef<std::string> types, llvm::StringRef constant) {
    std::string record = "01 00 " + hexByte(types.size() - 1) + " 00 00";
    section(6, 0, unhex(record + (minor >= 3 ? " 00 00" : "")));
    section(2, 8, unhex("00"));
    section(4, 8, table(8, {unhex(constant)}));
    typesAndStrings(types);
  }

  /// An entry `x` without locations; `flags` is its flags byte, `attrs` the
  /// bytes before the length of the body.
  void function(llvm::ArrayRef<std::string> types, unsigned signature,
                llvm::StringRef body, const std::string &flags = "02",
                std::optional<std::string> attrs = {}) {
    std::string code = unhex(body);
    if (!attrs)
      attrs = minor >= 5 ? "0b 00 06 00" : "";
    section(2, 8,
            unhex("01 00" + hexByte(signature) + flags +
                  (debug.empty() ? "00" : "01") + *attrs +
                  llvm::toHex(varInt(code.size()))) +
                code);
    if (!debug.empty())
      section(3, 8, debug);
    typesAndStrings(types);
  }

  /// Locations of the next function and of its operations: numbers of `items`,
  /// debug attributes in hexadecimal.
  void locations(llvm::ArrayRef<uint64_t> numbers,
                 llvm::ArrayRef<std::string> items) {
    debug = unhex("01 cbcbcb 00000000") + varInt(numbers.size());
    debug.resize(llvm::alignTo(debug.size(), 8), '\xcb');
    for (uint64_t number : numbers)
      debug += littleEndian(number, 8);
    std::vector<std::string> bytes;
    for (const std::string &item : items)
      bytes.push_back(unhex(item));
    debug += table(4, bytes);
  }

  /// A varint in hexadecimal.
  static std::string hexVarInt(size_t value) {
    return llvm::toHex(varInt(value));
  }

  /// A section of any content; the field is left out for alignment 0.
  void section(uint8_t id, uint8_t alignment, const std::string &payload) {
    bytes += static_cast<char>(id | (alignment ? 0x80 : 0));
    bytes += varInt(payload.size());
    if (alignment) {
      bytes += static_cast<char>(alignment);
      bytes.resize(llvm::alignTo(bytes.size(), alignment), '\xcb');
    }
    bytes += payload;
  }

  /// Returns a section with items at offsets of `width` bytes.
  static std::string table(size_t width, llvm::ArrayRef<std::string> items) {
    std::string head = varInt(items.size()), data;
    head.resize(llvm::alignTo(head.size(), width), '\xcb');
    for (const std::string &item : items) {
      head += littleEndian(data.size(), width);
      data += item;
    }
    return head + data;
  }

  std::string finish() const { return bytes + std::string(1, 0); }

private:
  static std::string varInt(size_t value) {
    std::string bytes;
    for (; value >= 128; value >>= 7)
      bytes += static_cast<char>(value | 128);
    return bytes + static_cast<char>(value);
  }

  static std::string hexByte(size_t value) {
    return llvm::toHex(std::string(1, static_cast<char>(value)));
  }

  void typesAndStrings(llvm::ArrayRef<std::string> types) {
    std::vector<std::string> items;
    for (const std::string &type : types)
      items.push_back(unhex(type));
    section(5, 4, table(4, items));
    section(1, 4, table(4, strings));
  }

  static std::string littleEndian(uint64_t value, size_t width) {
    std::string bytes;
    for (size_t i = 0; i != width; ++i)
      bytes += static_cast<char>(value >> (8 * i));
    return bytes;
  }

  std::string bytes, debug;
  uint8_t minor;
  std::vector<std::string> strings;
};

} // namespace tileir::bytecode_test

#endif // DIALECTS_CUDA_TILE_BYTECODE_TESTSUPPORT_H
