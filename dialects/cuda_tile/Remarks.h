// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Catalogue of remarks about kernels. The dialect emits none; its lowering
// does.

#ifndef DIALECTS_CUDA_TILE_REMARKS_H
#define DIALECTS_CUDA_TILE_REMARKS_H

#include "llvm/ADT/StringRef.h"

namespace mlir::cuda_tile {

enum class RemarkKind { Passed = 0, Missed = 1, Failed = 2, Analysis = 3 };

enum class RemarkCategory { TensorCore = 1, Memory = 2, Hints = 3 };

enum class KernelRemark {
#define REMARK(Enumerator, Name, Kind, Category, Number, Text) Enumerator,
#include "dialects/cuda_tile/Remarks.def"
};

struct KernelRemarkInfo {
  llvm::StringRef name;
  RemarkKind kind;
  RemarkCategory category;
  unsigned number;
  llvm::StringRef text;
};

inline const KernelRemarkInfo &getRemarkInfo(KernelRemark remark) {
  static const KernelRemarkInfo table[] = {
#define REMARK(Enumerator, Name, Kind, Category, Number, Text)                 \
  {Name, RemarkKind::Kind, RemarkCategory::Category, Number, Text},
#include "dialects/cuda_tile/Remarks.def"
  };
  return table[static_cast<unsigned>(remark)];
}

/// Name of the category in remark engines: `Tensor-core`, `Memory`, `Hints`.
inline llvm::StringRef getRemarkCategoryName(RemarkCategory category) {
  switch (category) {
  case RemarkCategory::TensorCore:
    return "Tensor-core";
  case RemarkCategory::Memory:
    return "Memory";
  case RemarkCategory::Hints:
    return "Hints";
  }
  return "";
}

/// The stable number of a remark of the open dialect, 0 for others.
inline unsigned getRemarkId(KernelRemark remark) {
  const KernelRemarkInfo &info = getRemarkInfo(remark);
  if (!info.number)
    return 0;
  return info.number << 6 | static_cast<unsigned>(info.category) << 2 |
         static_cast<unsigned>(info.kind);
}

} // namespace mlir::cuda_tile

#endif // DIALECTS_CUDA_TILE_REMARKS_H
