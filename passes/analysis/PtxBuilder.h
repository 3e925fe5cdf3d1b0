// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one way to inline PTX: names operands, picks their registers, says what
// may be moved across the text.

#ifndef PASSES_ANALYSIS_PTXBUILDER_H
#define PASSES_ANALYSIS_PTXBUILDER_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include "llvm/ADT/StringExtras.h"

#include <string>

namespace tileir {

/// Effects of inline PTX besides its results.
enum class PtxEffects {
  None,   ///< Unused, it goes; used twice, it may stand once.
  Some,   ///< It stays, where it is among its kind.
  Memory, ///< And no access to memory is moved across it.
};

/// Builds one piece of inline PTX. Operands are declared first, results before
/// all others; each gives the name that the text calls it by.
class PtxBuilder {
public:
  PtxBuilder(mlir::OpBuilder &builder, mlir::Location loc,
             PtxEffects effects = PtxEffects::Some);

  /// A register that the text writes, `early` when it does before it has read
  /// all that it reads.
  std::string out(mlir::Type type, bool early = false);
  /// A register that the text reads.
  std::string in(mlir::Value value);
  /// Text that stands in brackets for `pointer`: a register that the text
  /// reads, and the constant that was added to it.
  std::string address(mlir::Value pointer);
  /// Starts result `index` as `value`, which no other operand shares a register
  /// with then.
  void tie(mlir::Value value, unsigned index);
  /// `@name ` of an operand, nothing where `predicate` is null: true.
  std::string guard(mlir::Value predicate);

  /// `{a, b}`, or the name alone.
  static std::string list(llvm::ArrayRef<std::string> names,
                          llvm::StringRef separator = ", ");

  /// Emits `text`; gives the values of the results.
  llvm::SmallVector<mlir::Value> emit(const llvm::Twine &text);

  /// Emits the assembly of a user, whose `constraints` are the user's, too.
  static mlir::Value emitAsGiven(mlir::OpBuilder &builder, mlir::Location loc,
                                 mlir::Type result, mlir::ValueRange operands,
                                 llvm::StringRef text,
                                 llvm::StringRef constraints, bool isPure);

private:
  std::string declare(const llvm::Twine &constraint);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  PtxEffects effects;
  llvm::SmallVector<mlir::Type> results;
  llvm::SmallVector<mlir::Value> operands;
  llvm::SmallVector<std::string> constraints;
};

} // namespace tileir

#endif // PASSES_ANALYSIS_PTXBUILDER_H
