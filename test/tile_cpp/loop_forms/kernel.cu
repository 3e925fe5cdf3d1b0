// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that count, in the forms in which C++ has them, and loops that do not: each function sums up what it visits.
#include <cuda_tile.h>

__tile__ int down(const int *a, int n) {
  int s = 0;
  for (int i = n - 1; i >= 0; --i) {
    if (a[i] < 0)
      continue;
    s = s * 3 + a[i];
  }
  return s;
}

__tile__ int downByTwo(const int *a, int n) {
  int s = 0, i = n;
  for (; i > 1; i -= 2) {
    if (a[i - 1] == 7)
      continue;
    s = s * 5 + a[i - 1];
  }
  return s * 7 + i;
}

__tile__ int upToLast(const int *a, int n) {
  int s = 0;
  for (int i = 1; i <= n; i += 3) {
    if (a[i - 1] == 7)
      continue;
    s = s * 3 + a[i - 1];
  }
  return s;
}

__tile__ int unequal(const int *a, unsigned long n) {
  int s = 0;
  unsigned long i = 0;
  for (; i != n; ++i) {
    if (a[i] < 0)
      continue;
    s = s * 3 + a[i];
  }
  return s + int(i);
}

// A step of three may pass the last value of the type: no counted loop.
__tile__ int wraps(const int *a, unsigned n) {
  int s = 0;
  for (unsigned i = 0; i < n; i += 3) {
    if (a[i] < 0)
      continue;
    s = s * 3 + a[i];
  }
  return s;
}

__tile__ int leftEarly(const int *a, int n) {
  int s = 0, i = 0;
  for (; i < n; ++i) {
    if (a[i] == 7)
      break;
    if (a[i] < 0)
      continue;
    s = s * 3 + a[i];
  }
  return s * 7 + i;
}

__tile__ int returnsEarly(const int *a, int n) {
  for (int i = 0; i < n; ++i)
    if (a[i] == 7)
      return i;
  return -1;
}

__tile__ int atLeastOnce(const int *a, int n) {
  int s = 0, i = 0;
  do {
    s = s * 3 + a[i];
    ++i;
  } while (i < n);
  return s;
}

__tile__ int boundMoves(const int *a, int n) {
  int s = 0;
  for (int i = 0; i < n; ++i) {
    s = s * 3 + a[i];
    if (a[i] < 0)
      --n;
  }
  return s;
}

__tile__ int inside(const int *a, int n) {
  int s = 0;
  for (int i = 0; i < n; ++i) {
    if (a[i] < 0)
      continue;
    for (int k = i; k >= 0; --k) {
      if (a[k] < 0)
        break;
      s = s * 3 + a[k];
    }
  }
  return s;
}

__tile__ int chosen(int n, int x) {
  int s = x;
  switch (n & 7) {
  case 0:
    return 100 + x;
  case 1:
    s += 10;
  case 2:
    s += 20;
    break;
  case 5:
    s *= 3;
    break;
  default:
    s = -x;
  }
  return s;
}

__tile__ int pointers(const int *a, int n) {
  int s = 0;
  for (const int *p = a; p != a + n; ++p) {
    if (*p < 0)
      continue;
    s = s * 3 + *p;
  }
  return s;
}

extern "C" __tile_global__ void K(const int *__restrict__ a, int *__restrict__ out, int n) {
  out[0] = down(a, n);
  out[1] = downByTwo(a, n);
  out[2] = upToLast(a, n);
  out[3] = unequal(a, n);
  out[4] = wraps(a, n);
  out[5] = leftEarly(a, n);
  out[6] = returnsEarly(a, n);
  out[7] = atLeastOnce(a, n);
  out[8] = boundMoves(a, n);
  out[9] = inside(a, n);
  out[10] = chosen(n, 4);
  out[11] = pointers(a, n);
}
