// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/oracle/Signature.h"

#include "dialects/cuda_tile/reference/Interpreter.h"
#include "tools/cases/Dtype.h"
#include "tools/cases/Json.h"

#include "llvm/Support/raw_ostream.h"

#include <nlohmann/json.hpp>

namespace tileir {

using namespace mlir;
using llvm::StringRef;

/// Extent of a dimension that only an argument gives, and size of a buffer
/// without a view.
static constexpr int64_t kOpenExtent = 128;
static constexpr int64_t kPlainElements = 1024;

static bool isAddress(Type type) {
  auto tile = dyn_cast<cuda_tile::TileType>(type);
  return tile ? isa<cuda_tile::PointerType>(tile.getElementType())
              : isa<cuda_tile::TensorViewType, cuda_tile::PartitionViewType,
                    cuda_tile::StridedViewType,
                    cuda_tile::GatherScatterViewType>(type);
}

/// Returns the kernel argument from which the address or view `value` comes;
/// null if a loop, a branch or an integer is in between.
static BlockArgument findPointer(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    auto source = llvm::find_if(op->getOperands(), [](Value operand) {
      return isAddress(operand.getType());
    });
    if (source == op->operand_end())
      return {};
    value = *source;
  }
  auto argument = cast<BlockArgument>(value);
  return isa<cuda_tile::EntryOp>(argument.getOwner()->getParentOp())
             ? argument
             : BlockArgument();
}

/// Returns the kernel argument that is the number `value`, of any width.
static BlockArgument findScalar(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<cuda_tile::AssumeOp, cuda_tile::ExtIOp, cuda_tile::TruncIOp>(op))
      return {};
    value = op->getOperand(0);
  }
  return findPointer(value);
}

namespace {

/// Properties of one argument that follow from the code.
struct Use {
  SmallVector<int64_t> shape, strides;
  std::optional<int64_t> number;
  bool isRead = false, isWritten = false;
};

class Signature {
public:
  explicit Signature(cuda_tile::EntryOp entry)
      : entry(entry), uses(entry.getArgumentTypes().size()) {
    entry.walk([&](cuda_tile::MakeTensorViewOp view) { addView(view); });
    entry.walk([&](Operation *op) { addAccess(op); });
  }

  std::string print(StringRef kernel, StringRef arch);

private:
  void addView(cuda_tile::MakeTensorViewOp view);
  void addAccess(Operation *op);
  cases::JsonTree argumentJson(unsigned index);

  cuda_tile::EntryOp entry;
  SmallVector<Use> uses;
};

} // namespace

void Signature::addView(cuda_tile::MakeTensorViewOp view) {
  BlockArgument pointer = findPointer(view.getBase());
  if (!pointer)
    return;
  auto type = view.getResult().getType();
  // An extent shared by two views keeps the value of the first.
  auto resolve = [&](Value operand, int64_t wanted) {
    BlockArgument scalar = findScalar(operand);
    if (!scalar)
      return wanted;
    std::optional<int64_t> &number = uses[scalar.getArgNumber()].number;
    return number ? *number : *(number = wanted);
  };
  SmallVector<int64_t> shape(type.getShape()), strides(type.getStrides());
  auto open = view.getDynamicShape().begin();
  for (int64_t &extent : shape)
    if (ShapedType::isDynamic(extent))
      extent = resolve(*open++, kOpenExtent);
  // Dense, the last dimension innermost, if the type leaves strides open.
  SmallVector<int64_t> dense(shape.size(), 1);
  for (size_t d = shape.size(); d-- > 1;)
    dense[d - 1] = dense[d] * shape[d];
  open = view.getDynamicStrides().begin();
  for (auto [stride, wanted] : llvm::zip_equal(strides, dense))
    if (ShapedType::isDynamic(stride))
      stride = resolve(*open++, wanted);
  Use &use = uses[pointer.getArgNumber()];
  if (use.shape.empty()) {
    use.shape = shape;
    use.strides = strides == dense ? SmallVector<int64_t>() : strides;
  }
}

void Signature::addAccess(Operation *op) {
  bool reads = !isa<cuda_tile::StorePtrTkoOp, cuda_tile::StoreViewTkoOp,
                    cuda_tile::MultimemStoreViewTkoOp>(op);
  bool writes = !isa<cuda_tile::LoadPtrTkoOp, cuda_tile::LoadViewTkoOp,
                     cuda_tile::MultimemLoadReduceViewTkoOp>(op);
  if (reads && writes &&
      !isa<cuda_tile::AtomicRMWTkoOp, cuda_tile::AtomicCASTkoOp,
           cuda_tile::AtomicRedViewTkoOp, cuda_tile::MultimemReduceViewTkoOp>(
          op))
    return;
  for (Value operand : op->getOperands()) {
    if (!isAddress(operand.getType()))
      continue;
    BlockArgument pointer = findPointer(operand);
    // Any argument, if the code does not determine one.
    for (auto [index, use] : llvm::enumerate(uses))
      if (!pointer || pointer.getArgNumber() == index) {
        use.isRead |= reads;
        use.isWritten |= writes;
      }
  }
}

/// Returns the name of `type` in case files; for a type without one, the name
/// of its bits.
static std::string dtypeOf(Type type) {
  std::string name;
  llvm::raw_string_ostream(name) << type;
  if (cases::parseDtype(name))
    return name;
  return isa<cuda_tile::PointerType>(type)
             ? "u64"
             : "u" + std::to_string(reference::storageBits(type));
}

cases::JsonTree Signature::argumentJson(unsigned index) {
  const Use &use = uses[index];
  Type element = cast<cuda_tile::TileType>(entry.getArgumentTypes()[index])
                     .getElementType();
  cases::JsonTree out = {{"name", "arg" + std::to_string(index)}};
  auto pointer = dyn_cast<cuda_tile::PointerType>(element);
  if (!pointer) {
    out["dtype"] = dtypeOf(element);
    out["value"] = use.number.value_or(1);
    return out;
  }
  Type pointee = pointer.getPointeeType();
  out["dtype"] = dtypeOf(pointee);
  if (use.shape.empty())
    out["shape"] = {kPlainElements};
  else
    out["shape"] = use.shape;
  if (!use.strides.empty())
    out["strides"] = use.strides;
  if (!use.isRead) {
    out["init"] = "poison";
  } else if (isa<FloatType>(pointee)) {
    out["init"] = "normal";
    out["seed"] = index + 1;
  }
  // Integers may be places: zero is one in any array.
  if (use.isWritten)
    out["output"] = true;
  return out;
}

std::string Signature::print(StringRef kernel, StringRef arch) {
  cases::JsonTree arguments = cases::JsonTree::array();
  for (unsigned index = 0; index < uses.size(); ++index)
    arguments.push_back(argumentJson(index));
  return cases::printJson({{"kernel", kernel.str()},
                           {"entry", entry.getSymName().str()},
                           {"arch", arch.str()},
                           {"grid", {1, 1, 1}},
                           {"args", std::move(arguments)}});
}

std::string caseOfSignature(cuda_tile::EntryOp entry, StringRef kernel,
                            StringRef arch) {
  return Signature(entry).print(kernel, arch);
}

} // namespace tileir
