// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEST_FOREIGN_FAULTS_ASYNC_H
#define TEST_FOREIGN_FAULTS_ASYNC_H

#include "memory.h"

// Mbarriers, bulk and TMA copies.

struct alignas(64) TensorMap {
  char bytes[128];
};
using Barrier = unsigned long long;

#define BARRIER_INIT(bar, n)                                                   \
  asm volatile(                                                                \
      "mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(sharedAddress(bar)),     \
      "r"(n)                                                                   \
      : "memory")
#define FENCE_INIT()                                                           \
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory")
#define EXPECT(bar, n)                                                         \
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"( \
                   sharedAddress(bar)),                                        \
               "r"(n)                                                          \
               : "memory")
#define ARRIVE(bar)                                                            \
  asm volatile(                                                                \
      "mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(sharedAddress(bar))     \
      : "memory")
#define ARRIVE_AT(bar, rank)                                                   \
  asm volatile(                                                                \
      "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(    \
          REMOTE(bar, rank))                                                   \
      : "memory")
#define WAIT(bar, parity)                                                      \
  asm volatile("{ .reg .pred p; W: mbarrier.try_wait.parity.shared::cta.b64 "  \
               "p, [%0], %1; @p bra D; bra W; D: }" ::"r"(sharedAddress(bar)), \
               "r"(parity)                                                     \
               : "memory")
#define WAIT_CLUSTER(bar, parity)                                              \
  asm volatile("{ .reg .pred p; W: mbarrier.try_wait.parity.acquire.cluster."  \
               "shared::cta.b64 p, [%0], %1; @p bra D; bra W; D: }" ::"r"(     \
                   sharedAddress(bar)),                                        \
               "r"(parity)                                                     \
               : "memory")
#define BULK(to, from, n, bar)                                                 \
  asm volatile(                                                                \
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "     \
      "[%0], [%1], %2, [%3];" ::"r"(sharedAddress(to)),                        \
      "l"(from), "r"(n), "r"(sharedAddress(bar))                               \
      : "memory")
#define TENSOR_LOAD(to, map, x, y, bar)                                        \
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier:" \
               ":complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(        \
                   sharedAddress(to)),                                         \
               "l"(map), "r"(x), "r"(y), "r"(sharedAddress(bar))               \
               : "memory")
#define CLUSTER_ARRIVE()                                                       \
  asm volatile("barrier.cluster.arrive.aligned;" ::: "memory")
#define CLUSTER_WAIT()                                                         \
  asm volatile("barrier.cluster.wait.aligned;" ::: "memory")
#define FENCE_ASYNC()                                                          \
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory")
#define BULK_COMMIT() asm volatile("cp.async.bulk.commit_group;" ::: "memory")
#define BULK_WAIT_READ(n)                                                      \
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(n) : "memory")
#define BULK_WAIT(n)                                                           \
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(n) : "memory")

#endif // TEST_FOREIGN_FAULTS_ASYNC_H
