// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clusters on several cores. Those that share nothing that one of them writes
// do the same alone as among the others, so that processes that begin as copies
// of this one run them, each cluster with its own draws of the seed. What they
// have written comes back here when no byte is another's; after a finding, a
// printed text or a byte that two of them share nothing does, and the caller
// runs all of them together. So neither answers nor findings depend on the
// number of processes.
#include "tools/emulator/Machine.h"

#include <algorithm>
#include <atomic>

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tileir::emu {

void Footprint::mark(uint64_t offset, uint64_t bytes, uint8_t how) {
  if (bytes == 0)
    return;
  for (uint64_t p = offset / kPage; p <= (offset + bytes - 1) / kPage; ++p) {
    if (!seen[p])
      pages.push_back(p);
    seen[p] |= how;
  }
  uint8_t *to = &marks[offset];
  for (uint64_t k = 0; k < bytes; ++k)
    to[k] |= how;
}

static_assert(Footprint::kPage == Granule::kBytes * Region::kGranulePage,
              "a page has its granules for itself");

namespace {

/// Memory that the processes share.
struct Progress {
  std::atomic<uint32_t> next{0}; ///< The first cluster that no worker runs.
  std::atomic<bool> isAbandoned{false}; ///< All have to run together.
};

/// A cluster that has run. The pages that it touched follow.
struct RanCluster {
  uint64_t steps, pages;
};

/// A page that it touched. Marks follow, and where it wrote, the bytes and
/// whether each was written. Of marks and flags that are all the same one is
/// there.
struct TouchedPage {
  uint64_t region, page;
  bool isWritten, hasFlags, oneMark, oneFlag;
};

/// A process and the file that it writes.
struct Worker {
  pid_t id = -1;
  int file = -1;
};

uint64_t bytesOf(const Region &region, uint64_t page) {
  return std::min(Footprint::kPage, region.size - page * Footprint::kPage);
}

/// In the process of a worker: runs clusters until none is left.
class ApartRun {
public:
  ApartRun(Machine &m, Progress &progress, int file)
      : m(m), progress(progress), file(file), total(m.scheduler.totalBlocks),
        regions(m.memory.all().size()) {}

  /// False when all have to run together.
  bool run() {
    for (auto &r : m.memory.all())
      if (r->space == Space::Global && !r->readOnly)
        r->footprint = std::make_unique<Footprint>(r->size);
    uint32_t cluster;
    while ((cluster = progress.next++) < total)
      if (progress.isAbandoned || !m.scheduler.scheduleAlone(cluster) ||
          hasTraces() || !putCluster())
        return false;
    return true;
  }

private:
  /// Traces of a run that do not come back with the bytes.
  bool hasTraces() const {
    return m.stopped || !m.findings.empty() || !m.notes.empty() ||
           !m.printed.empty() || !m.failure.empty() ||
           !m.registers.copied.empty() || m.memory.all().size() != regions ||
           m.scheduler.steps > m.options.maxSteps;
  }

  /// Memory that every block has for itself, while it runs.
  bool isOwn(const Region &r) const { return r.base == m.memory.perCtaBase; }

  uint64_t touched() const {
    uint64_t count = 0;
    for (auto &r : m.memory.all())
      count += r->footprint && !isOwn(*r) ? r->footprint->pages.size() : 0;
    return count;
  }

  bool putCluster() {
    put(RanCluster{m.scheduler.steps, touched()});
    return putPages();
  }

  void putBytes(const void *data, size_t bytes) {
    const auto *from = static_cast<const uint8_t *>(data);
    buffer.insert(buffer.end(), from, from + bytes);
  }
  template <typename T> void put(const T &value) {
    putBytes(&value, sizeof value);
  }
  bool flush() {
    const uint8_t *from = buffer.data();
    for (size_t left = buffer.size(); left;) {
      ssize_t done = write(file, from, left);
      if (done <= 0)
        return false;
      from += done;
      left -= size_t(done);
    }
    buffer.clear();
    return true;
  }

  /// Writes the pages and forgets them: the next cluster finds none touched.
  bool putPages() {
    for (size_t k = 0; k < regions; ++k) {
      Region &r = *m.memory.all()[k];
      if (!r.footprint)
        continue;
      Footprint &f = *r.footprint;
      for (uint64_t page : f.pages) {
        uint64_t at = page * Footprint::kPage, bytes = bytesOf(r, page);
        if (isOwn(r))
          std::fill_n(&r.written[at], bytes, 0);
        else
          putPage(r, k, page);
        if (buffer.size() > kBuffer && !flush())
          return false;
        std::fill_n(&f.marks[at], bytes, 0);
        f.seen[page] = 0;
        r.forgetGranules(page);
      }
      f.pages.clear();
    }
    return flush();
  }

  void putPage(Region &r, size_t number, uint64_t page) {
    uint64_t at = page * Footprint::kPage, bytes = bytesOf(r, page);
    const uint8_t *marks = &r.footprint->marks[at];
    bool isWritten = r.footprint->seen[page] & Footprint::Written;
    const uint8_t *flags =
        isWritten && !r.written.empty() ? &r.written[at] : nullptr;
    bool oneMark = areAlike(marks, bytes),
         oneFlag = flags && areAlike(flags, bytes);
    put(TouchedPage{number, page, isWritten, flags != nullptr, oneMark,
                    oneFlag});
    putBytes(marks, oneMark ? 1 : bytes);
    if (isWritten)
      putBytes(&r.data[at], bytes);
    if (flags)
      putBytes(flags, oneFlag ? 1 : bytes);
  }

  static bool areAlike(const uint8_t *bytes, uint64_t count) {
    return std::memcmp(bytes, bytes + 1, count - 1) == 0;
  }

  static constexpr size_t kBuffer = size_t(1) << 20;
  std::vector<uint8_t> buffer; ///< Not yet in the file.
  Machine &m;
  Progress &progress;
  int file;
  uint32_t total;
  size_t regions;
};

/// Reads what the workers have written.
class Merge {
public:
  explicit Merge(Memory &memory) : memory(memory) {}

  uint64_t steps = 0; ///< Of all clusters.

  /// Calls `take(region, page, marks, bytes or null, flags or null)` for every
  /// page in the file of a worker; false when that says so.
  template <typename F> bool pages(int file, F take) {
    struct stat info;
    if (fstat(file, &info) != 0)
      return false;
    size_t size = size_t(info.st_size);
    if (size == 0)
      return true;
    void *map =
        mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
    if (map == MAP_FAILED)
      return false;
    const auto *at = static_cast<const uint8_t *>(map), *end = at + size;
    bool goesOn = true;
    auto bytes = [&](uint64_t count) {
      const uint8_t *here = at;
      at += count;
      return here;
    };
    uint8_t copies[2][Footprint::kPage];
    auto oneOrAll = [&](bool isOne, uint64_t count, uint8_t *copy) {
      return isOne ? static_cast<const uint8_t *>(
                         std::memset(copy, *bytes(1), count))
                   : bytes(count);
    };
    while (goesOn && at < end) {
      RanCluster ran;
      std::memcpy(&ran, bytes(sizeof ran), sizeof ran);
      steps += ran.steps;
      for (uint64_t k = 0; goesOn && k < ran.pages; ++k) {
        TouchedPage p;
        std::memcpy(&p, bytes(sizeof p), sizeof p);
        Region &r = *memory.all()[p.region];
        uint64_t count = bytesOf(r, p.page);
        const uint8_t *marks = oneOrAll(p.oneMark, count, copies[0]);
        const uint8_t *data = p.isWritten ? bytes(count) : nullptr;
        const uint8_t *flags =
            p.hasFlags ? oneOrAll(p.oneFlag, count, copies[1]) : nullptr;
        goesOn = take(r, p.page, marks, data, flags);
      }
    }
    munmap(map, size);
    return goesOn;
  }

  /// Adds what a cluster touched to what others have; false when they meet.
  static bool isApart(Region &r, uint64_t page, const uint8_t *marks) {
    if (!r.footprint)
      r.footprint = std::make_unique<Footprint>(r.size);
    uint8_t *all = &r.footprint->marks[page * Footprint::kPage];
    uint64_t count = bytesOf(r, page);
    uint8_t overlaps = 0;
    for (uint64_t k = 0; k < count; ++k) {
      // Bit by bit: one of the two has written, the other has touched.
      uint8_t a = all[k], b = marks[k];
      overlaps |= ((a >> 1) & (b | b >> 1)) | ((b >> 1) & (a | a >> 1));
      all[k] = a | b;
    }
    return !(overlaps & 1);
  }

  static void apply(Region &r, uint64_t page, const uint8_t *marks,
                    const uint8_t *data, const uint8_t *flags) {
    uint64_t first = page * Footprint::kPage, count = bytesOf(r, page);
    if (flags && r.written.empty())
      r.written.assign(r.size, 1);
    auto copy = [&](const uint8_t *from, uint8_t *to) {
      for (uint64_t k = 0; k < count; ++k)
        to[k] = marks[k] & Footprint::Written ? from[k] : to[k];
    };
    if (data)
      copy(data, &r.data[first]);
    if (data && flags)
      copy(flags, &r.written[first]);
  }

private:
  Memory &memory;
};

} // namespace

bool Scheduler::scheduleAlone(uint32_t cluster) {
  nextBlock = cluster;
  totalBlocks = cluster + 1;
  rng = cases::SplitMix64(machine.options.seed + (uint64_t(cluster) << 32));
  steps = version = 0;
  watchesSpins = preempted = false;
  machine.races.forget();
  return scheduleTogether();
}

bool Scheduler::runApart() {
  if (!machine.options.jobs || totalBlocks < 2 || mayCommunicate ||
      machine.config.coResident || machine.weak.weakLoads || machine.profile)
    return false;
  void *shared = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED)
    return false;
  auto *progress = new (shared) Progress();
  std::vector<Worker> workers(std::min(machine.options.jobs, totalBlocks));
  for (Worker &w : workers) {
    w.file = memfd_create("tileir-clusters", MFD_CLOEXEC);
    w.id = w.file < 0 ? -1 : fork();
    if (w.id != 0)
      continue;
    std::set_new_handler([] { _exit(1); });
    bool ok = ApartRun(machine, *progress, w.file).run();
    if (!ok)
      progress->isAbandoned = true;
    _exit(ok ? 0 : 1);
  }
  bool ok = true;
  for (Worker &w : workers) {
    int status = 1;
    ok &= w.id > 0 && waitpid(w.id, &status, 0) == w.id && status == 0;
    if (!ok)
      progress->isAbandoned = true;
  }
  ok = ok && progress->next >= totalBlocks;
  munmap(shared, sizeof(Progress));
  Merge merge(machine.memory);
  for (Worker &w : workers)
    ok = ok &&
         merge.pages(w.file, [](Region &r, uint64_t page, const uint8_t *marks,
                                const uint8_t *, const uint8_t *) {
           return Merge::isApart(r, page, marks);
         });
  ok = ok && merge.steps <= machine.options.maxSteps;
  if (ok)
    steps = merge.steps;
  for (Worker &w : workers) {
    if (ok)
      merge.pages(w.file, [](Region &r, uint64_t page, const uint8_t *marks,
                             const uint8_t *data, const uint8_t *flags) {
        Merge::apply(r, page, marks, data, flags);
        return true;
      });
    close(w.file);
  }
  for (auto &r : machine.memory.all())
    r->footprint.reset();
  return ok;
}

bool Scheduler::schedule() {
  if (runApart())
    return true;
  // All of them begin again.
  if (RunProgress *progress = machine.options.progress)
    progress->ended = 0;
  return scheduleTogether();
}

} // namespace tileir::emu
