// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/driver/TileText.h"

#include "passes/tileaa/Passes.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/raw_ostream.h"

namespace tileir::driver {

using namespace mlir;

TileText noteTileText(cuda_tile::ModuleOp kernels) {
  TileText result;
  bool scoped = false;
  for (auto entry : kernels.getOps<cuda_tile::EntryOp>())
    scoped |= bool(
        LocationAttr(entry.getLoc()).findInstanceOf<cuda_tile::DILocAttr>());
  if (!scoped)
    return result;

  std::string printed;
  AsmState::LocationMap positions;
  {
    llvm::raw_string_ostream stream(printed);
    AsmState state(kernels, OpPrintingFlags(), &positions);
    kernels->print(stream, state);
  }
  // The first and the last line of the module are omitted.
  constexpr unsigned kModuleLines = 1;
  result.indent = 2;
  SmallVector<StringRef> lines;
  StringRef(printed).trim('\n').split(lines, '\n');
  for (StringRef line : ArrayRef(lines).drop_front(kModuleLines).drop_back()) {
    for (unsigned i = 0; i < result.indent; ++i)
      line.consume_front(" ");
    result.text += line.str() + "\n";
  }

  Builder builder(kernels.getContext());
  for (auto entry : kernels.getOps<cuda_tile::EntryOp>()) {
    auto lineOf = [&](Operation *op) -> unsigned {
      auto it = positions.find(op);
      return it == positions.end() || it->second.first <= kModuleLines
                 ? 0
                 : it->second.first - kModuleLines;
    };
    result.kernels[entry.getName()] = lineOf(entry);
    entry.getBody().walk([&](Operation *op) {
      unsigned line = lineOf(op);
      if (!line)
        return;
      auto note = builder.getDictionaryAttr(builder.getNamedAttr(
          kTextLineNote, builder.getI32IntegerAttr(int32_t(line))));
      op->setLoc(FusedLoc::get(builder.getContext(), {op->getLoc()}, note));
    });
  }
  return result;
}

} // namespace tileir::driver
