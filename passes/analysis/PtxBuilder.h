// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builder of inline PTX: names operands, chooses their constraints, and states
// which memory accesses may move across the text.

#ifndef PASSES_ANALYSIS_PTXBUILDER_H
#define PASSES_ANALYSIS_PTXBUILDER_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include "llvm/ADT/StringExtras.h"

#include <string>

namespace tileir {

/// Effects of inline PTX besides its results.
enum class PtxEffects {
  None,   ///< Unused text is erased; equal text may be merged.
  Some,   ///< The text stays, in order with text of the same kind.
  Memory, ///< The text stays, and no memory access moves across it.
};

/// Builds one piece of inline PTX. Operands are declared first, results before
/// all others; each declaration returns the name of the operand in the text.
class PtxBuilder {
public:
  PtxBuilder(mlir::OpBuilder &builder, mlir::Location loc,
             PtxEffects effects = PtxEffects::Some);

  /// A register that the text writes; `early` if the text writes it before its
  /// last read of an operand.
  std::string out(mlir::Type type, bool early = false);
  /// A register that the text reads.
  std::string in(mlir::Value value);
  /// The address operand for `pointer`, without brackets: a register that the
  /// text reads, and the constant that was added to it.
  std::string address(mlir::Value pointer);
  /// Ties result `index` to the operand `value`, which then shares its register
  /// with no other operand.
  void tie(mlir::Value value, unsigned index);
  /// Returns the guard `@name `, or nothing where `predicate` is null (always
  /// true).
  std::string guard(mlir::Value predicate);

  /// `{a, b}`, or the name alone.
  static std::string list(llvm::ArrayRef<std::string> names,
                          llvm::StringRef separator = ", ");

  /// Emits `text`; returns the values of the results.
  llvm::SmallVector<mlir::Value> emit(const llvm::Twine &text);

  /// Emits inline assembly of the user's program with the user's `constraints`.
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
