// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/cuda_tile/bytecode/Disassembly.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

namespace tileir {

using namespace mlir;

namespace {

/// Receives the text of a module, line by line, and prints its contents in the
/// format of the disassembler. A line is an operation, the opening or closing
/// of a region, or an alias; strings contain no line breaks.
class ContentsStream final : public raw_ostream {
public:
  explicit ContentsStream(raw_ostream &os) : os(os) {}
  ~ContentsStream() override {
    flush();
    if (!line.empty())
      finishLine();
  }

private:
  void write_impl(const char *data, size_t size) override {
    position += size;
    StringRef text(data, size);
    for (;;) {
      size_t end = text.find('\n');
      line += text.take_front(end);
      if (end == StringRef::npos)
        return;
      finishLine();
      line.clear();
      text = text.drop_front(end + 1);
    }
  }

  uint64_t current_pos() const override { return position; }

  void finishLine() {
    StringRef text = line;
    switch (part) {
    case Part::Head:
      // Aliases may come before the line that opens the module.
      if (text.starts_with("cuda_tile.module ")) {
        part = Part::Contents;
        return;
      }
      break;
    case Part::Contents:
      if (text.starts_with("}")) {
        part = Part::Tail;
        return;
      }
      text.consume_front("  ");
      if (printedAsFPowF(text) || printedWithBoolBytes(text))
        return;
      break;
    case Part::Tail:
      break;
    }
    os << text << '\n';
  }

  /// `pow` has another name from 13.4 on, and always in disassembly.
  bool printedAsFPowF(StringRef text) {
    constexpr StringLiteral oldName = " = pow ";
    size_t at = text.find(oldName);
    if (at == StringRef::npos)
      return false;
    StringRef result = text.take_front(at).ltrim();
    if (!result.starts_with("%") || result.contains(' '))
      return false;
    os << text.take_front(at) << " = fpowf "
       << text.drop_front(at + oldName.size()) << '\n';
    return true;
  }

  /// The bytes of a large i1 constant hold eight elements each; release 13.5
  /// prints one byte for each element.
  bool printedWithBoolBytes(StringRef text) {
    constexpr StringLiteral open = "<i1: \"0x", close = "\"> : tile<";
    size_t begin = text.find(open);
    if (begin == StringRef::npos)
      return false;
    begin += open.size();
    auto [digits, type] = text.drop_front(begin).split(close);
    uint64_t count = 1;
    for (uint64_t extent; !type.consumeInteger(10, extent);) {
      count *= extent;
      type.consume_front("x");
    }
    // A string that only resembles a constant, or a splat.
    if (digits.size() != 2 * llvm::divideCeil(count, 8) ||
        !llvm::all_of(digits, llvm::isHexDigit))
      return false;
    os << text.take_front(begin);
    for (uint64_t i = 0; i != count; ++i) {
      char digit = digits[2 * (i / 8) + (i % 8 < 4 ? 1 : 0)];
      os << '0' << char('0' + (llvm::hexDigitValue(digit) >> (i % 4) & 1));
    }
    os << text.drop_front(begin + digits.size()) << '\n';
    return true;
  }

  raw_ostream &os;
  std::string line;
  uint64_t position = 0;
  enum class Part { Head, Contents, Tail } part = Part::Head;
};

} // namespace

void printDisassembly(cuda_tile::ModuleOp module, bool debugInfo,
                      llvm::raw_ostream &os) {
  if (auto producer = module->getAttrOfType<StringAttr>("producer"))
    os << "// Producer: " << producer.getValue() << '\n';
  Block &body = module->getRegion(0).front();
  if (body.empty()) {
    // The other tool ends the line of the omitted text, and prints the location
    // of the module.
    os << '\n';
    if (debugInfo)
      os << "#loc = loc(unknown)\n";
    return;
  }
  // Aliases are numbered in order of their first use. The module itself is not
  // printed, so its location must not be the first.
  module->setLoc(body.front().getLoc());
  OpPrintingFlags flags;
  flags.enableDebugInfo(debugInfo);
  ContentsStream contents(os);
  module->print(contents, flags);
}

} // namespace tileir
