// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/launch/KernelAbi.h"
#include "dialects/launch/Serializable.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tileir;

namespace {

class KernelAbi : public ::testing::Test {
protected:
  KernelAbi() {
    DialectRegistry registry;
    registry.insert<gpu::GPUDialect, LLVM::LLVMDialect, NVVM::NVVMDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// Parses a module and returns its only gpu.module.
  gpu::GPUModuleOp parse(StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    return *module->getOps<gpu::GPUModuleOp>().begin();
  }

  LLVM::LLVMFuncOp kernel(gpu::GPUModuleOp gpuModule, StringRef name) {
    return gpuModule.lookupSymbol<LLVM::LLVMFuncOp>(name);
  }

  /// The first error of `verifySerializable`, empty without one.
  std::string firstError(StringRef text) {
    gpu::GPUModuleOp gpuModule = parse(text);
    std::string message;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (message.empty())
        message = diagnostic.str();
    });
    EXPECT_EQ(failed(verifySerializable(gpuModule)), !message.empty());
    return message;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

} // namespace

TEST_F(KernelAbi, identifiers) {
  for (const char *name : {"k", "K1", "_k", "$k", "k$1", "a_b"})
    EXPECT_TRUE(isPtxIdentifier(name)) << name;
  for (const char *name : {"", "_", "$", "1k", "k.1", "k-1", "%k", "k\xc3\xa9"})
    EXPECT_FALSE(isPtxIdentifier(name)) << name;
}

TEST_F(KernelAbi, blockOfOneKernelOnThreeTargets) {
  gpu::GPUModuleOp gpuModule = parse(R"(
    gpu.module @m {
      llvm.func @k(%p: !llvm.ptr<1>, %b: i1, %h: f16, %n: i32, %d: f64,
          %w: !llvm.ptr<1> {tileir.hidden = "workspace"},
          %t: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant, tileir.hidden = "tensormap"})
          attributes {nvvm.kernel} { llvm.return }
    })");
  struct {
    const char *target;
    int64_t map, bytes;
  } cases[] = {
      {"sm_80", 0x20, 0xa0}, {"sm_90a", 0x30, 0xb0}, {"sm_100a", 0x40, 0xc0}};
  for (auto &[name, map, bytes] : cases) {
    FailureOr<ParameterBlock> block =
        parameterBlock(kernel(gpuModule, "k"), *Target::parse(name));
    ASSERT_TRUE(succeeded(block));
    int64_t offsets[] = {0, 8, 10, 12, 16, 24, map};
    int64_t sizes[] = {8, 1, 2, 4, 8, 8, 128};
    for (unsigned i = 0; i != 7; ++i) {
      EXPECT_EQ(block->parameters[i].offset, offsets[i]) << name << ' ' << i;
      EXPECT_EQ(block->parameters[i].size, sizes[i]) << name << ' ' << i;
    }
    EXPECT_EQ(block->visibleBytes, 24) << name;
    EXPECT_EQ(block->bytes, bytes) << name;
    EXPECT_TRUE(block->hasWorkspace());
    EXPECT_EQ(block->tensorMaps(), 1u);
  }
}

TEST_F(KernelAbi, aggregatesByValue) {
  gpu::GPUModuleOp gpuModule = parse(R"(
    gpu.module @m {
      llvm.func @k(%n: i8, %s: !llvm.ptr {llvm.byval = !llvm.struct<(i8, struct<packed (i8, i64)>, i32)>, llvm.align = 4 : i64}, %v: vector<2xf32>)
          attributes {nvvm.kernel} { llvm.return }
    })");
  FailureOr<ParameterBlock> block =
      parameterBlock(kernel(gpuModule, "k"), *Target::parse("sm_80"));
  ASSERT_TRUE(succeeded(block));
  EXPECT_EQ(block->parameters[1].offset, 4);
  EXPECT_EQ(block->parameters[1].size, 16);
  EXPECT_TRUE(block->parameters[1].byValue);
  EXPECT_EQ(block->parameters[2].offset, 24);
  EXPECT_EQ(block->bytes, 32);
}

TEST_F(KernelAbi, sharedBytesAreThoseThatTheKernelReaches) {
  gpu::GPUModuleOp gpuModule = parse(R"(
    gpu.module @m {
      llvm.mlir.global internal @a() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<100 x i8>
      llvm.mlir.global internal @b() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<32 x f32>
      llvm.mlir.global internal @unused() {addr_space = 3 : i32} : !llvm.array<999 x i8>
      llvm.mlir.global external @dynamic() {addr_space = 3 : i32} : !llvm.array<0 x i8>
      llvm.mlir.global internal @global() {addr_space = 1 : i32} : !llvm.array<77 x i8>
      llvm.func @helper() {
        %0 = llvm.mlir.addressof @b : !llvm.ptr<3>
        llvm.return
      }
      llvm.func @k() attributes {nvvm.kernel} {
        %0 = llvm.mlir.addressof @a : !llvm.ptr<3>
        %1 = llvm.mlir.addressof @dynamic : !llvm.ptr<3>
        %2 = llvm.mlir.addressof @global : !llvm.ptr<1>
        llvm.call @helper() : () -> ()
        llvm.return
      }
      llvm.func @none() attributes {nvvm.kernel} { llvm.return }
    })");
  EXPECT_EQ(staticSharedBytes(kernel(gpuModule, "k")), 128 + 128);
  EXPECT_EQ(staticSharedBytes(kernel(gpuModule, "none")), 0);
}

TEST_F(KernelAbi, moduleTargetTakesTheMostSpecificSource) {
  auto name = [&](StringRef attrs) {
    gpu::GPUModuleOp gpuModule =
        parse(("gpu.module @m " + attrs + " {}").str());
    FailureOr<Target> target = moduleTarget(gpuModule);
    return succeeded(target) ? target->name() : std::string();
  };
  ScopedDiagnosticHandler silence(&context, [](Diagnostic &) {});
  EXPECT_EQ(name("[#nvvm.target<chip = \"sm_80\">] attributes "
                 "{nv_tileaa.target_spec = \"sm_90a\", "
                 "nv_tileaa.compute_capability = 100 : i32}"),
            "sm_90a");
  EXPECT_EQ(name("[#nvvm.target<chip = \"sm_80\">] attributes "
                 "{nv_tileaa.compute_capability = 100 : i32}"),
            "sm_100");
  EXPECT_EQ(name("[#nvvm.target<chip = \"sm_80\">]"), "sm_80");
  EXPECT_EQ(name("attributes {nv_tileaa.target_spec = \"sm_66\"}"), "");
  EXPECT_EQ(name(""), "");
}

TEST_F(KernelAbi, serializableModule) {
  EXPECT_EQ(firstError(R"(
    gpu.module @m [#nvvm.target<chip = "sm_90a">] attributes {tileir.launch_abi = "tile"} {
      llvm.func internal @h() { llvm.return }
      llvm.func @k(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
        %0 = nvvm.read.ptx.sreg.tid.x : i32
        llvm.return
      }
    })"),
            "");
}

TEST_F(KernelAbi, whatCannotBeSerialized) {
  EXPECT_EQ(firstError("gpu.module @m {}"),
            "gpu.module 'm' has no target attribute");
  EXPECT_EQ(firstError("gpu.module @m [#nvvm.target, #nvvm.target<O = 3>] {}"),
            "gpu.module 'm' carries 2 targets");
  EXPECT_EQ(firstError(R"(gpu.module @m [#nvvm.target] {
      gpu.func @k() kernel { gpu.return }
    })"),
            "operation 'gpu.func' cannot be serialized; run the full tileir "
            "pipeline");
  EXPECT_EQ(firstError(R"(gpu.module @m [#nvvm.target] {
      llvm.func @k() -> i32 attributes {nvvm.kernel} {
        %0 = llvm.mlir.constant(0 : i32) : i32
        llvm.return %0 : i32
      }
    })"),
            "kernel 'k' must not return a value");
  EXPECT_EQ(firstError(R"(gpu.module @m [#nvvm.target] {
      llvm.func internal @k() attributes {nvvm.kernel} { llvm.return }
    })"),
            "kernel 'k' needs external linkage");
  EXPECT_EQ(firstError(R"(gpu.module @m [#nvvm.target] {
      llvm.func @k() attributes {nvvm.kernel}
    })"),
            "kernel 'k' has no body");
  EXPECT_EQ(firstError(R"(gpu.module @m [#nvvm.target] {
      llvm.func @"k-1"() attributes {nvvm.kernel} { llvm.return }
    })"),
            "kernel symbol name 'k-1' is not a valid PTX identifier");
  EXPECT_EQ(
      firstError(
          R"(gpu.module @m [#nvvm.target] attributes {tileir.launch_abi = "other"} {})"),
      "'tileir.launch_abi' expects 'tile' or 'plain', got \"other\"");
  EXPECT_EQ(firstError(R"(gpu.module @m [#nvvm.target] {
      llvm.func @k(%w: !llvm.ptr<1> {tileir.hidden = "workspace"}, %n: i32)
          attributes {nvvm.kernel} { llvm.return }
    })"),
            "visible parameter 1 follows a hidden one; hidden parameters come "
            "last");
  EXPECT_EQ(firstError(R"(gpu.module @m [#nvvm.target] {
      llvm.func @k(%w: !llvm.ptr {tileir.hidden = "tensormap"})
          attributes {nvvm.kernel} { llvm.return }
    })"),
            "hidden tensor map 0 needs 'llvm.byval' of 128 bytes, 'llvm.align "
            "= 64' and 'nvvm.grid_constant'");
}
