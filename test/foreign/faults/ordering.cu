// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks and threads that talk through memory. `bug` plants a fault, 0 none;
// "//! find N: KIND" stands before a statement where variant N is found.
#include "memory.h"

__device__ int gTickets;

/// Every thread leaves a value, the last block adds all of them.
KERNEL ticketSum(int *total, int *partial, const int *in, int bug) {
  __shared__ int last, sum;
  int t = threadIdx.x, n = blockDim.x;
  //! find 1 2 3 4 5: race
  partial[blockIdx.x * n + t] = 3 * in[blockIdx.x * n + t];
  if (t == 0)
    sum = 0;
  if (bug == 4) // A fence, but not as far as the other blocks.
    __threadfence_block();
  else if (bug != 1)
    __threadfence();
  if (bug != 3)
    __syncthreads();
  if (t == 0) {
    //! find 5: race
    last = ADD("relaxed.gpu", &gTickets, 1) == (int)gridDim.x - 1;
    if (bug != 2)
      __threadfence();
  }
  if (bug != 5)
    __syncthreads();
  //! find 5: race|init
  if (!last)
    return;
  int s = 0;
  for (int k = t; k < (int)gridDim.x * n; k += n)
    //! find 1 2 4: race
    //! find 3 5: race|init
    s += partial[k];
  //! find 3 5: race|init
  atomicAdd(&sum, s);
  __syncthreads();
  if (t == 0)
    *total = sum;
}

/// As the CUDA guide has it: volatile partial sums need no second fence.
__device__ unsigned gRetired;
KERNEL volatileSum(int *total, volatile int *partial, const int *in, int bug) {
  __shared__ int s[64];
  __shared__ bool last;
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 64 + t];
  __syncthreads();
  for (int d = 32; d; d /= 2) {
    if (t < d)
      //! find 1: race
      s[t] += s[t + d];
    if (bug != 1)
      __syncthreads();
  }
  if (t == 0) {
    partial[blockIdx.x] = s[0];
    __threadfence();
    last = atomicInc(&gRetired, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && t == 0) {
    int all = 0;
    for (unsigned b = 0; b < gridDim.x; ++b)
      all += partial[b];
    *total = all;
    gRetired = 0;
  }
}

/// Scan with decoupled look-back: a word holds state and value together, so
/// that it needs no fence. A warp looks at 32 blocks at once.
__device__ int gScanOrder;
KERNEL lookBack(int *out, unsigned long long *state, const int *in, int bug) {
  __shared__ int number, before, sums[4];
  int t = threadIdx.x, lane = t % 32, warp = t / 32;
  if (t == 0)
    number = atomicAdd(&gScanOrder, 1);
  __syncthreads();
  int b = number, v = in[b * 128 + t];
  for (int d = 1; d < 32; d *= 2) {
    int w = __shfl_up_sync(~0u, v, d);
    if (lane >= d)
      v += w;
  }
  if (lane == 31)
    sums[warp] = v;
  __syncthreads();
  for (int w = 0; w < warp; ++w)
    v += sums[w];
  int total = sums[0] + sums[1] + sums[2] + sums[3];
  auto word = [](unsigned kind, int value) {
    return (unsigned long long)kind << 32 | (unsigned)value;
  };
  if (t == 0) {
    if (bug == 1)
      //! find 1: race
      state[b] = word(b ? 1 : 2, total);
    else
      STORE64("relaxed.gpu", &state[b], word(b ? 1 : 2, total));
  }
  if (warp == 0 && b > 0) {
    int base = 0;
    for (int from = b - 1;; from -= 32) {
      int at = from - lane;
      unsigned long long w = 0;
      do {
        if (at >= 0)
          //! find 1 2 3: race
          w = bug == 2 ? LOAD64("weak", &state[at])
                       : LOAD64("relaxed.gpu", &state[at]);
        else
          w = word(2, 0);
      } while (__any_sync(~0u, (w >> 32) == 0));
      unsigned done = __ballot_sync(~0u, (w >> 32) == 2);
      int last = done ? __ffs((int)done) - 1 : 31;
      int add = lane <= last ? (int)(unsigned)w : 0;
      for (int d = 16; d; d /= 2)
        add += __shfl_down_sync(~0u, add, d);
      base += __shfl_sync(~0u, add, 0);
      if (done)
        break;
    }
    if (lane == 0) {
      before = base;
      if (bug == 3) { // Two halves are not one word.
        //! find 3: race
        STORE("relaxed.gpu", (int *)&state[b], base + total);
        //! find 3: race
        STORE("relaxed.gpu", (int *)&state[b] + 1, 2);
      } else {
        //! find 2: race
        STORE64("relaxed.gpu", &state[b], word(2, base + total));
      }
    }
  }
  if (warp == 0 && b == 0 && lane == 0)
    before = 0;
  if (bug != 4)
    __syncthreads();
  //! find 4: race|init
  out[b * 128 + t] = v + before;
}

/// Split-K whose blocks take turns, as a semaphore of CUTLASS does.
KERNEL turns(float *c, int *lock, const float *part, int bug) {
  int t = threadIdx.x, turn = blockIdx.y, tile = blockIdx.x;
  if (t == 0) {
    int now;
    do {
      //! find 5: race
      now = bug == 1 ? LOAD("relaxed.gpu", &lock[tile])
                     : LOAD("acquire.gpu", &lock[tile]);
    } while (now != turn);
  }
  if (bug != 2)
    __syncthreads();
  float v = part[(turn * gridDim.x + tile) * blockDim.x + t];
  if (turn)
    //! find 1 2 3 4 5: race|init
    v += c[tile * blockDim.x + t];
  //! find 1 2 3 4 5: race
  c[tile * blockDim.x + t] = v;
  if (bug != 3)
    __syncthreads();
  if (t == 0) {
    int next = turn + 1 == (int)gridDim.y ? 0 : turn + 1;
    if (bug == 4)
      STORE("relaxed.gpu", &lock[tile], next);
    else if (bug == 5)
      //! find 5: race
      STORE("release.cta", &lock[tile], next);
    else
      STORE("release.gpu", &lock[tile], next);
  }
}

/// A bounded queue after Vyukov: every slot has a sequence number.
struct Slot {
  int sequence, a, b, pad;
};
__device__ int gHead, gTail;
KERNEL queue(int *sums, Slot *slots, int items, int bug) {
  const int size = 4;
  if (threadIdx.x)
    return;
  int producers = (int)gridDim.x / 2;
  if ((int)blockIdx.x < producers) {
    for (int k = blockIdx.x; k < items; k += producers) {
      int at = atomicAdd(&gTail, 1);
      Slot *s = &slots[at % size];
      while (LOAD("acquire.gpu", &s->sequence) != at)
        ;
      //! find 1 2 3 4: race
      s->a = k;
      //! find 1 2 3 4: race
      s->b = k * k;
      if (bug == 1)
        STORE("relaxed.gpu", &s->sequence, at + 1);
      else
        STORE("release.gpu", &s->sequence, at + 1);
    }
    return;
  }
  int sum = 0;
  while (true) {
    int at = atomicAdd(&gHead, 1);
    if (at >= items)
      break;
    Slot *s = &slots[at % size];
    while ((bug == 2 ? LOAD("relaxed.gpu", &s->sequence)
                     : LOAD("acquire.gpu", &s->sequence)) != at + 1)
      ;
    //! find 1 2 3 4: race
    int a = LOAD("weak", &s->a);
    if (bug == 3) // Too early: b is still to be read.
      STORE("release.gpu", &s->sequence, at + size);
    //! find 1 2 3 4: race
    sum += a + LOAD("weak", &s->b);
    if (bug == 4)
      STORE("relaxed.gpu", &s->sequence, at + size);
    else if (bug != 3)
      STORE("release.gpu", &s->sequence, at + size);
  }
  atomicAdd(sums, sum);
}

/// A lock around ordinary memory, with patience.
__device__ int gMutex, gMutex2;
KERNEL mutex(int *counter, int rounds, int bug) {
  if (threadIdx.x % 32)
    return;
  for (int r = 0; r < rounds; ++r) {
    unsigned wait = 8;
    //! find 2 4: race
    while ((bug == 1 ? CAS("relaxed.gpu", &gMutex, 0, 1)
                     : CAS("acquire.gpu", &gMutex, 0, 1)) != 0) {
      asm volatile("nanosleep.u32 %0;" ::"r"(wait));
      wait = wait < 256 ? wait * 2 : wait;
    }
    //! find 1 2 3 4: race
    int v = LOAD("weak", counter);
    //! find 1 2 3 4: race
    *counter = v + 1;
    if (bug == 2)
      //! find 2: race
      *(int *)&gMutex = 0;
    else if (bug == 3)
      EXCHANGE("relaxed.gpu", &gMutex, 0);
    else if (bug == 4)
      //! find 4: race
      EXCHANGE("release.cta", &gMutex, 0);
    else
      EXCHANGE("release.gpu", &gMutex, 0);
  }
}

/// Two locks; taken crosswise they wait for each other.
KERNEL twoLocks(int *counters, int bug) {
  if (threadIdx.x)
    return;
  bool swap = bug == 1 && blockIdx.x == 1;
  int *first = swap ? &gMutex2 : &gMutex, *second = swap ? &gMutex : &gMutex2;
  //! find 1: deadlock|timeout
  while (CAS("acquire.gpu", first, 0, 1))
    ;
  // Long enough for the other block to have taken its own.
  for (int k = 0; k < 5000; ++k)
    asm volatile("nanosleep.u32 100;");
  //! find 1: deadlock|timeout
  while (CAS("acquire.gpu", second, 0, 1))
    ;
  counters[0] = LOAD("weak", &counters[0]) + 1;
  counters[1] = LOAD("weak", &counters[1]) + 2;
  EXCHANGE("release.gpu", second, 0);
  EXCHANGE("release.gpu", first, 0);
}

/// Barriers over the grid between steps of a stencil in two buffers.
__device__ int gCount;
KERNEL gridSteps(float *a, float *b, int steps, int bug) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  int target = 0;
  for (int s = 0; s < steps; ++s) {
    //! find 1 2 3: race
    //! find 4: race|init
    float l = a[i ? i - 1 : n - 1];
    //! find 1 2 3: race
    //! find 4: race|init
    float r = a[i + 1 < n ? i + 1 : 0];
    //! find 1 2 3 4: race
    b[i] = 0.5f * (l + r);
    target += gridDim.x;
    if (bug != 1)
      __syncthreads();
    if (threadIdx.x == 0) {
      if (bug != 2)
        __threadfence();
      atomicAdd(&gCount, 1);
      while (LOAD("relaxed.gpu", &gCount) < target)
        ;
      if (bug != 3)
        __threadfence();
    }
    if (bug != 4)
      __syncthreads();
    float *c = a;
    a = b;
    b = c;
  }
}

/// Work is stolen from others' ends: an owner pushes, all take by CAS.
KERNEL fetchTasks(int *done, const int *tasks, int *next, int n, int bug) {
  __shared__ int task;
  while (true) {
    if (threadIdx.x == 0)
      //! find 1 2: race
      task = ADD("relaxed.gpu", next, 1);
    if (bug != 1)
      __syncthreads();
    //! find 1 2: race|init
    int k = LOAD("weak", &task);
    if (k >= n)
      break;
    if (threadIdx.x < 8)
      done[k * 8 + threadIdx.x] = tasks[k] + threadIdx.x;
    if (bug != 2) // No thread overwrites it before all have read it.
      __syncthreads();
  }
}

/// A warp tells another of its block by a flag in shared memory.
KERNEL sharedFlag(int *out, const int *in, int bug) {
  __shared__ int data[32], flag;
  int t = threadIdx.x, lane = t % 32;
  if (t == 0)
    flag = 0;
  __syncthreads();
  if (t < 32) {
    //! find 1 2 3 4: race
    data[lane] = in[lane] * 2;
    if (bug != 3)
      __syncwarp();
    if (lane == 0) {
      if (bug != 1)
        __threadfence_block();
      *(volatile int *)&flag = 1;
    }
  } else {
    if (lane == 0) {
      while (*(volatile int *)&flag == 0)
        ;
      if (bug != 2)
        __threadfence_block();
    }
    if (bug != 4)
      __syncwarp();
    //! find 1 2 3 4: race|init
    out[lane] = data[31 - lane];
  }
}

/// ld.global.nc is for memory that no thread writes.
KERNEL readOnly(int *out, int *x, int bug) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  //! find 1 2: race
  int v = bug ? LOAD("global.nc", &x[i]) : LOAD("weak", &x[i]);
  if (bug == 2) { // Another thread, much later, is a conflict, too.
    __syncthreads();
    //! find 2: race
    x[blockIdx.x * blockDim.x + (threadIdx.x ^ 1)] = v + 1;
  } else {
    //! find 1: race
    x[i] = v + 1;
  }
  out[i] = v;
}

/// In place: each thread its own element is right, the neighbour's is not.
KERNEL inPlace(int *x, int n, int bug) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  //! find 1 2: race|bounds
  int v = LOAD("weak", &x[bug == 1 ? (i ^ 1) : bug == 2 ? i + 1 : i]);
  //! find 1 2: race
  x[i] = v + 1;
}

/// A maximum of floats by CAS. The first look may be an ordinary one (1): the
/// swap finds out when it was old.
KERNEL maximum(float *top, const float *in, int n, int bug) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    float v = in[i];
    //! find 2: race
    int old = bug ? LOAD("weak", top) : LOAD("relaxed.gpu", top);
    while (asFloat(old) < v) {
      if (bug == 2) { // No thread checks.
        //! find 2: race
        *top = v;
        break;
      }
      int seen = CAS("relaxed.gpu", top, old, asInt(v));
      if (seen == old)
        break;
      old = seen;
    }
  }
}

/// Atomic operations of a block are too narrow for others.
KERNEL scopes(int *bins, const int *in, int n, int bug) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (bug == 1)
    //! find 1: race
    asm volatile(
        "red.relaxed.cta.global.add.s32 [%0], 1;" ::"l"(&bins[in[i] & 7])
        : "memory");
  else if (bug == 2)
    //! find 2: race
    bins[in[i] & 7] += 1;
  else
    asm volatile(
        "red.relaxed.gpu.global.add.s32 [%0], 1;" ::"l"(&bins[in[i] & 7])
        : "memory");
}

/// A release and a stronger write of its word are one pattern; of a relaxed
/// load and an acquire of the same word the acquire counts.
KERNEL patterns(int *out, int *data, int *word, int *other, int bug) {
  if (threadIdx.x)
    return;
  if (blockIdx.x == 0) {
    //! find 1 2: race
    data[0] = 5;
    STORE("release.gpu", bug == 2 ? other : word, 1);
    STORE("relaxed.gpu", word, 2);
    return;
  }
  while (LOAD("relaxed.gpu", word) < 2)
    ;
  (void)LOAD("acquire.gpu", bug == 1 ? other : word);
  //! find 1 2: race|init
  out[0] = data[0];
}

/// Look-back with flags and values apart, all volatile: nothing races, but
/// without the fence the value may be late.
KERNEL lookBackApart(int *out, volatile int *flag, volatile int *sum,
                     volatile int *prefix, const int *in, int bug) {
  __shared__ int s[32], number, before;
  int t = threadIdx.x;
  if (t == 0)
    number = atomicAdd(&gScanOrder, 1);
  __syncthreads();
  int b = number, v = in[b * 32 + t];
  for (int d = 1; d < 32; d *= 2) {
    int w = __shfl_up_sync(~0u, v, d);
    if (t >= d)
      v += w;
  }
  s[t] = v;
  __syncwarp();
  if (t == 0) {
    int total = s[31], base = 0;
    if (b) {
      sum[b] = total;
      if (bug != 1)
        __threadfence();
      flag[b] = 1;
    }
    for (int p = b - 1; p >= 0; --p) {
      int f;
      do
        //! find 1 2: race
        f = flag[p];
      while (!f);
      if (bug != 3) // No miss: what a flag tells comes after it.
        __threadfence();
      if (f == 2) {
        //! find 1 2: race
        base += LOAD("volatile", &prefix[p]);
        break;
      }
      //! find 1: race
      base += LOAD("volatile", &sum[p]);
    }
    prefix[b] = base + total;
    if (bug != 1 && bug != 2)
      __threadfence();
    flag[b] = 2;
    before = base;
  }
  __syncwarp();
  out[b * 32 + t] = v + before;
}

/// The flags of Dekker let one of two in; only fence.sc keeps the other out.
KERNEL dekker(int *count, int *flags, int bug) {
  if (threadIdx.x)
    return;
  int me = blockIdx.x;
  for (int round = 0; round < 3000; ++round) {
    STORE("relaxed.gpu", &flags[me], 1);
    if (bug == 1)
      asm volatile("fence.acq_rel.gpu;" ::: "memory");
    else
      asm volatile("fence.sc.gpu;" ::: "memory");
    if (LOAD("relaxed.gpu", &flags[1 - me]) == 0) {
      asm volatile("fence.sc.gpu;" ::: "memory");
      //! find 1: race
      int now = LOAD("weak", count);
      //! find 1: race
      *count = now + 1;
      asm volatile("fence.sc.gpu;" ::: "memory");
    }
    STORE("release.gpu", &flags[me], 0);
  }
}

/// State and value in one vector arrive together, as the scans of CUB have it.
KERNEL together(int *out, int *state, const int *in, int bug) {
  if (threadIdx.x)
    return;
  int b = blockIdx.x, sum = in[b], f, v;
  if (b) {
    do {
      if (bug == 1) {
        f = LOAD("relaxed.gpu", &state[2 * b - 2]);
        //! find 1: race
        v = LOAD("relaxed.gpu", &state[2 * b - 1]);
      } else {
        asm volatile("ld.relaxed.gpu.v2.b32 {%0, %1}, [%2];"
                     : "=r"(f), "=r"(v)
                     : "l"(&state[2 * b - 2])
                     : "memory");
      }
    } while (!f);
    sum += v;
  }
  if (bug == 1) {
    //! find 1: race
    STORE("relaxed.gpu", &state[2 * b + 1], sum);
    STORE("relaxed.gpu", &state[2 * b], 1);
  } else {
    asm volatile("st.relaxed.gpu.v2.b32 [%0], {%1, %2};" ::"l"(&state[2 * b]),
                 "r"(1), "r"(sum)
                 : "memory");
  }
  out[b] = sum;
}
