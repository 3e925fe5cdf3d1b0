// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_CUDA_TILE_CUDATILEBASE_TD
#define DIALECTS_CUDA_TILE_CUDATILEBASE_TD

include "mlir/IR/OpBase.td"

def CudaTile_Dialect : Dialect {
  let name = "cuda_tile";
  let cppNamespace = "::mlir::cuda_tile";
  let summary = "Public tile IR: kernels over tiles with token-ordered memory";
  let description = [{
    A kernel (`entry`) is one logical thread per grid point whose values are
    tiles: immutable arrays with a static power-of-two shape. Warps, lanes,
    shared memory and barriers do not exist at this level. Memory operations
    have no program order; tokens order them.

    Every operation, operand, attribute, enum case and type states the version
    of the bytecode that introduced it (`sinceVersion`).
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    /// Adds operations that another library defines to this dialect.
    template <typename... Ops> void addExternalOperations() {
      addOperations<Ops...>();
    }

    /// Returns whether verifiers warn about optimization hints that no compiler
    /// reads.
    bool getWarnUnsupportedHints() const { return warnUnsupportedHints; }
    void setWarnUnsupportedHints(bool value) { warnUnsupportedHints = value; }

    /// Returns whether such a warning also fails the verification.
    bool getErrorOnHints() const { return errorOnHints; }
    void setErrorOnHints(bool value) { errorOnHints = value; }

    /// Returns whether verifiers follow the newest release where it differs
    /// from the published dialect (13.3), in rules and in messages. The owner
    /// of the context enables it, or TILEIR_NEWEST_RULES=1 in the environment;
    /// the bytecode reader enables it while it reads.
    bool getFollowsNewestRelease() const { return followsNewestRelease; }
    void setFollowsNewestRelease(bool value) { followsNewestRelease = value; }

    /// Parses `fpowf`, the name of `pow` in later releases.
    std::optional<ParseOpHook>
    getParseOperationHook(::llvm::StringRef name) const override;

  private:
    void registerTypes();
    void registerAttributes();

    bool warnUnsupportedHints = false;
    bool errorOnHints = false;
    bool followsNewestRelease = false;

  public:
  }];
}

/// An operand, attribute or result that is newer than its operation.
class CudaTile_Since<string since, Constraint constraint, string desc = "">
    : OpVariable<constraint, desc> {
  string sinceVersion = since;
}

/// An operation with its version, which is also that of its operands,
/// attributes and results without one.
class CudaTile_Op<string mnemonic, string since, list<Trait> traits = []>
    : Op<CudaTile_Dialect, mnemonic, traits> {
  string sinceVersion = since;
}

/// MLIR's trait of this name, with a message without the article.
class CudaTile_AllElementTypesMatch<list<string> names>
    : PredOpTrait<"all of {" # !interleave(names, ", ") #
                      "} have the same element type",
                  AllMatchSameOperatorPred<names, ElementType<"_self">.result>>;

#endif // DIALECTS_CUDA_TILE_CUDATILEBASE_TD
