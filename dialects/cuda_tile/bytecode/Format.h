// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_CUDA_TILE_BYTECODE_FORMAT_H
#define DIALECTS_CUDA_TILE_BYTECODE_FORMAT_H

#include <algorithm>
#include <cstdint>

/// Numbers of the container and of the tables inside it.
namespace tileir::bytecode {

constexpr uint8_t kMagic[] = {0x7F, 'T', 'i', 'l', 'e', 'I', 'R', 0};
constexpr uint8_t kAlignedBit = 0x80;
/// Exclusive limit of the counts of list elements.
constexpr uint64_t kMaxCount = 0xFFFFFFFEull;
/// Maximum nesting of types, debug attributes and attributes.
constexpr unsigned kMaxDepth = 256;
/// Maximum nesting of regions. Reader, writer and printer, all recursive,
/// support it on an ordinary stack of 8 MB.
constexpr unsigned kMaxRegionDepth = 2000;

/// Size of a value as a tree, with shared parts counted at each use. Text
/// prints shared parts each time, so a short file could otherwise give an
/// endless text.
struct Extent {
  unsigned depth = 0;
  unsigned size = 0;

  /// Adds `part` as one of the parts.
  void add(Extent part) {
    depth = std::max(depth, part.depth);
    size = std::min(size + part.size, kMaxSize + 1);
  }
  /// The extent of the value with these parts.
  Extent whole() const { return {depth + 1, std::min(size + 1, kMaxSize + 1)}; }
  bool isTooLarge() const { return depth > kMaxDepth || size > kMaxSize; }

  static constexpr unsigned kMaxSize = 0xFFFE;
};

enum class Section : uint8_t {
  End = 0,
  String = 1,
  Func = 2,
  Debug = 3,
  Constant = 4,
  Type = 5,
  Global = 6,
  Producer = 7,
};
constexpr unsigned kNumSections = 8;

enum class TypeTag : uint8_t {
  I1 = 0,
  I8 = 1,
  I16 = 2,
  I32 = 3,
  I64 = 4,
  F16 = 5,
  BF16 = 6,
  F32 = 7,
  TF32 = 8,
  F64 = 9,
  F8E4M3FN = 10,
  F8E5M2 = 11,
  Pointer = 12,
  Tile = 13,
  TensorView = 14,
  PartitionView = 15,
  Function = 16,
  Token = 17,
  F8E8M0FNU = 18,
  F4E2M1FN = 19,
  GatherScatterView = 20,
  StridedView = 21,
  I4 = 22,
  FNV8E5M3FNU = 130,
  /// 250.0.
  TestEvolved = 200,
};

/// Tags of types that a release may change or remove; the reader rejects such
/// content.
constexpr uint64_t kFirstPreviewTypeTag = 209, kLastPreviewTypeTag = 215;
constexpr uint64_t kFirstPreviewAttrTag = 209, kLastPreviewAttrTag = 228;
constexpr uint64_t kFirstPreviewOpcode = 0x4000, kLastPreviewOpcode = 0x4FFF;

enum class AttrTag : uint8_t {
  Integer = 1,
  Float = 2,
  Bool = 3,
  Type = 4,
  String = 5,
  Array = 6,
  Dense = 7,
  DivBy = 8,
  SameElements = 9,
  Dictionary = 10,
  OptimizationHints = 11,
  Bounded = 12,
  /// 13.5.
  MultimemReductionKind = 13,
  /// 250.1.
  TestValue = 200,
};

enum class DebugTag : uint8_t {
  Unknown = 0,
  CompileUnit = 1,
  File = 2,
  LexicalBlock = 3,
  Loc = 4,
  Subprogram = 5,
  CallSite = 6,
};

enum FunctionFlags : uint8_t {
  kFunctionPrivate = 1,
  kFunctionEntry = 2,
  /// Below 13.5: presence of optimization hints.
  kFunctionHints = 4,
  /// From 13.5 on: the form of the function.
  kFunctionFormMask = 0xC,
};

/// The form of a function, two bits of its flags.
enum class FunctionForm : uint8_t {
  Ordinary = 0,
  ExternImplementation = 1,
  Testing = 2,
  Reserved = 3,
};

/// The flags of a subprogram, from 13.5 on.
constexpr uint64_t kSubprogramDeclaration = 1;

} // namespace tileir::bytecode

#endif // DIALECTS_CUDA_TILE_BYTECODE_FORMAT_H
