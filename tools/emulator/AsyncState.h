// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asynchronous work, issued and not yet performed.
#ifndef TOOLS_EMULATOR_ASYNCSTATE_H
#define TOOLS_EMULATOR_ASYNCSTATE_H

#include "tools/emulator/Findings.h"
#include "tools/emulator/Operands.h"
#include "tools/emulator/Program.h"
#include "tools/emulator/Region.h"
#include "tools/emulator/TensorMap.h"

#include <deque>
#include <unordered_map>

namespace tileir::emu {

class Machine;
struct Block;
struct Frame;
struct Warp;

/// A cp.async, or the arrival that follows some, issued and not yet performed.
struct AsyncCopy {
  bool isArrival = false;
  uint64_t source = 0, destination = 0;
  uint32_t bytes = 0, sourceBytes = 0;
  const Inst *inst = nullptr;
  uint32_t sequence = 0;
  uint64_t ticket = 0;     ///< Of the profile.
  Knowledge issuingThread; ///< What the issuing thread knew.
};

/// cp.async state of one thread.
struct LaneAsync {
  std::vector<AsyncCopy> pending;
  std::deque<uint32_t> groups; ///< Last sequence of each committed group.
  uint32_t issued = 0;
};

/// A bulk or tensor copy, issued and not yet performed.
struct BulkOp {
  enum Kind : uint8_t {
    Load,
    Store,
    Reduce,
    SharedToShared,
    Element
  } kind = Load;
  bool tensor = false;
  bool genericProxy = false; ///< Not the async proxy.
  const Inst *inst = nullptr;
  Warp *warp = nullptr;
  int lane = 0;
  Knowledge issuingThread;
  uint64_t shared = 0; ///< Source or destination in shared memory.
  uint64_t peer = 0;   ///< The other shared address of a copy in a cluster.
  uint64_t global = 0;
  uint32_t bytes = 0;
  uint64_t barrier = 0;
  uint32_t multicast = 0; ///< 0: the block that `shared` names.
  TensorMap map;
  int64_t coordinates[5] = {};
  uint32_t offsets[3] = {};   ///< Of im2col loads.
  uint32_t byteMask = 0xFFFF; ///< Bytes of each 16 that are written.
  int gather = 0; ///< 1 gather4 or scatter4: rows in coordinates 1 to 4.
  uint64_t values[4] = {}; ///< Of st.async and red.async.
  const Reduction *reduction = nullptr;
  uint32_t sequence = 0;
  uint64_t ticket = 0; ///< Of the profile.
};

/// Bulk groups of one thread.
struct BulkState {
  std::deque<uint32_t> groups;
  uint32_t issued = 0, read = 0; ///< `read`: sources known to be read.
  const Inst *last = nullptr;
  Agent reader = kNoAgent, writer = kNoAgent;
};

/// A wgmma of one warp, issued and not yet performed.
struct WgmmaOp {
  const Inst *inst = nullptr;
  Frame *frame = nullptr;
  uint64_t a = 0, b = 0; ///< Descriptors.
  bool accumulate = false;
  std::vector<uint32_t> metadata; ///< Of a sparse A, by lane.
  uint32_t sequence = 0;
  Knowledge issuingThread;
};

/// tcgen05.ld and st of one warp: agents, how many it issued, how many it
/// waited for.
struct WarpTensor {
  Agent agent[2] = {kNoAgent, kNoAgent};
  uint32_t issued[2] = {0, 0}, waited[2] = {0, 0};
};

/// Who touches tensor memory, and what he knows of others that do.
struct TensorUser {
  Agent as = kNoAgent;
  uint32_t clock = 0;
  bool isQueue = false; ///< A product or copy; the queue runs in order.
  ClockRef known, seen; ///< `seen`: at the last ::after_thread_sync.
  WarpTensor warp;
};

/// Work of the tensor core of a block, performed in order.
struct TensorOp {
  enum Kind : uint8_t { Mma, Copy, Shift, Commit } kind = Mma;
  uint8_t group = 1; ///< Blocks that work together.
  const Inst *inst = nullptr;
  Warp *warp = nullptr;
  int lane = 0;
  uint32_t d = 0, idesc = 0, scaleA = 0, scaleB = 0, metadata = 0;
  uint32_t disable[8] = {}; ///< Lanes of D that keep what they have.
  uint64_t zeroColumns = 0; ///< Descriptor of the columns of B that are zero.
  uint64_t a = 0, b = 0;
  bool accumulate = false;
  uint64_t barrier = 0;
  uint32_t multicast = 0;
  uint64_t ticket = 0; ///< Of the profile.
  Knowledge issuingThread;
  TensorUser user;
};

/// Tensor memory of a block: 128 lanes of 512 columns.
struct TensorMemory {
  Region region;
  struct Piece {
    uint32_t column, columns;
    Place where;
  };
  std::vector<Piece> pieces;
  std::vector<Piece> freed; ///< For messages.
  std::deque<TensorOp> queue;
  /// Threads that issue products and copies. The second agent of a pair says
  /// what was issued, the first what is complete.
  struct IssuingThread {
    Agent agent = kNoAgent;
    uint32_t issued = 0;
  };
  std::unordered_map<Agent, IssuingThread> issuingThreads;
  Agent queueAgent(Block &block, Agent thread);
  /// An instruction, or work of the queue, that touches tensor memory.
  struct Access {
    Agent agent = kNoAgent;
    uint32_t clock = 0, inst = 0;
    const Warp *warp = nullptr;
    bool isQueue = false; ///< Of a product or copy.
  };
  /// Last accesses of a column of a lane: a writer and two readers, by their
  /// places in `accesses`, and the lanes of their warps.
  struct Cell {
    uint32_t by[3] = {};
    uint8_t lanes[3] = {};
  };
  std::vector<Access> accesses{1}; ///< The first belongs to no access.
  std::vector<Cell> cells;
  /// The place of an access in `accesses`.
  uint32_t number(const Access &access);
  Place where(const Machine &m, const Cell &cell, size_t which) const;
  bool relinquished = false;
};

/// tcgen05.ld and st whose registers or columns are not settled yet.
struct TensorAccess {
  const Inst *inst;
  Frame *frame;
  uint32_t address;
  std::vector<uint32_t> values;
};

struct WgmmaState {
  std::vector<WgmmaOp> pending;
  std::deque<uint32_t> groups;
  uint32_t issued = 0, waited = 0;
  Agent agent = kNoAgent;
  const Inst *last = nullptr;
};

/// One wgmma as the first warp of a group issued it.
struct WgmmaIssue {
  const Inst *inst;
  uint64_t a, b;
  int warp;
};

} // namespace tileir::emu

#endif // TOOLS_EMULATOR_ASYNCSTATE_H
