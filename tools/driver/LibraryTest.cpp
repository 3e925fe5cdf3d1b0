// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/driver/TileIRCompile.h"

#include "gtest/gtest.h"

#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace {

std::string readKernel(const std::string &name) {
  std::ifstream file("test/data/tileirbc/" + name, std::ios::binary);
  EXPECT_TRUE(file.good()) << name;
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

const char kAdd[] = "add_vec_f32.v13_1.tileirbc";

tileirCompileOptions optionsFor(const char *gpu) {
  tileirCompileOptions options = {};
  options.structSize = sizeof options;
  options.gpuName = gpu;
  options.optLevel = 3;
  return options;
}

struct Compiled {
  tileirStatus status;
  std::string cubin, log;
};

Compiled compile(const std::string &bytes,
                 const tileirCompileOptions *options) {
  Compiled compiled;
  tileirResult *result = nullptr;
  compiled.status = tileirCompile(bytes.data(), bytes.size(), options, &result);
  size_t size = 1;
  const void *cubin = tileirResultGetCubin(result, &size);
  EXPECT_EQ(cubin != nullptr, compiled.status == TILEIR_SUCCESS);
  EXPECT_EQ(size != 0, compiled.status == TILEIR_SUCCESS);
  if (cubin)
    compiled.cubin.assign(static_cast<const char *>(cubin), size);
  compiled.log = tileirResultGetLog(result);
  tileirResultDestroy(result);
  return compiled;
}

void expectError(const std::string &bytes, const tileirCompileOptions &options,
                 tileirStatus status, const std::string &text) {
  Compiled compiled = compile(bytes, &options);
  EXPECT_EQ(compiled.status, status) << compiled.log;
  EXPECT_NE(compiled.log.find(text), std::string::npos) << compiled.log;
}

TEST(Library, MakesCubins) {
  std::string kernel = readKernel(kAdd);
  for (const char *gpu : {"sm_90", "sm_120"}) {
    tileirCompileOptions options = optionsFor(gpu);
    Compiled compiled = compile(kernel, &options);
    EXPECT_EQ(compiled.status, TILEIR_SUCCESS) << compiled.log;
    EXPECT_EQ(compiled.cubin.substr(0, 4), "\x7f"
                                           "ELF");
    EXPECT_EQ(compiled.log, "");
  }
}

TEST(Library, TellsWhatIsWrong) {
  std::string kernel = readKernel(kAdd);
  tileirCompileOptions options = optionsFor("sm_90");
  expectError("no bytecode at all", options, TILEIR_INVALID_BYTECODE,
              "error: ");
  expectError("", options, TILEIR_INVALID_BYTECODE, "error: ");
  expectError(kernel.substr(0, kernel.size() / 2), options,
              TILEIR_INVALID_BYTECODE, "error: ");
  expectError(kernel, optionsFor("sm_1"), TILEIR_INVALID_OPTION,
              "error: no target is called 'sm_1'");
  expectError(kernel, optionsFor("sm_75"), TILEIR_INVALID_OPTION,
              "error: target 'sm_75' has no tile lowering");
  expectError(kernel, optionsFor(nullptr), TILEIR_INVALID_OPTION,
              "error: the options name no target: set gpuName");
  options.optLevel = 4;
  expectError(kernel, options, TILEIR_INVALID_OPTION,
              "error: invalid optimization level: 4");
  options = optionsFor("sm_90");
  options.deviceDebug = 1;
  expectError(kernel, options, TILEIR_INVALID_OPTION,
              "error: optimized debugging is currently not supported");
  options = optionsFor("sm_90");
  options.pipeline = "tileir{no-such-option}";
  expectError(kernel, options, TILEIR_INVALID_OPTION,
              "error: invalid options in --pass-pipeline");
  options = optionsFor("sm_90");
  options.ptxasPath = "/nowhere/ptxas";
  expectError(kernel, options, TILEIR_COMPILE_ERROR, "/nowhere/ptxas");
  options = optionsFor("sm_90");
  options.structSize = sizeof(size_t);
  expectError(kernel, options, TILEIR_INVALID_OPTION,
              "error: structSize of the options is too small");
}

TEST(Library, TakesNothing) {
  tileirCompileOptions options = optionsFor("sm_90");
  EXPECT_EQ(tileirCompile("", 0, &options, nullptr), TILEIR_INVALID_OPTION);
  EXPECT_EQ(compile("", nullptr).status, TILEIR_INVALID_OPTION);
  EXPECT_EQ(tileirResultGetCubin(nullptr, nullptr), nullptr);
  EXPECT_STREQ(tileirResultGetLog(nullptr), "");
  tileirResultDestroy(nullptr);
}

TEST(Library, FollowsThePipeline) {
  std::string kernel = readKernel(kAdd);
  tileirCompileOptions options = optionsFor("sm_90");
  std::string plain = compile(kernel, &options).cubin;
  options.pipeline = "tileir{num-warps=8}";
  EXPECT_NE(compile(kernel, &options).cubin, plain);
  options = optionsFor("sm_90");
  options.lineInfo = 1;
  EXPECT_NE(compile(kernel, &options).cubin.find(".debug_line"),
            std::string::npos);
}

TEST(Library, ServesThreads) {
  std::string kernel = readKernel(kAdd);
  tileirCompileOptions options = optionsFor("sm_90");
  std::string alone = compile(kernel, &options).cubin;
  std::vector<std::string> made(4);
  std::vector<std::thread> threads;
  for (std::string &cubin : made)
    threads.emplace_back([&] { cubin = compile(kernel, &options).cubin; });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &cubin : made)
    EXPECT_EQ(cubin, alone);
}

} // namespace
