// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/ptxas/Locate.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <fstream>
#include <map>
#include <sys/stat.h>
#include <unistd.h>

using namespace tileir;

namespace {

/// A private folder and environment for each test.
struct Locate : testing::Test {
  std::string root;
  std::map<std::string, std::string> variables;

  void SetUp() override {
    const char *tmp = ::getenv("TEST_TMPDIR");
    root = std::string(tmp ? tmp : "/tmp") + "/locate-XXXXXX";
    ASSERT_TRUE(::mkdtemp(root.data()));
  }
  const char *get(const char *name) {
    auto it = variables.find(name);
    return it == variables.end() ? nullptr : it->second.c_str();
  }
  std::string file(const std::string &path, bool executable = false) {
    std::string whole = root;
    for (size_t at = 0, next; at < path.size(); at = next + 1) {
      next = path.find('/', at);
      if (next == std::string::npos)
        break;
      whole = root + "/" + path.substr(0, next);
      ::mkdir(whole.c_str(), 0777);
    }
    whole = root + "/" + path;
    std::ofstream(whole) << "x";
    ::chmod(whole.c_str(), executable ? 0755 : 0644);
    return whole;
  }
  ProgramLookup locate(LookupStyle style, const std::string &override = "") {
    return locateProgram(
        "ptxas", override, "TILEIR_PTXAS_PATH", style,
        [&](const char *n) { return get(n); }, root + "/tool/bin/exe");
  }
  LibdeviceResult libdevice(LibdeviceRequest request = {}) {
    request.executable = root + "/tool/bin/exe";
    return locateLibdevice(request, [&](const char *n) { return get(n); });
  }
};

} // namespace

/// S-108: order, and that an empty value counts.
TEST_F(Locate, RootVariables) {
  auto value = [&] {
    return cudaRootVariable([&](const char *n) { return get(n); });
  };
  EXPECT_FALSE(value());
  variables["CUDA_PATH"] = "/p";
  EXPECT_EQ(value()->value, "/p");
  variables["CUDA_HOME"] = "/h";
  EXPECT_EQ(value()->value, "/h");
  variables["CUDA_ROOT"] = "";
  EXPECT_EQ(value()->value, "");
  EXPECT_EQ(value()->name, "CUDA_ROOT");
}

/// S-110: the resolvers agree on a set variable and differ without one.
TEST_F(Locate, TwoResolvers) {
  auto env = [&](const char *n) { return get(n); };
  EXPECT_EQ(resolveCudaRootNVVM(env), "");
  EXPECT_FALSE(resolveCudaRootDriver(env, root + "/no/such/exe"));
  file("tool/bin/exe", true);
  EXPECT_EQ(resolveCudaRootDriver(env, root + "/tool/bin/exe"), root + "/tool");
  EXPECT_FALSE(resolveCudaRootDriver(env, ""));
  // S-112: a variable, even a wrong one, decides.
  variables["CUDA_HOME"] = "/does/not/exist";
  EXPECT_EQ(resolveCudaRootNVVM(env), "/does/not/exist");
  EXPECT_EQ(resolveCudaRootDriver(env, root + "/tool/bin/exe"),
            "/does/not/exist");
}

TEST_F(Locate, PathLookup) {
  EXPECT_EQ(locate(LookupStyle::PathOnly).path, "");
  std::string plain = file("a/ptxas"), real = file("b/ptxas", true);
  variables["PATH"] = root + "/a";
  EXPECT_TRUE(locate(LookupStyle::PathOnly).notExecutable);
  EXPECT_EQ(locate(LookupStyle::PathOnly).path, plain);
  variables["PATH"] = root + "/none:" + root + "/a:" + root + "/b";
  EXPECT_EQ(locate(LookupStyle::PathOnly).path, real);
  EXPECT_FALSE(locate(LookupStyle::PathOnly).notExecutable);
}

/// CLI-42: the root comes before PATH for `tileiras` only; overrides win.
TEST_F(Locate, RootFirst) {
  std::string onPath = file("b/ptxas", true);
  std::string inRoot = file("cuda/bin/ptxas", true);
  variables["PATH"] = root + "/b";
  variables["CUDA_HOME"] = root + "/cuda";
  EXPECT_EQ(locate(LookupStyle::PathOnly).path, onPath);
  EXPECT_EQ(locate(LookupStyle::RootFirst).path, inRoot);
  variables["CUDA_HOME"] = root + "/other";
  EXPECT_EQ(locate(LookupStyle::RootFirst).path, onPath);
  variables.erase("CUDA_HOME");
  std::string beside = file("tool/bin/ptxas", true);
  EXPECT_EQ(locate(LookupStyle::RootFirst).path, beside);
  variables["TILEIR_PTXAS_PATH"] = "/x/ptxas";
  EXPECT_EQ(locate(LookupStyle::RootFirst).path, "/x/ptxas");
  EXPECT_TRUE(locate(LookupStyle::RootFirst).overridden);
  EXPECT_EQ(locate(LookupStyle::PathOnly, "/y").path, "/y");
  variables["TILEIR_PTXAS_PATH"] = "";
  EXPECT_EQ(locate(LookupStyle::PathOnly).path, onPath);
}

/// A user who can write to the working directory must not choose the program.
TEST_F(Locate, RelativeElementsOfThePath) {
  std::string absolute = file("abs/ptxas", true);
  std::string other = file("rel/ptxas", true);
  char before[4096];
  ASSERT_TRUE(::getcwd(before, sizeof(before)));
  ASSERT_EQ(::chdir(root.c_str()), 0);
  variables["CUDA_ROOT"] = "";
  variables["PATH"] = "rel:" + root + "/abs";
  EXPECT_EQ(locate(LookupStyle::PathOnly).path, "rel/ptxas");
  for (LookupStyle style :
       {LookupStyle::RootFirst, LookupStyle::AbsolutePathOnly}) {
    ProgramLookup found = locate(style);
    EXPECT_EQ(found.path, absolute);
    EXPECT_EQ(found.skipped, "rel/ptxas");
  }
  ASSERT_EQ(::chdir((root + "/rel").c_str()), 0);
  variables["PATH"] = ":";
  EXPECT_EQ(locate(LookupStyle::PathOnly).path, "./ptxas");
  EXPECT_EQ(locate(LookupStyle::RootFirst).path, "");
  EXPECT_EQ(locate(LookupStyle::RootFirst).skipped, "./ptxas");
  ASSERT_EQ(::chdir(before), 0);
}

/// PK-5: the wheel that pip installed next to our own comes after the root and
/// the path, but before the toolkit of set-up.
TEST_F(Locate, SitePackages) {
  std::string tool = file("site/tileir/bin/tileiras", true);
  auto lookup = [&](LookupStyle style) {
    return locateProgram(
        "ptxas", "", nullptr, style, [&](const char *n) { return get(n); },
        tool);
  };
  variables["TILEIR_TOOLKIT"] = root + "/setup";
  variables["PATH"] = root + "/b";
  std::string installed =
      file("setup/cuda-13.5.37/nvidia/cu13/bin/ptxas", true);
  EXPECT_EQ(lookup(LookupStyle::RootFirst).path, installed);
  EXPECT_EQ(lookup(LookupStyle::RootFirst).probed,
            (std::vector<std::string>{
                root + "/site/tileir/bin/ptxas", root + "/b/ptxas",
                root + "/site/nvidia/cu13/bin/ptxas", installed}));
  std::string beside = file("site/nvidia/cu13/bin/ptxas", true);
  EXPECT_EQ(lookup(LookupStyle::RootFirst).path, beside);
  EXPECT_EQ(lookup(LookupStyle::PathOnly).path, "");
  std::string onPath = file("b/ptxas", true);
  EXPECT_EQ(lookup(LookupStyle::RootFirst).path, onPath);
  EXPECT_EQ(lookup(LookupStyle::RootFirst).own, beside);

  LibdeviceRequest request;
  request.executable = tool;
  request.ptxas = onPath;
  std::string bitcode = file("site/nvidia/cu13/nvvm/libdevice/libdevice.10.bc");
  EXPECT_EQ(
      locateLibdevice(request, [&](const char *n) { return get(n); }).path,
      bitcode);
}

/// Section 4.2: the layers, and that a wrong root ends the search (S-111).
TEST_F(Locate, Libdevice) {
  const std::string tail = "nvvm/libdevice/libdevice.10.bc";
  EXPECT_EQ(libdevice().path, "");
  std::string besidePtxas = file("kit/" + tail);
  file("kit/bin/ptxas", true);
  LibdeviceRequest request;
  request.ptxas = root + "/kit/bin/ptxas";
  EXPECT_TRUE(llvm::StringRef(libdevice(request).path).ends_with(tail));
  std::string besideTool = file("tool/" + tail);
  file("tool/bin/exe", true);
  EXPECT_EQ(libdevice(request).path, besideTool);
  std::string inRoot = file("cuda/" + tail);
  variables["CUDA_ROOT"] = root + "/cuda";
  EXPECT_EQ(libdevice(request).path, inRoot);
  variables["CUDA_ROOT"] = root + "/wrong";
  EXPECT_EQ(libdevice(request).path, "");
  EXPECT_EQ(libdevice(request).probed.size(), 1u);
  variables["CUDA_ROOT"] = "";
  EXPECT_TRUE(
      llvm::StringRef(libdevice(request).path).ends_with("kit/bin/../" + tail));
  request.explicitRoot = root + "/cuda";
  EXPECT_EQ(libdevice(request).path, inRoot);
  request.explicitFile = root + "/none";
  EXPECT_EQ(libdevice(request).path, "");
}
