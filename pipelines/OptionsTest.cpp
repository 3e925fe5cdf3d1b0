// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pipelines/Options.h"

#include "gtest/gtest.h"

using namespace tileir;

namespace {

/// Parses options, with the layers below a driver's.
std::unique_ptr<TileIRPipelineOptions> parse(llvm::StringRef text) {
  auto options = TileIRPipelineOptions::createFromString(text);
  EXPECT_TRUE(options) << text.str();
  applyFrontEndDefaults(*options);
  applyPipelineDefaults(*options);
  return options;
}

/// The messages of `validate`, one a line.
std::string problems(llvm::StringRef text) {
  std::string result;
  auto options = parse(text);
  bool ok = succeeded(options->validate(
      [&](const llvm::Twine &message) { result += message.str() + "\n"; }));
  EXPECT_EQ(ok, result.empty());
  return result;
}

} // namespace

/// PK-52: an explicit value overrides the preset, which overrides the defaults.
TEST(Options, preset) {
  auto o = parse("preset=tileiras compute-capability=sm_90 "
                 "pipeline-strategy=unspecialize");
  applyPreset(*o);
  EXPECT_EQ(o->optLevel, 3);
  EXPECT_EQ(o->v2OptLevel, 3);
  EXPECT_EQ(o->pipelineStrategy.getValue(), "unspecialize");
  o = parse("preset=tileiras compute-capability=sm_90 debuginfo-level=full");
  applyPreset(*o);
  EXPECT_EQ(o->pipelineStrategy.getValue(), "none");
  EXPECT_EQ(o->debuginfoLevel.getValue(), "full");
  o = parse("preset=tileiras compute-capability=sm_80 v2-opt-level=1");
  applyPreset(*o);
  EXPECT_EQ(o->v2OptLevel, 1);
  EXPECT_EQ(o->pipelineStrategy.getValue(), "unspecialize");
  o = parse("");
  applyPreset(*o);
  EXPECT_EQ(o->optLevel, 2);
}

TEST(Options, pipelineDefaults) {
  auto o = parse("");
  EXPECT_EQ(o->numWarps, 4);
  EXPECT_EQ(o->numCtas, 1);
  EXPECT_EQ(o->computeCapability.getValue(), "");
  EXPECT_EQ(o->optLevel, 2);
  EXPECT_EQ(o->v2OptLevel, 0);
  EXPECT_EQ(o->pipelineStrategy.getValue(), "none");
  EXPECT_EQ(o->indexBitwidth, 32);
  EXPECT_EQ(o->unspecializedPipelineNumStages, 4);
  EXPECT_FALSE(o->approx);
  EXPECT_FALSE(o->ftz);
  EXPECT_FALSE(o->useNvgpucompLibnvvm);
  EXPECT_EQ(o->emitLineInfo.getValue(), "none");
  EXPECT_FALSE(o->dynamicPersistent);
  EXPECT_EQ(o->scheduleTraceFile.getValue(), "");
  EXPECT_FALSE(o->enableRandomDelay);
  EXPECT_EQ(o->rrtSizeThreshold, 4096u);
  EXPECT_EQ(o->maxConstraintIterations, 10u);
  EXPECT_FALSE(o->enableDebugLogging);
  EXPECT_EQ(o->hostTriple.getValue(), "native");
  EXPECT_EQ(o->dumpHost.getValue(), "");
  EXPECT_EQ(o->launchAbi.getValue(), "tile");
  EXPECT_EQ(o->archSuffix.getValue(), "accelerated");
  EXPECT_EQ(o->debuginfoLevel.getValue(), "none");
  EXPECT_FALSE(o->launcherStubs);
  EXPECT_EQ(o->launcherApi.getValue(), "driver");
  EXPECT_TRUE(o->orderBlocks);
  EXPECT_TRUE(o->specializeAgents);
  EXPECT_EQ(problems(""), "");
}

TEST(Options, textWinsAndTheLastOccurrenceCounts) {
  auto o = parse("num-warps=8 num-warps=16 approx ftz=1 launcher-stubs=true "
                 "compute-capability=sm_90a dump-host=-");
  EXPECT_EQ(o->numWarps, 16);
  EXPECT_TRUE(o->approx);
  EXPECT_TRUE(o->ftz);
  EXPECT_TRUE(o->launcherStubs);
  EXPECT_EQ(o->computeCapability.getValue(), "sm_90a");
  EXPECT_EQ(o->dumpHost.getValue(), "-");
}

TEST(Options, driverOverwritesThePipelineButNotTheText) {
  DriverFlags flags;
  flags.gpuName = "sm_100";
  flags.lineInfo = true;
  flags.hostTriple = "aarch64-unknown-linux-gnu";
  flags.launchAbi = "plain";
  flags.archSuffix = "minimal";
  flags.launcherStubs = flags.approx = flags.ftz = true;
  auto o = parse("pipeline-strategy=none v2-opt-level=1");
  applyDriverDefaults(*o, flags);
  EXPECT_EQ(o->optLevel, 3);
  EXPECT_EQ(o->computeCapability.getValue(), "sm_100");
  EXPECT_EQ(o->pipelineStrategy.getValue(), "none");
  EXPECT_EQ(o->v2OptLevel, 1);
  EXPECT_EQ(o->debuginfoLevel.getValue(), "debug-directives");
  EXPECT_EQ(o->emitLineInfo.getValue(), "none");
  EXPECT_EQ(o->hostTriple.getValue(), "aarch64-unknown-linux-gnu");
  EXPECT_EQ(o->launchAbi.getValue(), "plain");
  EXPECT_EQ(o->archSuffix.getValue(), "minimal");
  EXPECT_TRUE(o->launcherStubs);
  EXPECT_TRUE(o->approx);
  EXPECT_TRUE(o->ftz);
  EXPECT_EQ(o->numWarps, 4);
}

TEST(Options, driverEffort) {
  struct {
    int level;
    const char *gpu;
    bool debug;
    const char *strategy;
    int v2;
    bool makesAgents;
  } cases[] = {{0, "sm_90", false, "none", 0, false},
               {1, "sm_90", false, "unspecialize", 1, false},
               // Single threads issue MMAs on this target, at every effort.
               {1, "sm_100", false, "warp-specialize", 1, false},
               {2, "sm_90", false, "warp-specialize", 2, true},
               {3, "sm_120", false, "warp-specialize", 3, true},
               {3, "sm_89", false, "unspecialize", 3, false},
               {0, "sm_90", true, "none", 0, false}};
  for (auto &c : cases) {
    DriverFlags flags;
    flags.optLevel = c.level;
    flags.gpuName = c.gpu;
    flags.deviceDebug = c.debug;
    auto o = parse("");
    applyDriverDefaults(*o, flags);
    EXPECT_EQ(o->optLevel, 3);
    EXPECT_EQ(o->pipelineStrategy.getValue(), c.strategy) << c.level << c.gpu;
    EXPECT_EQ(o->v2OptLevel, c.v2);
    EXPECT_EQ(o->makesAgents(), c.makesAgents) << c.level << c.gpu;
    EXPECT_FALSE(o->isLight());
    EXPECT_EQ(o->debuginfoLevel.getValue(), c.debug ? "full" : "none");
    EXPECT_EQ(o->hostTriple.getValue(), "native");
  }
}

TEST(Options, strategiesAndTheirAliases) {
  using Strategy = TileIRPipelineOptions::Strategy;
  struct {
    const char *text;
    Strategy strategy;
  } cases[] = {
      {"none", Strategy::None},
      {"unspecialize", Strategy::Unspecialize},
      {"unspecialized", Strategy::Unspecialize},
      {"warp-specialize", Strategy::WarpSpecialize},
      {"warp-specialized", Strategy::WarpSpecialize},
  };
  for (auto &c : cases) {
    std::string text = std::string("pipeline-strategy=") + c.text;
    EXPECT_EQ(problems(text), "");
    EXPECT_EQ(parse(text)->strategy(), c.strategy) << c.text;
  }
}

TEST(Options, everyBadValue) {
  const char *targets = "one of sm_80, sm_86, sm_87, sm_88, sm_89, sm_90, "
                        "sm_100, sm_103, sm_107, sm_110, sm_120, sm_121";
  struct {
    const char *name, *value;
    std::string set;
  } cases[] = {
      {"num-warps", "0", "a power of two from 1 to 32"},
      {"num-warps", "3", "a power of two from 1 to 32"},
      {"num-warps", "64", "a power of two from 1 to 32"},
      {"num-warps", "-4", "a power of two from 1 to 32"},
      {"num-ctas", "3", "one of 1, 2, 4, 8, 16"},
      {"num-ctas", "32", "one of 1, 2, 4, 8, 16"},
      {"compute-capability", "sm_75", targets},
      {"compute-capability", "sm_101", targets},
      {"compute-capability", "sm_90f", targets},
      {"compute-capability", "hopper", targets},
      {"opt-level", "4", "0 to 3"},
      {"opt-level", "-1", "0 to 3"},
      {"v2-opt-level", "4", "0 to 3"},
      {"pipeline-strategy", "some",
       "one of 'none', 'unspecialize', 'warp-specialize'"},
      {"index-bitwidth", "16", "32 or 64"},
      {"unspecialized-pipeline-num-stages", "65", "0 to 64"},
      {"unspecialized-pipeline-num-stages", "-1", "0 to 64"},
      {"emit-line-info", "all", "one of 'none', 'frontend', 'tileas-boundary'"},
      {"max-constraint-iterations", "0", "1 or more"},
      {"launch-abi", "simt", "one of 'tile', 'plain'"},
      {"arch-suffix", "a", "one of 'accelerated', 'minimal'"},
      {"debuginfo-level", "lines",
       "one of 'none', 'full', 'line-tables', 'debug-directives'"},
      {"launcher-api", "vulkan", "one of 'driver', 'runtime'"},
  };
  for (auto &c : cases)
    EXPECT_EQ(problems(std::string(c.name) + "=" + c.value),
              std::string("invalid value '") + c.value +
                  "' for pipeline option '" + c.name + "'; expected " + c.set +
                  "\n");
}

TEST(Options, everyGoodValue) {
  for (const char *text : {"num-warps=1",
                           "num-warps=32",
                           "num-ctas=16",
                           "compute-capability=sm_88",
                           "compute-capability=sm_90a",
                           "compute-capability=sm_121f",
                           "opt-level=0",
                           "opt-level=3",
                           "v2-opt-level=3",
                           "index-bitwidth=64",
                           "unspecialized-pipeline-num-stages=0",
                           "unspecialized-pipeline-num-stages=64",
                           "emit-line-info=frontend",
                           "emit-line-info=tileas-boundary",
                           "rrt-size-threshold=0",
                           "rrt-size-threshold=4294967295",
                           "max-constraint-iterations=1",
                           "launch-abi=plain",
                           "arch-suffix=minimal",
                           "debuginfo-level=full",
                           "debuginfo-level=line-tables",
                           "debuginfo-level=debug-directives",
                           "schedule-trace-file=/tmp/x",
                           "host-triple=aarch64-linux-gnu"})
    EXPECT_EQ(problems(text), "") << text;
}

TEST(Options, allBadValuesAreReportedInOrder) {
  EXPECT_EQ(problems("launch-abi=x opt-level=9 num-warps=5"),
            "invalid value '5' for pipeline option 'num-warps'; expected a "
            "power of two from 1 to 32\n"
            "invalid value '9' for pipeline option 'opt-level'; expected 0 to "
            "3\n"
            "invalid value 'x' for pipeline option 'launch-abi'; expected one "
            "of 'tile', 'plain'\n");
}
