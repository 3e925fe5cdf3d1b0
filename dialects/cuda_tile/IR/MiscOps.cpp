// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers of assumptions and prints.

#include "dialects/cuda_tile/CudaTile.h"

using namespace mlir;
using namespace mlir::cuda_tile;

OpFoldResult AssumeOp::fold(FoldAdaptor) {
  auto inner = getValue().getDefiningOp<AssumeOp>();
  if (inner && inner != *this && inner.getPredicate() == getPredicate())
    return getValue();
  return {};
}

/// Returns the value about which the assumptions up to `op` are; null for a
/// cycle of assumptions, which is possible in unverified IR. Calls `visit` for
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
  // Regions of other dialects may allow cycles.
  if (!getSubject(*this, [] {}))
    return emitOpError("operand #0 does not dominate this use");
  return getPredicate().verifyWithAssumeOp(*this); // C1
}

/// Counts the arguments of a format string; nothing if it ends inside of a
/// format.
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
