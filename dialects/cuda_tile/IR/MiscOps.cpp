// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assumptions and prints.

#include "dialects/cuda_tile/CudaTile.h"

using namespace mlir;
using namespace mlir::cuda_tile;

OpFoldResult AssumeOp::fold(FoldAdaptor) {
  auto inner = getValue().getDefiningOp<AssumeOp>();
  if (inner && inner != *this && inner.getPredicate() == getPredicate())
    return getValue();
  return {};
}

/// Returns what the assumptions up to `op` are about; null if they are about
/// each other, which IR that has not been verified may say. Calls `visit` with
/// each.
static Value getSubject(AssumeOp op, function_ref<void()> visit) {
  SmallPtrSet<Operation *, 4> seen;
  for (AssumeOp inner = op; inner;
       inner = inner.getValue().getDefiningOp<AssumeOp>()) {
    if (!seen.insert(inner).second)
      return {};
    visit();
    op = inner;
  }
  return op.getValue();
}

void AssumeOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  std::string name;
  Value subject =
      getSubject(*this, [&] { name += name.empty() ? "assume" : "_assume"; });
  if (auto asmOp =
          subject ? subject.getDefiningOp<OpAsmOpInterface>() : nullptr) {
    name += '_';
    asmOp.getAsmResultNames([&](Value value, StringRef hint) {
      if (value == subject)
        name += hint;
    });
  }
  setName(getResult(), name);
}

LogicalResult AssumeOp::verify() {
  // Regions of other dialects may have no order that forbids it.
  if (!getSubject(*this, [] {}))
    return emitOpError("operand #0 does not dominate this use");
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
