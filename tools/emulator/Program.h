// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A decoded program: instructions and functions.
#ifndef TOOLS_EMULATOR_PROGRAM_H
#define TOOLS_EMULATOR_PROGRAM_H

#include "tools/emulator/Ptx.h"

#include <new>
#include <type_traits>

namespace tileir::emu {

using Mask = uint32_t;
constexpr Mask kAllLanes = ~Mask(0);

struct Exec;
struct Inst;
using Handler = void (*)(Exec &, const Inst &, Mask);

/// Classes of instructions for `--stats`.
enum class Class : uint8_t {
  Integer,
  Float,
  Double,
  Special,
  Convert,
  Move,
  Control,
  Barrier,
  WarpSync,
  Global,
  Shared,
  Local,
  Constant,
  Atomic,
  Matrix,
  Tensor,
  Async,
  Mbarrier,
  Other,
  Count
};
const char *className(Class cls);

/// Behaviour of an instruction with values that are undefined or that no thread
/// has written; see `effectOf`.
enum class Effect : uint8_t {
  Compute, ///< The result depends on every source.
  Move,
  Select,
  And,          ///< A source may decide the result alone,
  Or,           ///< here, too,
  SetPredicate, ///< and here, when it combines predicates.
  Bitwise,      ///< Bytes stay apart.
  ShiftLeft,    ///< By whole bytes, as constants say; so the next three.
  ShiftRight,
  Permute,
  BitField,
  Convert,  ///< Of integers.
  Exchange, ///< Lanes give their values to each other.
  Load,
  Store,
  StoreAsync,
  Atomic,
  Reduce,
  Call,
  Barrier,
  IndexedBranch
};

/// Bytes of the operands that lie in an instruction.
constexpr size_t kOperandBytes = 56;
/// Structs of operands that lie in the instruction; others lie in the program.
template <typename T>
constexpr bool kInlineOperands = std::is_trivially_copyable_v<T> &&
                                 sizeof(T) <= kOperandBytes && alignof(T) <= 8;

/// Operands that are too large for their instructions.
class OperandStore {
public:
  template <typename T> T *add() {
    all.push_back({new T(), [](void *p) { delete static_cast<T *>(p); }});
    return static_cast<T *>(all.back().get());
  }

private:
  std::vector<std::unique_ptr<void, void (*)(void *)>> all;
};

/// One instruction, ready to run. Registers are rows of 32 four-byte lanes
/// (64-bit registers take two rows, 128-bit ones four, low halves first);
/// predicate operands are an index times two, plus one when negated.
struct Inst {
  Handler fn = nullptr;
  /// The struct of operands that its family defines, or where that lies. Who
  /// decodes makes it by `Decoder::make`, who runs reads it by `as`.
  alignas(8) uint8_t operands[kOperandBytes] = {};
  uint32_t guard = 0;
  bool isPromised = false;  ///< The program promises that the guard is true.
  bool branches = false;    ///< Has the operands of a `Branch`.
  bool aligned = false;     ///< All live lanes of the warp run it together.
  bool releasesMap = false; ///< tensormap.cp_fenceproxy
  bool nonCoherent = false; ///< ld.global.nc: no thread writes it.
  bool blind = false;       ///< Atomic, and no instruction reads the old value.
  bool guesses = false;     ///< A load whose value a compare-and-swap checks.
  enum : uint8_t { Plain, Wgmma, TensorLoad } registers = Plain;
  uint8_t width = 0; ///< Bytes of an element that memory keeps whole; 0 any.
  Class cls = Class::Other;
  Effect effect = Effect::Compute;
  int32_t target = -1;
  int32_t line = 0;
  int32_t function = 0;
  SourceLoc loc;
  int32_t watch =
      0; ///< In `RegisterRules::watches`; 0: no register is watched.

  /// `T` is what `make` got, or a base of it that lies in the instruction, too.
  template <typename T> T &as() {
    if constexpr (kInlineOperands<T>)
      return *reinterpret_cast<T *>(operands);
    else
      return **reinterpret_cast<T **>(operands);
  }
  template <typename T> const T &as() const {
    return const_cast<Inst *>(this)->as<T>();
  }
};

/// Registers of an instruction that asynchronous instructions of its function
/// use, too.
struct Watch {
  struct Use {
    int32_t row;
    bool written;
  };
  struct Copy {
    int32_t to;
    std::vector<int32_t> from;
  };
  std::vector<Use> uses;
  std::vector<Copy> copies; ///< Of a move, which renames its operand.
};

struct ConstantRow {
  int row;
  int bytes; ///< 4, 8 or 16 a lane.
  uint64_t bits;
};

/// Special registers, as far as they are the same while a frame lives.
enum class Special : uint8_t {
  Zero, ///< And whatever else is always zero.
  Tid,
  Ntid,
  Ctaid,
  Nctaid,
  ClusterId,
  Nclusterid,
  ClusterCtaid,
  ClusterNctaid,
  ClusterCtarank,
  ClusterNctarank,
  IsExplicitCluster,
  Laneid,
  Warpid,
  Nwarpid,
  Smid,
  Nsmid,
  LanemaskEq,
  LanemaskLt,
  LanemaskLe,
  LanemaskGt,
  LanemaskGe,
  PerCtaMemoryOffset,
  PerCtaMemorySize,
  DynamicSharedSize,
  TotalSharedSize,
  ReservedSharedEnd,
  Gridid,
  LocalBase,  ///< Where the frame's local memory begins.
  SharedBase, ///< Where the block's shared memory begins in the cluster.
};

struct SpecialRow {
  int row = 0;
  Special what = Special::Zero;
  int axis = 0;      ///< Of those that have three.
  bool wide = false; ///< 64 bits.
};

/// Reads "%tid.x" and the like, "#64" at the end for a row of 64 bits.
SpecialRow parseSpecial(const std::string &name);
/// Returns whether the register itself has 64 bits.
bool isWideSpecial(const std::string &name);

/// Functions that the driver has.
enum class DriverFunction : uint8_t {
  None,
  Print,
  Malloc,
  Free,
  AssertFail,
  Nanosleep
};

/// Where a formal or actual parameter of a device function lies.
struct ParamSlot {
  bool inRegister = false;
  int row = 0;
  int bytes = 0;
  int offset = 0;
};

/// A parameter of a device function whose address is taken: its place in the
/// call frame and in local memory.
struct ParamCopy {
  int offset, local, bytes;
};

struct FunctionCode {
  const Function *function = nullptr;
  int first = -1; ///< Its first instruction, -1 for a declaration.
  DriverFunction driver = DriverFunction::None; ///< Of a declaration.
  int rows = 0, predicates = 4; ///< 0 true, 1 unused, 2 and 3 of 'set'.
  int paramBytes = 0, localBytes = 0;
  std::vector<ConstantRow> constants;
  std::vector<SpecialRow> specials;
  std::vector<ParamSlot> params, results;
  std::vector<ParamCopy> paramCopies;
  std::string error;                 ///< Why the function cannot be run.
  std::vector<int32_t> registerRows; ///< Row, or predicate index.
};

} // namespace tileir::emu

#endif // TOOLS_EMULATOR_PROGRAM_H
