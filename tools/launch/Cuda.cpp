// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cases on a real GPU through the driver API, which is opened at run time.
#include "tools/launch/Elf.h"
#include "tools/launch/FatBinary.h"
#include "tools/launch/Kernel.h"
#include "tools/launch/Sidecar.h"

#include <algorithm>
#include <cstring>

#include <dlfcn.h>
#include <unistd.h>

namespace tileir::launch {

using namespace cases;

namespace {

using Result = int;
using DevicePtr = uint64_t;

struct LaunchAttribute {
  int id;
  char pad[4];
  union {
    char bytes[64];
    uint32_t dimensions[3];
  } value;
};
struct LaunchConfig {
  unsigned grid[3], block[3];
  unsigned sharedBytes;
  void *stream;
  LaunchAttribute *attributes;
  unsigned count;
};
constexpr int kClusterDimension = 4;    // CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
constexpr int kMaxDynamicShared = 8;    // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED…
constexpr int kNonPortableCluster = 14; // CU_FUNC_ATTRIBUTE_NON_PORTABLE_…
constexpr int kProcessors = 16; // CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT
/// The first release whose driver fills the hidden parameters of tile kernels.
constexpr int kTileRelease = 13010;
constexpr uint8_t kGuard = 0xA5;

/// The functions of the driver that a run needs.
struct Driver {
  void *library = nullptr;
  Result (*init)(unsigned) = nullptr;
  Result (*driverVersion)(int *) = nullptr;
  Result (*deviceGet)(int *, int) = nullptr;
  Result (*deviceAttribute)(int *, int, int) = nullptr;
  Result (*contextRetain)(void **, int) = nullptr;
  Result (*contextSet)(void *) = nullptr;
  Result (*moduleLoad)(void **, const void *) = nullptr;
  Result (*moduleUnload)(void *) = nullptr;
  Result (*moduleFunction)(void **, void *, const char *) = nullptr;
  Result (*moduleGlobal)(DevicePtr *, size_t *, void *, const char *) = nullptr;
  Result (*allocate)(DevicePtr *, size_t) = nullptr;
  Result (*toDevice)(DevicePtr, const void *, size_t) = nullptr;
  Result (*toHost)(void *, DevicePtr, size_t) = nullptr;
  Result (*free)(DevicePtr) = nullptr;
  Result (*functionAttribute)(void *, int, int) = nullptr;
  Result (*launch)(const LaunchConfig *, void *, void **, void **) = nullptr;
  Result (*synchronize)() = nullptr;
  Result (*errorName)(Result, const char **) = nullptr;
  // Drivers before 12.0 have no tensor maps.
  Result (*encodeTiled)(void *, int, uint32_t, uint64_t, const uint64_t *,
                        const uint64_t *, const uint32_t *, const uint32_t *,
                        int, int, int, int) = nullptr;
  Result (*encodeIm2col)(void *, int, uint32_t, uint64_t, const uint64_t *,
                         const uint64_t *, const int *, const int *, uint32_t,
                         uint32_t, const uint32_t *, int, int, int,
                         int) = nullptr;

  bool open(std::string &error) {
    library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library) {
      error = "no CUDA device: libcuda.so.1 cannot be opened";
      return false;
    }
    auto get = [&](auto &function, const char *name) {
      void *symbol = dlsym(library, name);
      std::memcpy(&function, &symbol, sizeof symbol);
      if (!symbol && error.empty())
        error = std::string("the driver has no ") + name;
    };
    get(init, "cuInit");
    get(driverVersion, "cuDriverGetVersion");
    get(deviceGet, "cuDeviceGet");
    get(deviceAttribute, "cuDeviceGetAttribute");
    get(contextRetain, "cuDevicePrimaryCtxRetain");
    get(contextSet, "cuCtxSetCurrent");
    get(moduleLoad, "cuModuleLoadData");
    get(moduleUnload, "cuModuleUnload");
    get(moduleFunction, "cuModuleGetFunction");
    get(moduleGlobal, "cuModuleGetGlobal_v2");
    get(allocate, "cuMemAlloc_v2");
    get(toDevice, "cuMemcpyHtoD_v2");
    get(toHost, "cuMemcpyDtoH_v2");
    get(free, "cuMemFree_v2");
    get(functionAttribute, "cuFuncSetAttribute");
    get(launch, "cuLaunchKernelEx");
    get(synchronize, "cuCtxSynchronize");
    get(errorName, "cuGetErrorName");
    bool isUsable = error.empty();
    get(encodeTiled, "cuTensorMapEncodeTiled");
    get(encodeIm2col, "cuTensorMapEncodeIm2col");
    return isUsable;
  }
};

struct DeviceBuffer {
  const BufferSpec *spec = nullptr;
  DevicePtr base = 0;
  uint64_t total = 0, before = 0, bytes = 0; ///< Guards around the span.
  emu::Region region;
  bool isGlobal = false;
};

class CudaRun {
public:
  CudaRun(const Options &options, const Case &c, Outcome &out)
      : options(options), c(c), out(out) {}

  ~CudaRun() {
    for (auto &b : buffers)
      if (b->base && !b->isGlobal)
        driver.free(b->base);
    if (workspace)
      driver.free(workspace);
    if (module)
      driver.moduleUnload(module);
  }

  void run() {
    std::string error;
    void *context = nullptr;
    if (!driver.open(error))
      return out.fail(error);
    if (!check(driver.init(0), "cuInit") ||
        !check(driver.deviceGet(&device, 0), "cuDeviceGet") ||
        !check(driver.contextRetain(&context, device),
               "cuDevicePrimaryCtxRetain") ||
        !check(driver.contextSet(context), "cuCtxSetCurrent") || !load() ||
        !place() || !arguments() || !hidden())
      return;
    launchKernel();
  }

private:
  bool check(Result result, const char *what) {
    if (result == 0)
      return true;
    const char *name = nullptr;
    driver.errorName(result, &name);
    out.fail(std::string(what) + ": " + (name ? name : "unknown error"));
    return false;
  }

  /// Loads PTX or a cubin; Tile IR is compiled first.
  bool load() {
    std::string path = c.resolve(c.kernel), error, image, arch = options.arch;
    if (arch.empty())
      arch = c.arch;
    if (!readText(path, image, error)) {
      out.fail(error);
      return false;
    }
    std::optional<KernelForm> form = formOfKernel(image);
    if (form == KernelForm::FatBinary)
      return loadFatBinary(path, image);
    bool isText = form == KernelForm::TileText;
    if (form == KernelForm::TileIR || isText) {
      if (arch.empty()) {
        out.fail("give --arch, or 'arch' in the case, to compile for");
        return false;
      }
      char name[] = "/tmp/tileir-run.XXXXXX";
      int fd = mkstemp(name);
      if (fd < 0) {
        out.fail("cannot make a temporary file");
        return false;
      }
      close(fd);
      int release = 0;
      bool knowsTiles =
          driver.driverVersion(&release) == 0 && release >= kTileRelease;
      // The compiler has read its input before it writes.
      bool ok = (!isText || makeBytecode(path, name, error)) &&
                compileKernel(options, isText ? name : path, arch, "cubin",
                              name, error, "", knowsTiles ? "" : "plain") &&
                readText(name, image, error);
      unlink(name);
      if (!ok) {
        out.fail(error);
        return false;
      }
    }
    out.ptxFile = path;
    std::string entry = c.entry;
    if (form == KernelForm::PTX) {
      emu::Module module;
      std::string text = image;
      if (!emu::parsePtx(text, module, error)) {
        out.fail(path + ": " + error);
        return false;
      }
      for (auto &f : module.functions)
        if (f->isEntry && (entry.empty() || f->name == entry)) {
          entry = f->name;
          if (f->reqntidGiven)
            block = f->reqntid;
          clusterInKernel = f->cluster[0] != 0;
          if (f->cluster[0] && c.gridInClusters && !f->blocksAreClusters)
            scale = f->cluster;
        }
    }
    if (!describe(image, entry, error)) {
      out.fail(error);
      return false;
    }
    if (c.block)
      block = *c.block;
    if (entry.empty()) {
      out.fail("'entry': missing; a cubin needs the kernel's name");
      return false;
    }
    image.push_back(0);
    return check(driver.moduleLoad(&module, image.data()),
                 "cuModuleLoadData") &&
           check(driver.moduleFunction(&function, module, entry.c_str()),
                 "cuModuleGetFunction");
  }

  /// Loads the container that has the kernel; the driver picks the image.
  bool loadFatBinary(const std::string &path, const std::string &bytes) {
    std::vector<FatContainer> containers;
    std::string error;
    if (!readFatBinary(bytes, containers, error)) {
      out.fail("'" + path + "': " + error);
      return false;
    }
    out.ptxFile = path;
    if (c.entry.empty()) {
      out.fail("'entry': missing; a fat binary needs the kernel's name");
      return false;
    }
    for (const FatContainer &container : containers) {
      if (driver.moduleLoad(&module, container.bytes.data()) != 0)
        continue;
      if (driver.moduleFunction(&function, module, c.entry.c_str()) == 0) {
        if (c.block)
          block = *c.block;
        return true;
      }
      driver.moduleUnload(module);
      module = nullptr;
    }
    out.fail("'" + path + "' holds no image for this GPU with entry '" +
             c.entry + "'; it has " + listImages(containers));
    return false;
  }

  /// Reads the sidecar of a plain kernel: the file that is given, or the note
  /// that the cubin carries.
  bool describe(const std::string &image, std::string &entry,
                std::string &error) {
    std::string note = elf::findNote(image, ".note.tileir.launch", "TileIR");
    if (options.sidecar.empty() && note.empty()) {
      std::string object;
      int release = 0;
      if (!elf::findSection(image, ".nv.host", object) || object.empty() ||
          driver.driverVersion(&release) != 0 || release >= kTileRelease)
        return true;
      error = "the driver, of CUDA " + std::to_string(release / 1000) + "." +
              std::to_string(release % 1000 / 10) +
              ", launches no tile kernels; compile with --launch-abi=plain";
      return false;
    }
    if (options.sidecar.empty()
            ? !sidecar.read(note, entry, error)
            : !sidecar.readFile(options.sidecar, entry, error))
      return false;
    entry = sidecar.entry;
    block = sidecar.block;
    scale = sidecar.cluster;
    clusterInKernel = true;
    sharedBytes = sidecar.dynamicSharedBytes;
    return true;
  }

  bool placeBuffer(const BufferSpec &spec, bool isGlobal) {
    auto b = std::make_unique<DeviceBuffer>();
    b->spec = &spec;
    BufferImage image;
    std::string error;
    if (!materialize(spec, c.directory, used, image, error)) {
      out.fail(error);
      return false;
    }
    // A GPU has no sparse memory.
    if (!fitsMemory(image.bytes)) {
      out.fail("'" + spec.where + "': a buffer of " +
               std::to_string(image.bytes) +
               " bytes does not fit into the memory of this machine; make "
               "'shape' or 'strides' smaller, or use --device=emulated");
      return false;
    }
    b->bytes = image.bytes;
    b->isGlobal = isGlobal;
    uint64_t shift = storageBytes(spec.dtype, size_t(spec.offset));
    if (isGlobal) {
      size_t size = 0;
      if (!check(
              driver.moduleGlobal(&b->base, &size, module, spec.name.c_str()),
              "cuModuleGetGlobal"))
        return false;
      if (size < b->bytes) {
        out.fail("'" + spec.where + "': '" + spec.name + "' has " +
                 std::to_string(size) + " bytes only");
        return false;
      }
      b->total = b->bytes;
      std::vector<uint8_t> all(b->bytes, image.fill);
      storeElements(spec, image, all.data(), nullptr);
      if (!spec.init.empty() &&
          !check(driver.toDevice(b->base, all.data(), b->bytes),
                 "cuMemcpyHtoD"))
        return false;
      buffers.push_back(std::move(b));
      return true;
    }
    uint64_t guard = storageBytes(spec.dtype, size_t(spec.pad));
    uint64_t align = std::max<uint64_t>(spec.align, 256);
    b->before = (guard + align - 1) / align * align + shift;
    b->total = b->before + b->bytes + guard;
    std::vector<uint8_t> all(b->total, kGuard);
    std::fill_n(all.begin() + long(b->before), b->bytes, image.fill);
    storeElements(spec, image, all.data() + b->before, nullptr);
    if (!check(driver.allocate(&b->base, b->total), "cuMemAlloc") ||
        !check(driver.toDevice(b->base, all.data(), b->total), "cuMemcpyHtoD"))
      return false;
    buffers.push_back(std::move(b));
    return true;
  }

  DeviceBuffer *find(const std::string &name) {
    for (auto &b : buffers)
      if (b->spec->name == name)
        return b.get();
    out.fail("no buffer is called '" + name + "'");
    return nullptr;
  }

  bool place() {
    for (const Arg &a : c.args)
      if (a.kind == Arg::Kind::Buffer && !placeBuffer(a.buffer, false))
        return false;
    for (const BufferSpec &b : c.buffers)
      if (!placeBuffer(b, false))
        return false;
    for (const BufferSpec &g : c.globals)
      if (!placeBuffer(g, true))
        return false;
    for (auto &b : buffers)
      for (const Relocation &r : b->spec->relocations) {
        DeviceBuffer *to = find(r.buffer);
        if (!to)
          return false;
        uint64_t value = to->base + to->before + uint64_t(r.addend);
        if (!check(driver.toDevice(b->base + b->before + r.offset, &value, 8),
                   "cuMemcpyHtoD"))
          return false;
      }
    return true;
  }

  bool arguments() {
    // 128 bytes, aligned to 64, for each argument: a map or less; structs have
    // their own store.
    values.resize(c.args.size());
    for (size_t k = 0; k < c.args.size(); ++k) {
      const Arg &a = c.args[k];
      auto &v = values[k];
      switch (a.kind) {
      case Arg::Kind::Scalar:
        v.resize(1);
        std::memcpy(v.data(), &a.bits, 8);
        break;
      case Arg::Kind::Buffer: {
        DeviceBuffer *b = find(a.buffer.name);
        v.resize(1);
        uint64_t address = b->base + b->before;
        std::memcpy(v.data(), &address, 8);
        break;
      }
      case Arg::Kind::Struct: {
        v.resize((a.bytes + 63) / 64 + 1);
        auto *at = reinterpret_cast<uint8_t *>(v.data());
        for (const StructField &f : a.fields) {
          if (!f.buffer.empty()) {
            DeviceBuffer *b = find(f.buffer);
            if (!b)
              return false;
            uint64_t address = b->base + b->before + uint64_t(f.addend);
            std::memcpy(at + f.offset, &address, 8);
            continue;
          }
          for (size_t e = 0; e < f.values.size(); ++e)
            storeBits(f.dtype, at + f.offset, e, f.values[e]);
        }
        break;
      }
      case Arg::Kind::TensorMap: {
        v.resize(2);
        DeviceBuffer *b = find(a.map.buffer);
        emu::TensorMap map;
        std::string why;
        if (!b)
          return false;
        if (!emu::makeTensorMap(a.map,
                                b->base + b->before + uint64_t(a.map.offset),
                                map, why)) {
          out.fail("'" + a.where + ".tensor_map': " + why);
          return false;
        }
        if (!encode(map, v.data(), "'" + a.where + ".tensor_map'"))
          return false;
        break;
      }
      }
    }
    return true;
  }

  /// Has the driver write the 128 bytes of a tensor map.
  bool encode(const emu::TensorMap &map, void *bytes,
              const std::string &where) {
    // CUtensorMapDataType, …Swizzle.
    static const int types[] = {0, 1, 2, 3, 4, 5, 6, 7, 10, 8, 9, 13, 14, 15};
    int type = types[map.format];
    if (map.roundToTf32)
      type = map.format == 7 ? 11 : 12;
    int swizzle =
        map.swizzle == 3 && map.atomicity ? 3 + map.atomicity : map.swizzle;
    if (map.swizzle == 4 || map.wide) {
      out.fail(where + ": this mode has no encoder here; run this case with "
                       "--device=emulated");
      return false;
    }
    if (map.im2col ? !driver.encodeIm2col : !driver.encodeTiled) {
      out.fail(where + ": the driver knows no tensor maps");
      return false;
    }
    const char *name =
        map.im2col ? "cuTensorMapEncodeIm2col" : "cuTensorMapEncodeTiled";
    Result result =
        map.im2col
            ? driver.encodeIm2col(bytes, type, uint32_t(map.rank), map.address,
                                  map.dims, map.strides + 1, map.lower,
                                  map.upper, map.box[0], map.pixels,
                                  map.elementStrides, map.interleave, swizzle,
                                  map.l2Promotion, map.fillNaN)
            : driver.encodeTiled(bytes, type, uint32_t(map.rank), map.address,
                                 map.dims, map.strides + 1, map.box,
                                 map.elementStrides, map.interleave, swizzle,
                                 map.l2Promotion, map.fillNaN);
    return check(result, (where + ": " + name).c_str());
  }

  /// Fills the parameters of a plain kernel that its sidecar calls hidden.
  bool hidden() {
    size_t given = values.size(), all = sidecar.parameters.size();
    if (all && given != sidecar.visible && given != all) {
      out.fail("'args': '" + sidecar.entry + "' has " +
               std::to_string(sidecar.visible) +
               " parameters, the case gives " + std::to_string(given));
      return false;
    }
    if (given < all) {
      std::vector<uint8_t> bytes(sidecar.blockBytes, 0);
      for (size_t k = 0; k < given; ++k) {
        const Sidecar::Parameter &p = sidecar.parameters[k];
        std::memcpy(&bytes[p.offset], values[k].data(),
                    std::min(p.size, values[k].size() * sizeof(Line)));
      }
      std::string error;
      if (!allocateWorkspace(bytes))
        return false;
      auto write = [&](emu::TensorMap map, uint8_t *at, std::string &) {
        // The kernel asks for emptiness itself, the driver has no word for it.
        for (uint64_t &extent : map.dims)
          extent = std::max<uint64_t>(extent, 1);
        return encode(map, at, "a hidden tensor map");
      };
      if (!sidecar.fillMaps(bytes, write, error)) {
        // The encoder has told its own error.
        if (!error.empty())
          out.fail(error);
        return false;
      }
      for (size_t k = given; k < all; ++k) {
        const Sidecar::Parameter &p = sidecar.parameters[k];
        values.emplace_back((p.size + sizeof(Line) - 1) / sizeof(Line));
        std::memcpy(values.back().data(), &bytes[p.offset], p.size);
      }
    }
    for (auto &v : values)
      pointers.push_back(v.data());
    return true;
  }

  bool allocateWorkspace(std::vector<uint8_t> &bytes) {
    for (const Sidecar::Parameter &p : sidecar.parameters) {
      if (p.kind != "workspace")
        continue;
      int processors = 0;
      if (!check(driver.deviceAttribute(&processors, kProcessors, device),
                 "cuDeviceGetAttribute"))
        return false;
      std::vector<uint8_t> zeros(
          sidecar.workspaceBytesPerSM * uint64_t(processors), 0);
      if (!check(driver.allocate(&workspace, zeros.size()), "cuMemAlloc") ||
          !check(driver.toDevice(workspace, zeros.data(), zeros.size()),
                 "cuMemcpyHtoD"))
        return false;
      std::memcpy(&bytes[p.offset], &workspace, 8);
    }
    return true;
  }

  void launchKernel() {
    LaunchConfig config{};
    LaunchAttribute cluster{};
    for (int a = 0; a < 3; ++a) {
      config.grid[a] = c.grid[a] * scale[a];
      config.block[a] = block[a];
    }
    if (c.sharedBytes)
      sharedBytes = c.sharedBytes;
    config.sharedBytes = unsigned(sharedBytes);
    if (c.cluster && !clusterInKernel) {
      cluster.id = kClusterDimension;
      unsigned total = 1;
      for (int a = 0; a < 3; ++a) {
        cluster.value.dimensions[a] = (*c.cluster)[a];
        total *= (*c.cluster)[a];
        if (c.gridInClusters)
          config.grid[a] *= (*c.cluster)[a];
      }
      if (total > 8)
        driver.functionAttribute(function, kNonPortableCluster, 1);
      config.attributes = &cluster;
      config.count = 1;
    }
    if (sharedBytes > 48 * 1024 &&
        !check(driver.functionAttribute(function, kMaxDynamicShared,
                                        int(sharedBytes)),
               "cuFuncSetAttribute"))
      return;
    if (!check(driver.launch(&config, function, pointers.data(), nullptr),
               "cuLaunchKernelEx"))
      return;
    Result result = driver.synchronize();
    if (result != 0) {
      const char *name = nullptr;
      driver.errorName(result, &name);
      emu::Finding f;
      f.kind = emu::FindingKind::Trap;
      f.message = std::string("the kernel failed: ") + (name ? name : "?");
      out.findings.push_back(f);
      out.outcome = "fault";
      out.lostDevice = true;
      return;
    }
    std::vector<Placed> placed;
    for (auto &b : buffers) {
      std::vector<uint8_t> all(b->total);
      if (!check(driver.toHost(all.data(), b->base, b->total), "cuMemcpyDtoH"))
        return;
      if (!b->isGlobal)
        guards(*b, all);
      b->region.data.assign(b->bytes, 0);
      std::copy_n(all.begin() + long(b->before), b->bytes,
                  b->region.data.begin());
      b->region.size = b->bytes;
      placed.push_back({b->spec, &b->region, 0});
    }
    finishOutputs(options, c, placed, out);
  }

  void guards(const DeviceBuffer &b, const std::vector<uint8_t> &all) {
    for (uint64_t k = 0; k < b.total; ++k) {
      bool inside = k >= b.before && k < b.before + b.bytes;
      if (inside || all[k] == kGuard)
        continue;
      emu::Finding f;
      f.kind = emu::FindingKind::Bounds;
      f.message = "write outside '" + b.spec->name + "' at byte " +
                  std::to_string(int64_t(k) - int64_t(b.before));
      out.findings.push_back(f);
      out.outcome = "fault";
      return;
    }
  }

  struct alignas(64) Line {
    uint8_t bytes[64] = {};
  };

  const Options &options;
  const Case &c;
  Outcome &out;
  Driver driver;
  Sidecar sidecar;
  int device = 0;
  DevicePtr workspace = 0;
  uint64_t sharedBytes = 0;
  void *module = nullptr, *function = nullptr;
  bool clusterInKernel = false;
  std::array<uint32_t, 3> block{1, 1, 1}, scale{1, 1, 1};
  std::vector<std::unique_ptr<DeviceBuffer>> buffers;
  uint64_t used = 0; ///< Bytes of memory that the contents of buffers cost.
  std::vector<std::vector<Line>> values;
  std::vector<void *> pointers;
};

} // namespace

void runCuda(const Options &options, const Case &c, Outcome &out) {
  CudaRun(options, c, out).run();
}

} // namespace tileir::launch
