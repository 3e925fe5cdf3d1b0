// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/cuda_tile/Remarks.h"

#include "gtest/gtest.h"

using namespace mlir::cuda_tile;

namespace {

TEST(Remarks, StableIds) {
  EXPECT_EQ(getRemarkId(KernelRemark::TensorCoreMMA), 68u);
  EXPECT_EQ(getRemarkId(KernelRemark::TensorCoreMMAFailed), 134u);
  EXPECT_EQ(getRemarkId(KernelRemark::HintUsed), 0u);
}

TEST(Remarks, NamesAndTexts) {
  const KernelRemarkInfo &mma =
      getRemarkInfo(KernelRemark::TensorCoreMMAFailed);
  EXPECT_EQ(mma.name, "RemarkTensorCoreMMA");
  EXPECT_EQ(mma.kind, RemarkKind::Failed);
  EXPECT_EQ(getRemarkCategoryName(mma.category), "Tensor-core");
  EXPECT_EQ(mma.text, "MMA operation failed to optimize to use Tensor Cores, "
                      "it is using FMA instructions instead");
  const KernelRemarkInfo &store = getRemarkInfo(KernelRemark::TmaStoreFailed);
  EXPECT_EQ(store.name, "RemarkMemoryTmaStoreFailed");
  EXPECT_EQ(getRemarkCategoryName(store.category), "Memory");
  EXPECT_EQ(store.text, "Failed to select TMA store instruction");
  EXPECT_EQ(getRemarkInfo(KernelRemark::HintDefaultUsed).text,
            "OptimizationHint used default ");
}

// No two remarks share a text, nor a name within one kind.
TEST(Remarks, NoTwoAlike) {
  constexpr unsigned count =
      static_cast<unsigned>(KernelRemark::HintDefaultUsed) + 1;
  for (unsigned i = 0; i < count; ++i)
    for (unsigned j = 0; j < i; ++j) {
      const auto &a = getRemarkInfo(static_cast<KernelRemark>(i));
      const auto &b = getRemarkInfo(static_cast<KernelRemark>(j));
      EXPECT_FALSE(a.name == b.name && a.kind == b.kind);
      EXPECT_NE(a.text, b.text);
    }
}

} // namespace
