// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assumptions and prints.

#include "dialects/cuda_tile/CudaTile.h"

using namespace mlir;
using namespace mlir::cuda_tile;

OpFoldResult AssumeOp::fold(FoldAdaptor) {
  auto inner = getValue().getDefiningOp<AssumeOp>();
  if (inner && inner.getPredicate() == getPredicate())
    return getValue();
  return {};
}

void AssumeOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  std::string name = "assume";
  if (auto asmOp = getValue().getDefiningOp<OpAsmOpInterface>()) {
    name += '_';
    asmOp.getAsmResultNames([&](Value value, StringRef hint) {
      if (value == getValue())
        name += hint;
    });
  }
  setName(getResult(), name);
}

LogicalResult AssumeOp::verify() {
  return getPredicate().verifyWithAssumeOp(*this); // C1
}

/// Counts the arguments that a format string asks for; nothing if it ends
/// inside of a format.
static std::optional<unsigned> countFormats(StringRef text) {
  unsigned count = 0;
  for (size_t at = text.find('%'); at != StringRef::npos;
       at = text.find('%', at)) {
    size_t end = text.find_first_of("diuoxXeEfFgGaAcsSpn%", at + 1);
    if (end == StringRef::npos)
      return std::nullopt;
    if (end == at + 1 && text[end] == '%') {
      at += 2;
      continue;
    }
    ++count;
    ++at;
  }
  return count;
}

LogicalResult PrintTkoOp::verify() {
  std::optional<unsigned> expected = countFormats(getStr()); // C1
  if (!expected)
    return emitOpError("found unterminated format expression");
  if (*expected != getArgs().size())
    return emitOpError("incorrect number of operands: expected ")
           << *expected << ", found " << getArgs().size();
  return success();
}
