// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_CASES_SPARSEARRAY_H
#define TOOLS_CASES_SPARSEARRAY_H

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#include <sys/mman.h>

namespace tileir::cases {

/// An array of zeros whose pages are allocated on the first write. Arrays of
/// terabytes are fine.
template <typename T> class SparseArray {
  static_assert(std::is_trivially_copyable<T>::value,
                "elements are bytes that begin as zeros");

public:
  SparseArray() = default;
  SparseArray(SparseArray &&other) noexcept { swap(other); }
  SparseArray &operator=(SparseArray &&other) noexcept {
    swap(other);
    return *this;
  }
  ~SparseArray() { clear(); }

  /// Replaces the elements by `size` zeros. Returns false, and leaves the array
  /// empty, if the system lacks the address space.
  bool tryReset(uint64_t size) {
    clear();
    uint64_t bytes;
    if (size == 0)
      return true;
    if (__builtin_mul_overflow(size, uint64_t(sizeof(T)), &bytes))
      return false;
    void *made;
    if (bytes < kMapped) {
      made = std::calloc(size, sizeof(T));
    } else {
      made = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (made == MAP_FAILED)
        made = nullptr;
      else if (bytes <= kDense)
        madvise(made, bytes, MADV_HUGEPAGE);
    }
    if (!made)
      return false;
    elements = static_cast<T *>(made);
    count = size;
    return true;
  }

  /// Replaces the elements by `size` copies of `value`, which touches all pages
  /// unless the value is zero.
  void assign(uint64_t size, T value) {
    if (!tryReset(size))
      outOfMemory();
    T zero{};
    if (std::memcmp(&zero, &value, sizeof(T)) == 0)
      return;
    for (T &element : *this)
      element = value;
  }

  void clear() {
    if (count * sizeof(T) < kMapped)
      std::free(elements);
    else
      munmap(elements, count * sizeof(T));
    elements = nullptr;
    count = 0;
  }

  bool empty() const { return count == 0; }
  uint64_t size() const { return count; }
  T *data() { return elements; }
  const T *data() const { return elements; }
  T *begin() { return elements; }
  T *end() { return elements + count; }
  const T *begin() const { return elements; }
  const T *end() const { return elements + count; }
  T &operator[](uint64_t index) { return elements[index]; }
  const T &operator[](uint64_t index) const { return elements[index]; }

private:
  /// From this size on, an array has its own mapping.
  static constexpr uint64_t kMapped = uint64_t(1) << 20;
  /// Bytes up to which an array may cost more than its touched pages, in large
  /// pages that the system provides sooner.
  static constexpr uint64_t kDense = uint64_t(1) << 26;

  /// Ends the process like `new` without memory.
  [[noreturn]] static void outOfMemory() {
    if (std::new_handler handler = std::get_new_handler())
      handler();
    std::abort();
  }

  void swap(SparseArray &other) noexcept {
    std::swap(elements, other.elements);
    std::swap(count, other.count);
  }

  T *elements = nullptr;
  uint64_t count = 0;
};

} // namespace tileir::cases

#endif // TOOLS_CASES_SPARSEARRAY_H
