// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tileir-check/Witness.h"

#include "serialize/process/Process.h"
#include "tools/process/Process.h"

#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tileir::check {

using cases::Json;

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

bool findPrograms(Programs &programs, std::string &error) {
  return findProgram("tileiras", programs.tileiras, error) &&
         findProgram("tileir-run", programs.tileirRun, error);
}

std::string firstLines(const std::string &text, unsigned count) {
  std::string result;
  size_t at = 0;
  while (at < text.size() && count) {
    size_t end = text.find('\n', at);
    std::string line = text.substr(at, end - at);
    at = end == std::string::npos ? text.size() : end + 1;
    if (line.empty() || line.rfind("note: wrote", 0) == 0)
      continue;
    result += (result.empty() ? "" : "\n") + line.substr(0, 400);
    --count;
  }
  return result;
}

static std::string describeEnd(const std::string &program,
                               const ProgramResult &child) {
  std::string name = program.substr(program.rfind('/') + 1);
  std::string text =
      child.timedOut ? name + " took too long"
      : child.status >= 128
          ? name + " was ended by signal " + std::to_string(child.status - 128)
          : name + " ended with status " + std::to_string(child.status);
  std::string lines = firstLines(child.output, 8);
  return lines.empty() ? text : text + ": " + lines;
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

/// Returns the file of the folder with this suffix.
static std::string findFile(const std::string &folder,
                            const std::string &suffix) {
  std::string result;
  if (DIR *entries = opendir(folder.c_str())) {
    while (dirent *entry = readdir(entries)) {
      std::string name = entry->d_name;
      if (name.size() > suffix.size() &&
          name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0)
        result = folder + "/" + name;
    }
    closedir(entries);
  }
  return result;
}

/// Runs the compiler; `more` selects the products.
static bool runCompiler(const Programs &programs, const CompileRequest &request,
                        const std::vector<std::string> &more,
                        std::string &error) {
  // Chips have no suffix in tileiras' option.
  std::string chip = request.arch;
  while (!chip.empty() && (chip.back() == 'a' || chip.back() == 'f'))
    chip.pop_back();
  std::vector<std::string> argv = {programs.tileiras, request.kernel,
                                   "--gpu-name=" + chip,
                                   "-O" + request.optLevel};
  argv.insert(argv.end(), more.begin(), more.end());
  if (!request.pipeline.empty())
    argv.push_back("--pass-pipeline=tileir{" + request.pipeline + "}");
  ProgramResult child = runProgram(argv, programs.seconds);
  if (!child.timedOut && child.status == 0)
    return true;
  error = describeEnd(programs.tileiras, child);
  return false;
}

bool compile(const Programs &programs, const CompileRequest &request,
             Compiled &compiled, std::string &error) {
  std::string ptx, cubin;
  if (!request.isAssembled) {
    compiled.ptxFile = request.folder + "/kernel.ptx";
    if (!runCompiler(programs, request, {"--emit=ptx", "-o", compiled.ptxFile},
                     error))
      return false;
    if (!cases::readText(compiled.ptxFile, ptx, error))
      return false;
    if (ptx.find(".hidden") == std::string::npos)
      return true;
  }
  compiled.cubinFile = request.folder + "/kernel.cubin";
  std::string temps = makeFolder(request.folder, "temps");
  if (!runCompiler(
          programs, request,
          {"--emit=cubin", "--save-temps=" + temps, "-o", compiled.cubinFile},
          error))
    return false;
  compiled.ptxFile = findFile(temps, ".ptx");
  if (compiled.ptxFile.empty() ||
      !cases::readText(compiled.ptxFile, ptx, error)) {
    error = "tileiras kept no PTX";
    return false;
  }
  if (!cases::readText(compiled.cubinFile, cubin, error) ||
      cubin.compare(0, 4, "\177ELF") != 0) {
    error = "tileiras made no cubin";
    return false;
  }
  compiled.hasHidden = ptx.find(".hidden") != std::string::npos;
  return true;
}

//===----------------------------------------------------------------------===//
// Emulating
//===----------------------------------------------------------------------===//

static void printJson(const Json &json, std::string &out) {
  switch (json.kind) {
  case Json::Kind::Null:
    out += "null";
    return;
  case Json::Kind::Bool:
    out += json.boolean ? "true" : "false";
    return;
  case Json::Kind::Number:
    out += json.text;
    return;
  case Json::Kind::String:
    out += cases::quoteJson(json.text);
    return;
  case Json::Kind::Array:
    out += '[';
    for (size_t i = 0; i < json.items.size(); ++i) {
      out += i ? ", " : "";
      printJson(json.items[i], out);
    }
    out += ']';
    return;
  case Json::Kind::Object:
    out += '{';
    for (size_t i = 0; i < json.members.size(); ++i) {
      out += (i ? ",\n " : "") + cases::quoteJson(json.members[i].first) + ": ";
      printJson(json.members[i].second, out);
    }
    out += '}';
    return;
  }
}

std::string jsonText(const Json &json) {
  std::string text;
  printJson(json, text);
  return text + "\n";
}

static Json stringJson(const std::string &text) {
  Json json;
  json.kind = Json::Kind::String;
  json.text = text;
  return json;
}

/// Makes the file names of a case absolute and removes its expectations, which
/// are compared here.
static void adaptCase(Json &json, const std::string &directory) {
  if (json.isArray())
    for (Json &item : json.items)
      adaptCase(item, directory);
  if (!json.isObject())
    return;
  std::vector<std::pair<std::string, Json>> kept;
  for (auto &[name, value] : json.members) {
    if (name == "expect" && !json.find("output")) {
      // A buffer with an expectation is an output.
      kept.emplace_back("output", Json());
      kept.back().second.kind = Json::Kind::Bool;
      kept.back().second.boolean = true;
    }
    if (name == "expect" || name == "expect_mask" || name == "stdout")
      continue;
    if (name == "init" && value.isString() && value.text.size() > 1 &&
        value.text[0] == '@' && value.text[1] != '/')
      value.text = "@" + directory + "/" + value.text.substr(1);
    adaptCase(value, directory);
    kept.emplace_back(name, value);
  }
  json.members = std::move(kept);
}

std::string adaptCase(const std::string &caseText, const std::string &directory,
                      std::string &error) {
  Json json;
  if (!cases::parseJson(caseText, json, error))
    return "";
  char resolved[PATH_MAX];
  bool isThere =
      realpath(directory.empty() ? "." : directory.c_str(), resolved);
  adaptCase(json, isThere ? resolved : directory);
  return jsonText(json);
}

static bool writeText(const std::string &path, const std::string &text) {
  FILE *file = fopen(path.c_str(), "wb");
  if (!file)
    return false;
  bool isGood = fwrite(text.data(), 1, text.size(), file) == text.size();
  return fclose(file) == 0 && isGood;
}

std::vector<const cases::BufferSpec *> outputsOf(const cases::Case &theCase) {
  std::vector<const cases::BufferSpec *> result;
  for (const cases::Arg &arg : theCase.args)
    if (arg.kind == cases::Arg::Kind::Buffer && arg.buffer.output)
      result.push_back(&arg.buffer);
  for (const cases::BufferSpec &buffer : theCase.buffers)
    if (buffer.output)
      result.push_back(&buffer);
  return result;
}

bool withinError(const cases::BufferSpec &spec, uint64_t got, uint64_t oracle,
                 double error) {
  if (got == oracle || std::isinf(error))
    return true;
  if (!cases::isFloat(spec.dtype))
    return false;
  double a = cases::bitsToDouble(spec.dtype, got);
  double b = cases::bitsToDouble(spec.dtype, oracle);
  // A zero has the sign of the exact result.
  if (error == 0)
    return std::isnan(a) && std::isnan(b);
  return a == b || (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= error;
}

std::string placeOf(const cases::BufferSpec &spec, size_t index) {
  std::string text;
  for (size_t d = spec.shape.size(); d-- > 0;) {
    text = std::to_string(index % spec.shape[d]) +
           (text.empty() ? "" : ", " + text);
    index /= spec.shape[d];
  }
  return "[" + text + "]";
}

/// Returns one line of a report's finding.
static std::string describeFinding(const Json &finding) {
  auto text = [&](const char *name) {
    const Json *value = finding.find(name);
    return value ? value->text : std::string();
  };
  std::string line = text("kind") + ": PTX line " + text("line");
  if (const Json *block = finding.find("block"); block && block->isArray()) {
    line += ", block (";
    for (size_t i = 0; i < block->items.size(); ++i)
      line += (i ? "," : "") + block->items[i].text;
    line += ")";
  }
  line += ": " + text("message");
  if (text("count") != "1" && !text("count").empty())
    line += " (" + text("count") + " times)";
  return line;
}

Emulation emulate(const Programs &programs, const Compiled &compiled,
                  const EmulateRequest &request) {
  Emulation result;
  auto broken = [&](const std::string &why) {
    result.isBroken = true;
    result.problem = why;
    return result;
  };
  std::string error;
  // The adapted case is in another folder.
  std::string adapted =
      adaptCase(request.caseText, request.theCase->directory, error);
  Json json;
  if (adapted.empty() || !cases::parseJson(adapted, json, error))
    return broken(error);
  std::string kernel = request.onGpu ? compiled.cubinFile : compiled.ptxFile;
  for (auto &[name, value] : json.members)
    if (name == "kernel")
      value = stringJson(kernel);
  std::string text = jsonText(json);
  std::string caseFile = request.folder + "/case.json";
  std::string report = request.folder + "/report.json";
  std::string out = request.folder + "/out";
  removeFolder(out.c_str());
  unlink(report.c_str());
  if (!writeText(caseFile, text))
    return broken("cannot write '" + caseFile + "'");
  std::vector<std::string> argv = {programs.tileirRun,
                                   caseFile,
                                   request.onGpu ? "--device=cuda"
                                                 : "--device=emulated",
                                   "--arch=" + request.arch,
                                   "--seed=" + std::to_string(request.seed),
                                   "--async=" + request.async,
                                   "--report=" + report,
                                   "--out=" + out,
                                   "--compiler=" + programs.tileiras,
                                   "--opt=" + request.optLevel};
  // The host code of the cubin fills in hidden parameters.
  if (compiled.hasHidden && !request.onGpu)
    argv.push_back("--cubin=" + compiled.cubinFile);
  ProgramResult child = runProgram(argv, programs.seconds);
  if (child.timedOut || child.status > 1)
    return broken(describeEnd(programs.tileirRun, child));
  std::string reported;
  Json found;
  if (!cases::readText(report, reported, error) ||
      !cases::parseJson(reported, found, error))
    return broken("tileir-run wrote no report: " + error);
  if (const Json *findings = found.find("findings"))
    for (const Json &finding : findings->items)
      result.findings.push_back(describeFinding(finding));
  for (const cases::BufferSpec *spec : outputsOf(*request.theCase)) {
    cases::NpyArray array;
    std::string path = out + "/" + spec->name + ".npy";
    std::vector<uint64_t> bits;
    if (!cases::readNpy(path, array, error) ||
        !cases::npyToBits(array, spec->dtype, spec->shape, path, bits, error))
      return broken("tileir-run wrote no output '" + spec->name +
                    "': " + error);
    result.outputs.push_back(std::move(bits));
  }
  std::string ignored;
  cases::readText(out + "/stdout.txt", result.printed, ignored);
  return result;
}

} // namespace tileir::check
