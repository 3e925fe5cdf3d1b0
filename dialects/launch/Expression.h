// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DIALECTS_LAUNCH_EXPRESSION_H
#define DIALECTS_LAUNCH_EXPRESSION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tileir {

/// Operations of an expression over kernel parameters. All are total: shifts by
/// the width or more shift everything out, a division by zero gives zero, and
/// the quotient of the smallest number and -1 is that number.
enum class ExprOp : uint8_t {
  Constant,
  Argument,
  // Two operands of one width; the result has it, too.
  Add,
  Sub,
  Mul,
  UDiv,
  SDiv,
  URem,
  SRem,
  And,
  Or,
  Xor,
  Shl,
  LShr,
  AShr,
  UMin,
  UMax,
  SMin,
  SMax,
  // Two operands of one width; the result is i1.
  Eq,
  Ne,
  ULt,
  ULe,
  UGt,
  UGe,
  SLt,
  SLe,
  SGt,
  SGe,
  // i1, then two operands of one width.
  Select,
  // One operand.
  Trunc,
  ZExt,
  SExt,
};

/// The word of `op` in the text form and in the launch sidecar.
llvm::StringRef exprOpName(ExprOp op);

/// Integer expressions of kernel parameters as a graph without duplicates:
/// operands stand before their users. This is what is known of a tensor map
/// before a launch; host code, device code and the sidecar are made from it.
///
/// Text: an integer (`16`, `-1`, `3:i32`; i64 without a type), `argN` for
/// visible parameter N, `%N` for a value named before, `op(x, y)`, and for the
/// three casts `sext(x, i64)`.
class ExpressionGraph {
public:
  using Id = unsigned;

  struct Node {
    ExprOp op = ExprOp::Constant;
    unsigned width = 64;
    /// Of a constant its bits, of an argument its number.
    uint64_t value = 0;
    std::array<Id, 3> operands = {0, 0, 0};
    unsigned numOperands = 0;

    llvm::ArrayRef<Id> inputs() const {
      return llvm::ArrayRef(operands).take_front(numOperands);
    }
  };

  Id constant(unsigned width, uint64_t value);
  Id argument(unsigned width, unsigned index);
  /// Anything but constants, arguments and casts. Operands have the widths that
  /// the operation asks for. Folds constants and neutral elements.
  Id make(ExprOp op, llvm::ArrayRef<Id> operands);
  /// Trunc, ZExt or SExt to `width`; nothing when the operand has it.
  Id cast(ExprOp op, Id operand, unsigned width);

  const Node &operator[](Id id) const { return nodes[id]; }
  unsigned size() const { return unsigned(nodes.size()); }

  /// Parses `text`. `widths[i]` is the width of parameter i, 0 for one that is
  /// no integer; `values` are what `%i` means. Nothing and `error` when the
  /// text is no expression.
  std::optional<Id> parse(llvm::StringRef text, llvm::ArrayRef<unsigned> widths,
                          llvm::ArrayRef<Id> values, std::string &error);
  /// The text that `parse` takes. Parts that `names` has are printed as `%N`,
  /// others are repeated where they are shared.
  std::string print(Id id, const llvm::DenseMap<Id, unsigned> &names) const;
  std::string print(Id id) const {
    return print(id, llvm::DenseMap<Id, unsigned>());
  }
  /// The same for a diagnostic: what lies deep is left out.
  std::string summary(Id id, unsigned depth = 3) const;
  /// Returns what `roots` use more than once and is no constant or argument, in
  /// order.
  std::vector<Id> sharedParts(llvm::ArrayRef<Id> roots) const;

  /// All values for the given arguments (bits above a width are ignored).
  std::vector<uint64_t> evaluate(llvm::ArrayRef<uint64_t> arguments) const;

  /// The largest power of two, as an exponent up to 63, that divides every
  /// value of `id`; `argument(i)` says it for parameter i.
  unsigned trailingZeros(Id id,
                         llvm::function_ref<unsigned(unsigned)> argument) const;

private:
  Id add(const Node &node);

  std::vector<Node> nodes;
  llvm::DenseMap<uint64_t, std::vector<Id>> byHash;
};

} // namespace tileir

#endif // DIALECTS_LAUNCH_EXPRESSION_H
