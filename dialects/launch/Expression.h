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

/// Operations of an expression over kernel parameters. All are total: a shift
/// by the width or more gives zero (or copies of the sign), a division by zero
/// gives zero, and the quotient of the smallest number and -1 is the smallest
/// number.
enum class ExprOp : uint8_t {
  Constant,
  Argument,
  // Two operands of one width, which the result has, too.
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
  // An i1, then two operands of one width.
  Select,
  // One operand.
  Trunc,
  ZExt,
  SExt,
};

/// Name of `op` in the text form and in the launch sidecar.
llvm::StringRef exprOpName(ExprOp op);

/// Integer expressions of kernel parameters as a graph without duplicates:
/// operands come before their users. The graph holds the facts about a tensor
/// map before a launch; host code, device code and the sidecar are generated
/// from it.
///
/// Text form: an integer (`16`, `-1`, `3:i32`; i64 without a type), `argN` for
/// visible parameter N, `%N` for an earlier named value, `op(x, y)`, and for
/// the three casts `sext(x, i64)`.
class ExpressionGraph {
public:
  using Id = unsigned;

  struct Node {
    ExprOp op = ExprOp::Constant;
    unsigned width = 64;
    /// The bits of a constant, or the number of an argument.
    uint64_t value = 0;
    std::array<Id, 3> operands = {0, 0, 0};
    unsigned numOperands = 0;

    llvm::ArrayRef<Id> inputs() const {
      return llvm::ArrayRef(operands).take_front(numOperands);
    }
  };

  Id constant(unsigned width, uint64_t value);
  Id argument(unsigned width, unsigned index);
  /// Makes any node except constants, arguments and casts. The operands must
  /// have the widths of the operation. Folds constants and neutral elements.
  Id make(ExprOp op, llvm::ArrayRef<Id> operands);
  /// Makes Trunc, ZExt or SExt to `width`; returns the operand when it has this
  /// width.
  Id cast(ExprOp op, Id operand, unsigned width);

  const Node &operator[](Id id) const { return nodes[id]; }
  unsigned size() const { return unsigned(nodes.size()); }

  /// Parses `text`. `widths[i]` is the width of parameter i, 0 for a parameter
  /// that is no integer; `values` gives the meaning of `%i`. Returns nothing
  /// and sets `error` when the text is no expression.
  std::optional<Id> parse(llvm::StringRef text, llvm::ArrayRef<unsigned> widths,
                          llvm::ArrayRef<Id> values, std::string &error);
  /// Prints the text that `parse` reads. Nodes in `names` are printed as `%N`;
  /// other shared nodes are repeated.
  std::string print(Id id, const llvm::DenseMap<Id, unsigned> &names) const;
  std::string print(Id id) const {
    return print(id, llvm::DenseMap<Id, unsigned>());
  }
  /// Prints a short form for a diagnostic, without deep nodes.
  std::string summary(Id id, unsigned depth = 3) const;
  /// Returns the nodes that `roots` use more than once, except constants and
  /// arguments, in order.
  std::vector<Id> sharedParts(llvm::ArrayRef<Id> roots) const;

  /// Evaluates all nodes for the given arguments (bits above a width are
  /// ignored).
  std::vector<uint64_t> evaluate(llvm::ArrayRef<uint64_t> arguments) const;

  /// The largest power of two, as an exponent up to 63, that divides every
  /// value of `id`; `argument(i)` gives it for parameter i.
  unsigned trailingZeros(Id id,
                         llvm::function_ref<unsigned(unsigned)> argument) const;

private:
  Id add(const Node &node);

  std::vector<Node> nodes;
  llvm::DenseMap<uint64_t, std::vector<Id>> byHash;
};

} // namespace tileir

#endif // DIALECTS_LAUNCH_EXPRESSION_H
