// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/nvvm_finalize/TensorMaps.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace tileir {

using namespace mlir;
using Id = ExpressionGraph::Id;

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

namespace {

/// Converts SSA values to expressions, each value once.
class ExpressionReader {
public:
  explicit ExpressionReader(ExpressionGraph &graph) : graph(graph) {}

  std::optional<Id> read(Value value, unsigned depth = 0) {
    if (auto it = known.find(value); it != known.end())
      return it->second;
    // Addresses and extents are shallow; the limit bounds the recursion.
    std::optional<Id> id =
        depth > 200 ? std::nullopt : readNew(value, depth + 1);
    known[value] = id;
    return id;
  }

private:
  static std::optional<unsigned> widthOf(Type type) {
    if (isa<LLVM::LLVMPointerType>(type))
      return 64;
    if (type.isInteger() && llvm::is_contained({1u, 8u, 16u, 32u, 64u},
                                               type.getIntOrFloatBitWidth()))
      return type.getIntOrFloatBitWidth();
    return std::nullopt;
  }

  std::optional<Id> argument(BlockArgument argument) {
    auto kernel =
        dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
    if (!kernel || !argument.getOwner()->isEntryBlock())
      return std::nullopt;
    SmallVector<unsigned> widths = parameterWidths(kernel);
    unsigned index = argument.getArgNumber();
    if (index >= widths.size() || !widths[index])
      return std::nullopt;
    return graph.argument(widths[index], index);
  }

  std::optional<Id> binary(ExprOp op, Operation *from, unsigned depth) {
    std::optional<Id> a = read(from->getOperand(0), depth);
    std::optional<Id> b = read(from->getOperand(1), depth);
    if (!a || !b)
      return std::nullopt;
    return graph.make(op, {*a, *b});
  }

  std::optional<Id> cast(ExprOp op, Operation *from, unsigned depth) {
    std::optional<Id> x = read(from->getOperand(0), depth);
    std::optional<unsigned> width = widthOf(from->getResult(0).getType());
    if (!x || !width)
      return std::nullopt;
    return graph.cast(op, *x, *width);
  }

  static ExprOp compare(LLVM::ICmpPredicate predicate) {
    using P = LLVM::ICmpPredicate;
    switch (predicate) {
    case P::eq:
      return ExprOp::Eq;
    case P::ne:
      return ExprOp::Ne;
    case P::ult:
      return ExprOp::ULt;
    case P::ule:
      return ExprOp::ULe;
    case P::ugt:
      return ExprOp::UGt;
    case P::uge:
      return ExprOp::UGe;
    case P::slt:
      return ExprOp::SLt;
    case P::sle:
      return ExprOp::SLe;
    case P::sgt:
      return ExprOp::SGt;
    case P::sge:
      return ExprOp::SGe;
    }
    llvm_unreachable("all predicates are handled");
  }

  /// Byte stride of the first index of a `getelementptr`.
  static std::optional<int64_t> stepOf(LLVM::GEPOp gep) {
    // Inner indices would need a data layout.
    if (gep.getIndices().size() != 1)
      return std::nullopt;
    std::optional<std::pair<int64_t, int64_t>> layout =
        parameterSizeAndAlign(gep.getElemType());
    if (!layout)
      return std::nullopt;
    return layout->first;
  }

  std::optional<Id> address(LLVM::GEPOp gep, unsigned depth) {
    std::optional<Id> base = read(gep.getBase(), depth);
    std::optional<int64_t> step = stepOf(gep);
    if (!base || !step)
      return std::nullopt;
    auto index = *gep.getIndices().begin();
    std::optional<Id> offset;
    if (auto value = dyn_cast<Value>(index)) {
      offset = read(value, depth);
      if (!offset)
        return std::nullopt;
      offset = graph.cast(ExprOp::SExt, *offset, 64);
    } else {
      offset =
          graph.constant(64, uint64_t(mlir::cast<IntegerAttr>(index).getInt()));
    }
    Id scaled =
        graph.make(ExprOp::Mul, {*offset, graph.constant(64, uint64_t(*step))});
    return graph.make(ExprOp::Add, {*base, scaled});
  }

  std::optional<Id> readNew(Value value, unsigned depth) {
    if (!widthOf(value.getType()))
      return std::nullopt;
    if (auto blockArgument = dyn_cast<BlockArgument>(value))
      return argument(blockArgument);
    Operation *op = value.getDefiningOp();
    if (auto constant = dyn_cast<LLVM::ConstantOp>(op)) {
      auto number = dyn_cast<IntegerAttr>(constant.getValue());
      if (!number)
        return std::nullopt;
      return graph.constant(*widthOf(value.getType()),
                            number.getValue().getZExtValue());
    }
    if (isa<LLVM::ZeroOp>(op))
      return graph.constant(*widthOf(value.getType()), 0);
    if (auto gep = dyn_cast<LLVM::GEPOp>(op))
      return address(gep, depth);
    if (auto icmp = dyn_cast<LLVM::ICmpOp>(op))
      return binary(compare(icmp.getPredicate()), op, depth);
    if (isa<LLVM::SelectOp>(op)) {
      std::optional<Id> c = read(op->getOperand(0), depth);
      std::optional<Id> a = read(op->getOperand(1), depth);
      std::optional<Id> b = read(op->getOperand(2), depth);
      if (!c || !a || !b)
        return std::nullopt;
      return graph.make(ExprOp::Select, {*c, *a, *b});
    }
    // Generic and global addresses of a byte are the same number.
    if (isa<LLVM::PtrToIntOp, LLVM::IntToPtrOp, LLVM::BitcastOp,
            LLVM::AddrSpaceCastOp>(op))
      return cast(ExprOp::ZExt, op, depth);
    if (isa<LLVM::TruncOp>(op))
      return cast(ExprOp::Trunc, op, depth);
    if (isa<LLVM::ZExtOp>(op))
      return cast(ExprOp::ZExt, op, depth);
    if (isa<LLVM::SExtOp>(op))
      return cast(ExprOp::SExt, op, depth);
    if (std::optional<ExprOp> same = binaryOp(op))
      return binary(*same, op, depth);
    return std::nullopt;
  }

  static std::optional<ExprOp> binaryOp(Operation *op) {
    if (isa<LLVM::AddOp>(op))
      return ExprOp::Add;
    if (isa<LLVM::SubOp>(op))
      return ExprOp::Sub;
    if (isa<LLVM::MulOp>(op))
      return ExprOp::Mul;
    if (isa<LLVM::UDivOp>(op))
      return ExprOp::UDiv;
    if (isa<LLVM::SDivOp>(op))
      return ExprOp::SDiv;
    if (isa<LLVM::URemOp>(op))
      return ExprOp::URem;
    if (isa<LLVM::SRemOp>(op))
      return ExprOp::SRem;
    if (isa<LLVM::AndOp>(op))
      return ExprOp::And;
    if (isa<LLVM::OrOp>(op))
      return ExprOp::Or;
    if (isa<LLVM::XOrOp>(op))
      return ExprOp::Xor;
    if (isa<LLVM::ShlOp>(op))
      return ExprOp::Shl;
    if (isa<LLVM::LShrOp>(op))
      return ExprOp::LShr;
    if (isa<LLVM::AShrOp>(op))
      return ExprOp::AShr;
    if (isa<LLVM::UMinOp>(op))
      return ExprOp::UMin;
    if (isa<LLVM::UMaxOp>(op))
      return ExprOp::UMax;
    if (isa<LLVM::SMinOp>(op))
      return ExprOp::SMin;
    if (isa<LLVM::SMaxOp>(op))
      return ExprOp::SMax;
    return std::nullopt;
  }

  ExpressionGraph &graph;
  DenseMap<Value, std::optional<Id>> known;
};

} // namespace

std::optional<Id> expressionOf(Value value, ExpressionGraph &graph) {
  return ExpressionReader(graph).read(value);
}

//===----------------------------------------------------------------------===//
// Placement
//===----------------------------------------------------------------------===//

/// The operands of a call, by role.
static Value baseOf(LLVM::CallOp call) { return call.getArgOperands()[0]; }
static ValueRange extentsOf(LLVM::CallOp call, const TensorMapShape &shape) {
  return call.getArgOperands().slice(1, shape.rank());
}
static ValueRange stridesOf(LLVM::CallOp call, const TensorMapShape &shape) {
  return call.getArgOperands().drop_front(1 + shape.rank());
}

static FailureOr<TensorMapShape> checkCall(LLVM::CallOp call,
                                           LLVM::LLVMFuncOp kernel) {
  auto emitError = [&]() -> InFlightDiagnostic { return call.emitError(); };
  auto attr = call->getAttrOfType<DictionaryAttr>(launch::tensorMapName);
  if (!attr)
    return emitError() << "call of '" << launch::makeTensorMapName
                       << "' needs '" << launch::tensorMapName
                       << "', a dictionary with element, box and swizzle";
  FailureOr<TensorMapShape> shape = parseTensorMapShape(attr, emitError);
  if (failed(shape))
    return failure();
  size_t operands = 2 * shape->rank();
  if (call.getArgOperands().size() != operands)
    return emitError() << "a tensor map of rank " << shape->rank() << " takes "
                       << operands << " operands (base, extents, strides), got "
                       << call.getArgOperands().size();
  for (auto [i, operand] : llvm::enumerate(call.getArgOperands())) {
    Type type = operand.getType();
    bool fits = i == 0 ? isa<LLVM::LLVMPointerType>(type) || type.isInteger(64)
                       : type.isInteger(32) || type.isInteger(64);
    if (!fits)
      return emitError() << "operand " << i << " of a tensor map is " << type
                         << "; expected "
                         << (i == 0 ? "a pointer or i64" : "i32 or i64");
  }
  if (call.getNumResults() != 1 ||
      call.getResult().getType() !=
          LLVM::LLVMPointerType::get(call.getContext()))
    return emitError() << "a tensor map is an '!llvm.ptr'";
  (void)kernel;
  return shape;
}

/// The recipe of the map that `call` builds; nothing when the host cannot
/// compute it.
static std::optional<TensorMapRecipe> recipeOf(LLVM::CallOp call,
                                               const TensorMapShape &shape) {
  TensorMapRecipe recipe;
  recipe.shape = shape;
  ExpressionReader reader(recipe.graph);
  std::optional<Id> base = reader.read(baseOf(call));
  if (!base)
    return std::nullopt;
  recipe.base = *base;
  for (Value extent : extentsOf(call, shape)) {
    std::optional<Id> id = reader.read(extent);
    if (!id)
      return std::nullopt;
    recipe.extents.push_back(*id);
  }
  for (Value stride : stridesOf(call, shape)) {
    std::optional<Id> id = reader.read(stride);
    if (!id)
      return std::nullopt;
    recipe.strides.push_back(*id);
  }
  return recipe;
}

bool isPromised(Attribute divisor) {
  auto promised = dyn_cast_or_null<IntegerAttr>(divisor);
  return promised && promised.getInt() > 0 && promised.getInt() % 16 == 0;
}

/// Checks the divisibility of base and strides: by the producer's promise, or
/// by the values of which the map is built.
static LogicalResult proveCall(LLVM::CallOp call, LLVM::LLVMFuncOp kernel,
                               const TensorMapShape &shape) {
  auto emitError = [&]() -> InFlightDiagnostic { return call.emitError(); };
  if (isPromised(call->getAttr(launch::divisibleByName)))
    return success();
  if (std::optional<TensorMapRecipe> recipe = recipeOf(call, shape))
    return proveTensorMap(kernel, *recipe, emitError);
  return emitError() << "base and strides of a tensor map that is built on the "
                        "device are not known to be divisible by 16; add '"
                     << launch::divisibleByName << "' to the call";
}

static DictionaryAttr hiddenMapAttrs(MLIRContext *context,
                                     const TensorMapRecipe &recipe) {
  Builder b(context);
  auto bytes = LLVM::LLVMArrayType::get(b.getI8Type(), limits::tensorMapBytes);
  return b.getDictionaryAttr(
      {b.getNamedAttr(launch::hiddenName,
                      b.getStringAttr(launch::hiddenTensorMap)),
       b.getNamedAttr(launch::tensorMapName, tensorMapAttr(context, recipe)),
       b.getNamedAttr(LLVM::LLVMDialect::getByValAttrName(),
                      TypeAttr::get(bytes)),
       b.getNamedAttr(LLVM::LLVMDialect::getAlignAttrName(),
                      b.getI64IntegerAttr(limits::tensorMapAlign)),
       b.getNamedAttr(NVVM::NVVMDialect::getGridConstantAttrName(),
                      b.getUnitAttr())});
}

/// Inserts a parameter before number `index`. The interface's own function does
/// not support LLVM's void result.
static Value insertParameter(LLVM::LLVMFuncOp kernel, unsigned index, Type type,
                             DictionaryAttr attrs, Location loc) {
  SmallVector<Type> types(kernel.getArgumentTypes());
  SmallVector<DictionaryAttr> all;
  auto function = cast<FunctionOpInterface>(*kernel);
  for (unsigned i = 0; i != types.size(); ++i) {
    DictionaryAttr given = function.getArgAttrDict(i);
    all.push_back(given ? given : DictionaryAttr::get(kernel.getContext()));
  }
  types.insert(types.begin() + index, type);
  all.insert(all.begin() + index, attrs);
  kernel.setFunctionType(LLVM::LLVMFunctionType::get(
      kernel.getFunctionType().getReturnType(), types));
  function.setAllArgAttrs(all);
  return kernel.getBody().front().insertArgument(index, type, loc);
}

/// The hidden parameter with this recipe, added if the kernel has none.
static Value hostMap(LLVM::LLVMFuncOp kernel, LLVM::CallOp call,
                     const TensorMapRecipe &recipe) {
  DictionaryAttr attrs = hiddenMapAttrs(kernel.getContext(), recipe);
  Attribute wanted = attrs.get(launch::tensorMapName);
  for (unsigned i = 0, e = kernel.getNumArguments(); i != e; ++i)
    if (kernel.getArgAttr(i, launch::tensorMapName) == wanted)
      return kernel.getArgument(i);
  unsigned index = kernel.getNumArguments();
  Value map = insertParameter(kernel, index,
                              LLVM::LLVMPointerType::get(kernel.getContext()),
                              attrs, call.getLoc());
  // A promise about the map replaces the check of the arguments.
  if (Attribute promised = call->getAttr(launch::divisibleByName))
    kernel.setArgAttr(index, launch::divisibleByName, promised);
  return map;
}

/// The workspace parameter, the first hidden one.
static Value workspaceOf(LLVM::LLVMFuncOp kernel) {
  unsigned index = 0;
  for (unsigned e = kernel.getNumArguments(); index != e; ++index) {
    auto hidden =
        kernel.getArgAttrOfType<StringAttr>(index, launch::hiddenName);
    if (!hidden)
      continue;
    if (hidden.getValue() == launch::hiddenWorkspace)
      return kernel.getArgument(index);
    break;
  }
  Builder b(kernel.getContext());
  DictionaryAttr attrs = b.getDictionaryAttr(b.getNamedAttr(
      launch::hiddenName, b.getStringAttr(launch::hiddenWorkspace)));
  return insertParameter(kernel, index,
                         LLVM::LLVMPointerType::get(kernel.getContext(), 1),
                         attrs, kernel.getLoc());
}

LogicalResult placeTensorMaps(LLVM::LLVMFuncOp kernel, unsigned &numHost,
                              unsigned &numDevice) {
  SmallVector<LLVM::CallOp> calls;
  kernel.walk([&](LLVM::CallOp call) {
    if (call.getCallee() == StringRef(launch::makeTensorMapName))
      calls.push_back(call);
  });
  if (calls.empty())
    return success();
  FailureOr<Target> target =
      moduleTarget(kernel->getParentOfType<gpu::GPUModuleOp>());
  if (failed(target))
    return failure();
  int64_t device = 0;
  if (auto given = kernel->getAttrOfType<IntegerAttr>(launch::deviceMapsName))
    device = given.getInt();
  for (LLVM::CallOp call : calls) {
    if (!target->hasTma())
      return call.emitError() << "tensor maps need sm_90 or later, target is '"
                              << target->name() << "'; load without them";
    FailureOr<TensorMapShape> shape = checkCall(call, kernel);
    if (failed(shape) || failed(proveCall(call, kernel, *shape)))
      return failure();
    if (std::optional<TensorMapRecipe> recipe = recipeOf(call, *shape)) {
      call.getResult().replaceAllUsesWith(hostMap(kernel, call, *recipe));
      call.erase();
      ++numHost;
      continue;
    }
    if (call->getParentOp() != kernel)
      return call.emitError()
             << "a tensor map that is built on the device is made by all "
                "threads together; move the call out of '"
             << call->getParentOp()->getName() << "'";
    if (failed(
            buildOnDevice(call, *shape, workspaceOf(kernel), unsigned(device))))
      return failure();
    ++device;
    ++numDevice;
  }
  if (device)
    kernel->setAttr(launch::deviceMapsName,
                    Builder(kernel.getContext()).getI32IntegerAttr(device));
  return success();
}

} // namespace tileir
