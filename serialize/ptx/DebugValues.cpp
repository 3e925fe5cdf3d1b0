// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/ptx/DebugValues.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"

namespace tileir {

using namespace llvm;

namespace {
/// The PTX instruction that moves a scalar.
struct Move {
  const char *text = nullptr;
  const char *constraint = nullptr;
};
} // namespace

static Move moveOf(Type *type) {
  if (type->isIntegerTy(16))
    return {"mov.b16 $0, $1;", "=h,h"};
  if (type->isIntegerTy(32))
    return {"mov.b32 $0, $1;", "=r,r"};
  if (type->isIntegerTy(64) || type->isPointerTy())
    return {"mov.b64 $0, $1;", "=l,l"};
  if (type->isFloatTy())
    return {"mov.b32 $0, $1;", "=f,f"};
  if (type->isDoubleTy())
    return {"mov.b64 $0, $1;", "=d,d"};
  return {};
}

static Value *pin(IRBuilder<> &builder, Value *value, const Move &move) {
  auto *type = FunctionType::get(value->getType(), {value->getType()}, false);
  InlineAsm *code = InlineAsm::get(type, move.text, move.constraint,
                                   /*hasSideEffects=*/true);
  CallInst *copy = builder.CreateCall(type, code, {value});
  copy->setDoesNotThrow();
  return copy;
}

/// Collects the scalars of an aggregate, with their place in it.
static void
collectLeaves(Type *type, const DataLayout &layout, uint64_t offset,
              SmallVectorImpl<unsigned> &path,
              function_ref<void(ArrayRef<unsigned>, Type *, uint64_t)> visit) {
  auto descend = [&](unsigned index, Type *element, uint64_t at) {
    path.push_back(index);
    collectLeaves(element, layout, at, path, visit);
    path.pop_back();
  };
  if (auto *structure = dyn_cast<StructType>(type)) {
    for (unsigned i = 0; i < structure->getNumElements(); ++i)
      descend(i, structure->getElementType(i),
              offset + layout.getStructLayout(structure)
                           ->getElementOffsetInBits(i)
                           .getFixedValue());
  } else if (auto *array = dyn_cast<ArrayType>(type)) {
    uint64_t stride = layout.getTypeAllocSizeInBits(array->getElementType());
    for (unsigned i = 0; i < array->getNumElements(); ++i)
      descend(i, array->getElementType(), offset + i * stride);
  } else {
    visit(path, type, offset);
  }
}

static void pinRecord(DbgVariableRecord &record, Instruction &at,
                      const DataLayout &layout) {
  Value *value = record.getVariableLocationOp(0);
  // Copies come before the records of `at`, which then name the copies.
  BasicBlock::iterator place = at.getIterator();
  place.setHeadBit(true);
  IRBuilder<> builder(at.getParent(), place);
  builder.SetCurrentDebugLocation(record.getDebugLoc());
  if (Move move = moveOf(value->getType()); move.text) {
    record.replaceVariableLocationOp(0u, pin(builder, value, move));
    return;
  }
  if (!value->getType()->isAggregateType())
    return;
  // Leaves first: a variable with a leaf that cannot be copied stays whole.
  bool complete = true;
  SmallVector<unsigned> path;
  collectLeaves(value->getType(), layout, 0, path,
                [&](ArrayRef<unsigned>, Type *type, uint64_t) {
                  complete &= moveOf(type).text != nullptr;
                });
  if (!complete)
    return;
  collectLeaves(
      value->getType(), layout, 0, path,
      [&](ArrayRef<unsigned> indices, Type *type, uint64_t offset) {
        std::optional<DIExpression *> fragment =
            DIExpression::createFragmentExpression(
                record.getExpression(), unsigned(offset),
                unsigned(layout.getTypeSizeInBits(type)));
        if (!fragment)
          return;
        Value *leaf = pin(builder, builder.CreateExtractValue(value, indices),
                          moveOf(type));
        DbgVariableRecord *piece = DbgVariableRecord::createDbgVariableRecord(
            leaf, record.getVariable(), *fragment, record.getDebugLoc().get());
        piece->insertBefore(&record);
      });
  record.eraseFromParent();
}

void pinDebugValues(Module &module) {
  const DataLayout &layout = module.getDataLayout();
  for (Function &function : module)
    for (BasicBlock &block : function)
      for (Instruction &inst : make_early_inc_range(block)) {
        SmallVector<DbgVariableRecord *> records;
        for (DbgVariableRecord &record :
             filterDbgVars(inst.getDbgRecordRange()))
          if (record.isDbgValue() && record.getNumVariableLocationOps() == 1 &&
              record.getVariableLocationOp(0) &&
              !isa<Constant>(record.getVariableLocationOp(0)))
            records.push_back(&record);
        for (DbgVariableRecord *record : records)
          pinRecord(*record, inst, layout);
      }
}

} // namespace tileir
