// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/launch/FatBinary.h"
#include "tools/launch/Kernel.h"
#include "tools/launch/Sidecar.h"

#include "dialects/support/Output.h"
#include "tools/cases/TokenRule.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tileir::launch {

using namespace cases;

/// `[x, y, z]`.
static std::string three(const std::array<uint32_t, 3> &a) {
  return "[" + std::to_string(a[0]) + ", " + std::to_string(a[1]) + ", " +
         std::to_string(a[2]) + "]";
}

namespace {

class EmulatedRun {
public:
  EmulatedRun(const Options &options, const Case &c, Outcome &out)
      : options(options), c(c), out(out) {}

  std::unique_ptr<emu::Module> module;
  std::unique_ptr<emu::Machine> machine;
  std::vector<Placed> placed;

  bool fail(const std::string &why) {
    out.fail(why);
    return false;
  }

  bool run() {
    std::string error;
    arch = options.arch.empty() ? c.arch : options.arch;
    std::optional<Target> gpu = Target::parse(arch);
    if (!arch.empty() && !gpu)
      return fail("unknown architecture '" + arch + "'; use one of " +
                  Target::tileLoweringNames());
    if (!prepare(gpu, error))
      return fail(error);
    const std::string &ptx = module->path;
    std::optional<Target> own = Target::parse(module->target);
    if (!own)
      return fail(ptx + ": unknown target '" + module->target + "'");
    if (gpu && !own->assemblesFor(*gpu) && own->number() != gpu->number())
      return fail("PTX for " + own->name() + " does not run on " + arch);
    Target target = gpu.value_or(*own);
    emu::Options emulator = options.emulator;
    if (!tileSource.empty())
      emulator.blockRaceRule = kTokenRule;
    if (c.maxCycles && !emulator.maxSteps)
      emulator.maxSteps = c.maxCycles;
    machine = std::make_unique<emu::Machine>(*module, target, emulator);
    out.machine = machine.get();
    if (!machine->load(error))
      return fail(ptx + ": " + error);
    const emu::Function *entry = machine->image.findEntry(c.entry, error);
    if (!entry)
      return fail(error);
    emu::Launch launch;
    if (!options.progressFile.empty() && !openProgress(error))
      return fail(error);
    if (!place() || !configure(*entry, launch) || !parameters(*entry, launch))
      return false;
    if (progress)
      progress->blocks =
          uint64_t(launch.grid[0]) * launch.grid[1] * launch.grid[2];
    if (!machine->launch(launch, error))
      return fail(error);
    return true;
  }

  ~EmulatedRun() {
    if (progress)
      munmap(progress, sizeof *progress);
    if (temporary.empty() || !options.saveTemps.empty())
      return;
    for (const char *name :
         {"/kernel.ptx", "/kernel.cubin", "/kernel.json", "/kernel.tilebc"})
      unlink((temporary + name).c_str());
    rmdir(temporary.c_str());
  }

private:
  /// Shares the counters of the progress file with who reads it.
  bool openProgress(std::string &error) {
    int file =
        open(options.progressFile.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    void *map = MAP_FAILED;
    if (file >= 0 && ftruncate(file, sizeof(emu::RunProgress)) == 0)
      map = mmap(nullptr, sizeof(emu::RunProgress), PROT_READ | PROT_WRITE,
                 MAP_SHARED, file, 0);
    if (map == MAP_FAILED)
      error = "cannot write '" + options.progressFile +
              "': " + std::strerror(errno);
    if (file >= 0)
      close(file);
    if (map == MAP_FAILED)
      return false;
    machine->options.progress = progress = new (map) emu::RunProgress();
    return true;
  }

  /// Reads the kernel into `module`: PTX, Tile IR that is compiled, or an image
  /// of a fat binary.
  bool prepare(const std::optional<Target> &gpu, std::string &error) {
    std::string path = c.resolve(c.kernel), bytes;
    if (!readText(path, bytes, error))
      return false;
    std::optional<KernelForm> form = formOfKernel(bytes);
    if (form == KernelForm::PTX)
      return parse(path, bytes, error);
    if (form == KernelForm::TileIR)
      return compile(path, error);
    if (form == KernelForm::TileText)
      return makeTemporary(error) &&
             makeBytecode(path, temporary + "/kernel.tilebc", error) &&
             compile(temporary + "/kernel.tilebc", error);
    if (form == KernelForm::FatBinary)
      return extract(path, bytes, gpu, error);
    error = form ? "cannot emulate machine code; give the PTX or the Tile IR "
                   "of this kernel"
                 : "'kernel': expected PTX, Tile IR, or an object or "
                   "program that holds either, got '" +
                       c.kernel + "'";
    return false;
  }

  bool parse(const std::string &path, std::string text, std::string &error) {
    out.ptxFile = path;
    module = std::make_unique<emu::Module>();
    module->path = path;
    if (!emu::parsePtx(text, *module, error)) {
      error = path + ": " + error;
      return false;
    }
    for (const std::string &w : module->warnings)
      std::fprintf(stderr, "warning: %s: %s\n", path.c_str(), w.c_str());
    return true;
  }

  bool compile(const std::string &source, std::string &error) {
    if (arch.empty()) {
      error = "give --arch, or 'arch' in the case, to compile for";
      return false;
    }
    if (!makeTemporary(error))
      return false;
    tileSource = source;
    std::string ptx = temporary + "/kernel.ptx", text;
    bool isThere = compileKernel(options, source, arch, "ptx", ptx, error) &&
                   readText(ptx, text, error) && parse(ptx, text, error);
    if (options.saveTemps.empty())
      out.ptxFile.clear();
    return isThere;
  }

  bool extract(const std::string &path, const std::string &bytes,
               const std::optional<Target> &gpu, std::string &error) {
    std::vector<FatContainer> containers;
    std::vector<FatCandidate> candidates;
    if (!readFatBinary(bytes, containers, error) ||
        !listCandidates(containers, c.entry, gpu, candidates, error)) {
      error = "'" + path + "': " + error;
      return false;
    }
    if (c.entry.empty() && candidates.size() > 1) {
      error = "'entry': missing; '" + path + "' holds several modules";
      return false;
    }
    for (const FatCandidate &one : candidates) {
      bool isPtx = one.image->kind == FatImage::Ptx;
      if (!makeTemporary(error))
        return false;
      std::string file = temporary + (isPtx ? "/kernel.ptx" : "/kernel.tilebc");
      error = writeFile(file, one.bytes);
      if (error.empty() && !one.cubin.empty()) {
        cubin = temporary + "/kernel.cubin";
        error = writeFile(cubin, one.cubin);
      }
      if (!error.empty())
        return false;
      if (!gpu && !isPtx)
        arch = one.image->arch;
      if (!(isPtx ? parse(file, one.bytes, error) : compile(file, error)))
        return false;
      for (const auto &f : module->functions)
        if (f->isEntry && (c.entry.empty() || f->name == c.entry))
          return true;
    }
    std::string images = listImages(containers);
    error =
        "'" + path + "' holds no PTX or Tile IR" +
        (gpu ? " that runs on " + gpu->name() : "") +
        (c.entry.empty() ? "" : " with entry '" + c.entry + "'") + "; " +
        (images.empty() ? "nothing in it is for a GPU" : "it has " + images) +
        "; nvcc embeds them where code= names compute_NN, too";
    return false;
  }

  /// Makes the folder for compiled kernels, unless it exists.
  bool makeTemporary(std::string &error) {
    if (!temporary.empty())
      return true;
    if (!options.saveTemps.empty()) {
      mkdir(options.saveTemps.c_str(), 0777);
      temporary = options.saveTemps;
      return true;
    }
    const char *base = std::getenv("TMPDIR");
    std::string name = std::string(base ? base : "/tmp") + "/tileir-run.XXXXXX";
    if (mkdtemp(name.data()))
      temporary = name;
    else
      error = "cannot make a temporary folder";
    return !temporary.empty();
  }

  bool placeBuffer(const BufferSpec &spec) {
    for (const Placed &p : placed)
      if (p.spec->name == spec.name)
        return fail("two buffers are called '" + spec.name + "'");
    BufferImage image;
    std::string error;
    if (!materialize(spec, c.directory, machine->memory.used, image, error))
      return fail(error);
    uint64_t shift = storageBytes(spec.dtype, size_t(spec.offset));
    if (!machine->memory.hasAddresses(shift + image.bytes, spec.align))
      return fail("'" + spec.where + "': a buffer of " +
                  std::to_string(image.bytes) +
                  " bytes does not fit into the memory that this machine and "
                  "the emulated GPU can address; make 'shape' or 'strides' "
                  "smaller");
    emu::Region &r =
        machine->memory.allocate(spec.name, shift + image.bytes, spec.align);
    r.low = shift;
    bool isSmall = r.size <= kMaxFilledBytes;
    if (image.fill && isSmall)
      std::fill(r.data.begin() + shift, r.data.end(), image.fill);
    // No flags mean that all is written.
    if (!image.isFillWritten)
      r.written.assign(r.size, 0);
    storeElements(spec, image, r.data.data() + shift,
                  r.written.empty() ? nullptr : r.written.data() + shift);
    if (isSmall &&
        std::find(r.written.begin() + (r.written.empty() ? 0 : shift),
                  r.written.end(), 0) == r.written.end())
      r.written.clear();
    placed.push_back({&spec, &r, r.base + shift});
    return true;
  }

  const Placed *findBuffer(const std::string &name) {
    for (const Placed &p : placed)
      if (p.spec->name == name)
        return &p;
    fail("no buffer is called '" + name + "'");
    return nullptr;
  }

  bool place() {
    for (const Arg &a : c.args)
      if (a.kind == Arg::Kind::Buffer && !placeBuffer(a.buffer))
        return false;
    for (const BufferSpec &b : c.buffers)
      if (!placeBuffer(b))
        return false;
    for (const BufferSpec &g : c.globals) {
      emu::Region *r = machine->findGlobal(g.name);
      if (!r)
        return fail("'" + g.where + ".symbol': the module has no variable '" +
                    g.name + "'");
      size_t bytes = storageBytes(g.dtype, g.span());
      if (bytes > r->size)
        return fail("'" + g.where + "': '" + g.name + "' has " +
                    std::to_string(r->size) + " bytes only");
      if (!g.init.empty()) {
        BufferImage image;
        std::string error;
        if (!materialize(g, c.directory, machine->memory.used, image, error))
          return fail(error);
        std::fill(r->data.begin(), r->data.begin() + image.bytes, image.fill);
        storeElements(g, image, r->data.data(), nullptr);
      }
      placed.push_back({&g, r, r->base});
    }
    for (Placed &p : placed)
      for (const Relocation &r : p.spec->relocations) {
        const Placed *to = findBuffer(r.buffer);
        if (!to)
          return false;
        uint64_t value = to->address + uint64_t(r.addend);
        uint64_t at = p.address - p.region->base + r.offset;
        std::memcpy(&p.region->data[at], &value, 8);
        if (!p.region->written.empty())
          std::memset(&p.region->written[at], 1, 8);
      }
    return true;
  }

  bool configure(const emu::Function &entry, emu::Launch &launch) {
    launch.entry = entry.name;
    launch.grid = c.grid;
    launch.sharedBytes = c.sharedBytes;
    launch.smCount = c.smCount;
    launch.coResident = c.coResident;
    if (entry.reqntidGiven) {
      launch.block = entry.reqntid;
      if (c.block && *c.block != entry.reqntid)
        return fail("'block': the kernel requires " + three(entry.reqntid));
    } else if (c.block) {
      launch.block = *c.block;
    } else {
      return fail("'block': missing; the kernel has no .reqntid");
    }
    if (entry.cluster[0]) {
      launch.cluster = entry.cluster;
      launch.explicitCluster = true;
      if (c.cluster && *c.cluster != entry.cluster)
        return fail("'cluster': the kernel requires " + three(entry.cluster));
    } else if (c.cluster) {
      launch.cluster = *c.cluster;
      launch.explicitCluster = true;
    }
    // The launcher counts clusters.
    if (c.gridInClusters || entry.blocksAreClusters)
      for (int a = 0; a < 3; ++a)
        launch.grid[a] *= launch.cluster[a];
    return true;
  }

  static void nameArray(const Arg &a, const Placed &p, uint64_t addend) {
    uint64_t from = p.address - p.region->base + addend;
    p.region->arrays.push_back({a.name, from, storageBits(p.spec->dtype)});
  }

  bool parameters(const emu::Function &entry, emu::Launch &launch) {
    uint64_t size;
    std::vector<uint64_t> offsets =
        machine->image.parameterOffsets(entry, size);
    launch.params.assign(size, 0);
    size_t visible = 0;
    for (int p : entry.params)
      visible += p < 0 || !entry.variables[p].hidden;
    std::string why;
    // In the plain form only the sidecar knows which parameters are the user's.
    Sidecar described;
    if (!options.sidecar.empty()) {
      if (!described.readFile(options.sidecar, entry.name, why))
        return fail(why);
      visible = described.visible;
    }
    if (c.args.size() != entry.params.size() && c.args.size() != visible)
      return fail("'args': '" + entry.name + "' has " +
                  std::to_string(visible) + " parameters, the case gives " +
                  std::to_string(c.args.size()));
    for (size_t k = 0; k < c.args.size(); ++k) {
      const Arg &a = c.args[k];
      const emu::Variable &v = entry.variables[entry.params[k]];
      uint8_t *at = launch.params.data() + offsets[k];
      auto fits = [&](uint64_t bytes) {
        return bytes == v.size ||
               fail("'" + a.where + "': has " + std::to_string(bytes) +
                    " bytes, parameter " + std::to_string(k) + " of '" +
                    entry.name + "' " + std::to_string(v.size));
      };
      switch (a.kind) {
      case Arg::Kind::Scalar: {
        uint64_t bytes = storageBytes(a.dtype, 1);
        if (!fits(bytes))
          return false;
        std::memcpy(at, &a.bits, bytes);
        break;
      }
      case Arg::Kind::Buffer: {
        const Placed *p = findBuffer(a.buffer.name);
        if (!fits(8))
          return false;
        std::memcpy(at, &p->address, 8);
        nameArray(a, *p, 0);
        break;
      }
      case Arg::Kind::Struct:
        if (!fits(a.bytes))
          return false;
        for (const StructField &f : a.fields) {
          if (!f.buffer.empty()) {
            const Placed *p = findBuffer(f.buffer);
            if (!p)
              return false;
            uint64_t value = p->address + uint64_t(f.addend);
            std::memcpy(at + f.offset, &value, 8);
            if (a.address() && f.addend >= 0)
              nameArray(a, *p, uint64_t(f.addend));
            continue;
          }
          for (size_t e = 0; e < f.values.size(); ++e)
            storeBits(f.dtype, at + f.offset, e, f.values[e]);
        }
        break;
      case Arg::Kind::TensorMap: {
        const Placed *p = findBuffer(a.map.buffer);
        emu::TensorMap map;
        std::string why;
        if (!p || !fits(128))
          return false;
        if (!emu::makeTensorMap(a.map, p->address + uint64_t(a.map.offset), map,
                                why))
          return fail("'" + a.where + ".tensor_map': " + why);
        emu::encodeTensorMap(map, at);
        break;
      }
      }
    }
    if (visible == entry.params.size() || c.args.size() != visible)
      return true;
    // The runner plays the driver for what the launcher does not pass.
    bool byHost = options.hostObject != "none" && options.sidecar.empty();
    std::string sidecar = options.sidecar, error;
    if (!options.cubin.empty())
      cubin = options.cubin;
    if (tileSource.empty() && (byHost ? cubin : sidecar).empty())
      return fail("'args': '" + entry.name +
                  "' has hidden parameters; give them, or give the Tile IR of "
                  "the kernel, " +
                  (byHost ? "its cubin (--cubin) or " : "") +
                  "its launch sidecar (--sidecar)");
    if (byHost && cubin.empty()) {
      cubin = temporary + "/kernel.cubin";
      if (!compileKernel(options, tileSource, arch, "cubin", cubin, error))
        return fail(error);
    }
    if (!byHost && sidecar.empty()) {
      sidecar = temporary + "/kernel.json";
      if (!compileKernel(options, tileSource, arch, "ptx",
                         temporary + "/kernel.ptx", error, sidecar) ||
          !described.readFile(sidecar, entry.name, error))
        return fail(error);
    }
    bool filled = byHost ? fillHidden(options, cubin, entry, *machine,
                                      launch.params, error)
                         : fillFromSidecar(options, described, entry, offsets,
                                           *machine, launch.params, error);
    return filled || fail(error);
  }

  const Options &options;
  const Case &c;
  Outcome &out;
  /// Name of the GPU; empty until something names one.
  std::string arch;
  std::string temporary;
  /// The Tile IR that was compiled, and the machine code of the PTX, by path;
  /// empty where there is none.
  std::string tileSource, cubin;
  emu::RunProgress *progress = nullptr;
};

} // namespace

/// Writes a mask of the written elements of output `p`, unless all are written.
static bool writeWritten(const Options &options, const Placed &p,
                         std::string &error) {
  size_t bytes = size_t(storageBits(p.spec->dtype)) / 8;
  if (p.region->written.empty() || bytes == 0)
    return true;
  NpyArray array = npyFor(Dtype::U8, p.spec->shape);
  const uint8_t *flags =
      p.region->written.data() + (p.address - p.region->base);
  p.spec->forPlaces([&](size_t element, size_t at) {
    const uint8_t *first = flags + at * bytes;
    array.bytes[element] = std::find(first, first + bytes, 0) == first + bytes;
  });
  if (std::find(array.bytes.begin(), array.bytes.end(), 0) == array.bytes.end())
    return true;
  return writeNpy(options.outDirectory + "/" + p.spec->name + ".written.npy",
                  array, error);
}

bool finishOutputs(const Options &options, const Case &c,
                   const std::vector<Placed> &placed, Outcome &out) {
  std::string error;
  if (!options.outDirectory.empty())
    mkdir(options.outDirectory.c_str(), 0777);
  for (const Placed &p : placed) {
    if (!p.spec->output)
      continue;
    if (options.outDirectory.empty() && p.spec->expect.empty())
      continue; // No reader needs it.
    const uint8_t *span = p.region->data.data() + (p.address - p.region->base);
    std::vector<uint64_t> got =
        gather(*p.spec, [&](uint64_t byte) { return span[byte]; });
    if (!options.outDirectory.empty() &&
        (!writeOutput(*p.spec, got, options.outDirectory, error) ||
         (options.outWritten && !writeWritten(options, p, error)))) {
      out.fail(error);
      return false;
    }
    bool differs;
    Mismatch mismatch;
    if (!compareExpected(*p.spec, c.directory, got, differs, mismatch, error)) {
      out.fail(error);
      return false;
    }
    out.compared += !p.spec->expect.empty();
    if (differs)
      out.mismatches.push_back(mismatch);
  }
  if (!options.outDirectory.empty() && !out.printed.empty()) {
    error = writeFile(options.outDirectory + "/stdout.txt", out.printed);
    if (!error.empty()) {
      out.fail(error);
      return false;
    }
  }
  if (!c.stdoutFile.empty()) {
    ++out.compared;
    std::string expected;
    if (!readText(c.resolve(c.stdoutFile), expected, error)) {
      out.fail("'stdout': " + error);
      return false;
    }
    auto lines = [&](const std::string &text) {
      std::vector<std::string> list;
      std::istringstream in(text);
      std::string line;
      while (std::getline(in, line))
        list.push_back(line);
      if (c.stdoutAnyOrder)
        std::sort(list.begin(), list.end());
      return list;
    };
    std::vector<std::string> a = lines(out.printed), b = lines(expected);
    if (a != b) {
      Mismatch m;
      m.name = "stdout";
      size_t k = 0;
      while (k < a.size() && k < b.size() && a[k] == b[k])
        ++k;
      m.index = {int64_t(k)};
      m.got = k < a.size() ? a[k] : "";
      m.expected = k < b.size() ? b[k] : "";
      m.count = 1;
      out.mismatches.push_back(m);
    }
  }
  return true;
}

/// Outputs that are copies of memory that no thread has written. Of what is not
/// compared, bytes may be holes of structures.
static void reportCopies(const Case &c, const std::vector<Placed> &placed,
                         emu::Machine &machine) {
  for (const Placed &p : placed) {
    if (machine.registers.copied.empty() || !p.spec->output ||
        p.region->written.empty())
      continue;
    std::vector<uint64_t> expected, mask;
    std::string error;
    bool compared = !p.spec->expect.empty();
    if (compared && !readExpected(*p.spec, c.directory, expected, mask, error))
      continue;
    uint64_t size = storageBytes(p.spec->dtype, 1);
    for (size_t e = 0; e < p.spec->count(); ++e)
      if ((compared || size > 1) && (mask.empty() || mask[e]))
        machine.registers.reportCopied(
            *p.region,
            p.address - p.region->base +
                storageBytes(p.spec->dtype, p.spec->place(e)),
            size, !compared);
  }
}

/// Runs one case and prints what was found.
static Outcome runCase(const Options &options) {
  Outcome out;
  Case c;
  std::string error;
  std::unique_ptr<EmulatedRun> run;
  if (!loadInput(options.caseFile, options.spelled, c, error)) {
    out.fail(error);
  } else if (options.device == "cuda") {
    runCuda(options, c, out);
  } else {
    run = std::make_unique<EmulatedRun>(options, c, out);
    if (run->run()) {
      emu::Machine &m = *run->machine;
      out.printed = m.printed;
      if (!m.failure.empty()) {
        out.fail(m.failure);
      } else {
        reportCopies(c, run->placed, m);
        finishOutputs(options, c, run->placed, out);
        if (m.findings.empty() ? !out.mismatches.empty()
                               : m.asserted && m.findings.size() == 1)
          m.weak.reportUnseenWrites();
        out.findings = m.findings;
        out.notes = m.notes;
        if (!out.findings.empty() && out.outcome != "error")
          out.outcome =
              m.asserted && out.findings.size() == 1 ? "assert" : "fault";
      }
    }
  }
  printOutcome(options, out);
  if (options.caseFiles.size() == 1 && out.exitStatus() == 0)
    std::fprintf(stderr, "ok: %s\n", successText(options, out).c_str());
  if (options.emulator.stats && run && run->machine)
    std::printf("%s", statsJson(*run->machine).c_str());
  if (options.emulator.timing && run && run->machine)
    std::printf("%s", timingJson(*run->machine, options.timingLines).c_str());
  // The machine ends with this run.
  out.machine = nullptr;
  if (options.reportFile.empty())
    return out;
  error = writeFile(options.reportFile, reportJson(out));
  if (!error.empty()) {
    std::fprintf(stderr, "error: %s\n", error.c_str());
    out.outcome = "error";
  }
  return out;
}

int runCases(const Options &options) {
  if (options.caseFiles.size() == 1) {
    Options one = options;
    one.caseFile = options.caseFiles[0];
    return runCase(one).exitStatus();
  }
  int status = 0;
  if (!options.outDirectory.empty())
    mkdir(options.outDirectory.c_str(), 0777);
  for (size_t k = 0; k < options.caseFiles.size(); ++k) {
    Options one = options;
    one.caseFile = options.caseFiles[k];
    std::string name = one.caseFile.substr(one.caseFile.rfind('/') + 1);
    name = name.substr(0, name.rfind('.'));
    if (!options.outDirectory.empty())
      one.outDirectory += "/" + name;
    Outcome out = runCase(one);
    status = std::max(status, out.exitStatus());
    std::printf("%s: %s\n", one.caseFile.c_str(),
                out.exitStatus() == 0 ? "ok"
                : out.outcome == "ok" ? "differs"
                                      : out.outcome.c_str());
    std::fflush(stdout);
    if (out.lostDevice && k + 1 < options.caseFiles.size()) {
      std::fprintf(stderr,
                   "error: the kernel of '%s' took the GPU's context with it; "
                   "%zu cases after it did not run\n",
                   one.caseFile.c_str(), options.caseFiles.size() - k - 1);
      return 2;
    }
  }
  return status;
}

} // namespace tileir::launch
