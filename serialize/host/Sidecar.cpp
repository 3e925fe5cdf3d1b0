// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/host/Sidecar.h"

#include "dialects/launch/TensorMap.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace tileir {

using namespace llvm;

static constexpr int64_t sidecarVersion = 1;

/// The name of a visible parameter's type.
static std::string typeName(const KernelParameter &parameter) {
  if (parameter.byValue)
    return "bytes";
  if (mlir::isa<mlir::LLVM::LLVMPointerType>(parameter.type))
    return "ptr";
  std::string text;
  raw_string_ostream(text) << parameter.type;
  return text;
}

/// Writes one line a value; `operands` are numbers of earlier values.
static void writeValues(json::OStream &out, const ExpressionGraph &graph) {
  out.attributeArray("values", [&] {
    for (ExpressionGraph::Id id = 0; id < graph.size(); ++id) {
      const ExpressionGraph::Node &node = graph[id];
      out.object([&] {
        out.attribute("op", exprOpName(node.op));
        out.attribute("type", ("i" + Twine(node.width)).str());
        if (node.op == ExprOp::Constant)
          out.attribute("value", node.value);
        else if (node.op == ExprOp::Argument)
          out.attribute("parameter", node.value);
        else
          out.attributeArray("operands", [&] {
            for (ExpressionGraph::Id operand : node.inputs())
              out.value(int64_t(operand));
          });
      });
    }
  });
}

template <typename Range>
static void writeNumbers(json::OStream &out, StringRef name,
                         const Range &numbers) {
  out.attributeArray(name, [&] {
    for (auto number : numbers)
      out.value(int64_t(number));
  });
}

static void writeMap(json::OStream &out, unsigned index, int64_t offset,
                     const TensorMapRecipe &recipe) {
  const TensorMapShape &shape = recipe.shape;
  out.object([&] {
    out.attribute("parameter", int64_t(index));
    out.attribute("offset", offset);
    out.attribute("data_type", shape.element->driverName);
    out.attribute("rank", int64_t(shape.rank()));
    writeValues(out, recipe.graph);
    out.attribute("address", int64_t(recipe.base));
    writeNumbers(out, "extents", recipe.extents);
    writeNumbers(out, "strides", recipe.strides);
    writeNumbers(out, "box", shape.box);
    writeNumbers(out, "element_strides", shape.elementStrides);
    out.attribute("interleave", shape.interleaveName());
    out.attribute("swizzle", shape.swizzleName());
    out.attribute("l2_promotion", shape.l2PromotionName());
    out.attribute("oob_fill", shape.fillName());
  });
}

static void writeParameters(json::OStream &out, const ParameterBlock &block) {
  out.attributeArray("parameters", [&] {
    for (const KernelParameter &parameter : block.parameters)
      out.object([&] {
        out.attribute("kind", parameter.hidden.empty() ? StringRef("visible")
                                                       : parameter.hidden);
        if (parameter.hidden.empty())
          out.attribute("type", typeName(parameter));
        out.attribute("offset", parameter.offset);
        out.attribute("size", parameter.size);
        out.attribute("align", parameter.align);
      });
  });
}

Status makeSidecar(mlir::Operation *source, const DeviceModule &device,
                   const Reporter &reporter, std::string &json) {
  struct Map {
    unsigned index;
    int64_t offset;
    TensorMapRecipe recipe;
  };
  raw_string_ostream stream(json);
  json::OStream out(stream, /*IndentSize=*/1);
  bool tile = device.launchAbi == LaunchAbi::Tile;
  Status status = Status::Success;
  auto writeKernel = [&](const KernelFacts &facts) {
    auto kernel = mlir::dyn_cast_or_null<mlir::LLVM::LLVMFuncOp>(
        mlir::SymbolTable::lookupSymbolIn(source, facts.name));
    if (!kernel)
      return;
    mlir::FailureOr<ParameterBlock> block =
        parameterBlock(kernel, device.target);
    if (mlir::failed(block)) {
      status = Status::Compile;
      return;
    }
    std::vector<Map> maps;
    for (auto [index, parameter] : llvm::enumerate(block->parameters)) {
      if (parameter.hidden != launch::hiddenTensorMap)
        continue;
      // Without a recipe only the author of the kernel knows the argument.
      if (!kernel.getArgAttr(index, launch::tensorMapName))
        continue;
      mlir::FailureOr<TensorMapRecipe> recipe =
          parseTensorMapRecipe(kernel, unsigned(index));
      if (mlir::failed(recipe)) {
        status = Status::Compile;
        return;
      }
      maps.push_back({unsigned(index), parameter.offset, std::move(*recipe)});
    }
    auto extents = [](const unsigned *given) {
      return std::array<int64_t, 3>{std::max(given[0], 1u),
                                    std::max(given[1], 1u),
                                    std::max(given[2], 1u)};
    };
    out.object([&] {
      out.attribute("name", facts.name);
      writeNumbers(out, "block", extents(facts.block));
      writeNumbers(out, "cluster", extents(facts.cluster));
      out.attribute("dynamic_shared_bytes", 0);
      out.attribute("workspace_bytes_per_sm",
                    facts.deviceMaps * limits::workspaceBytesPerMapAndSM);
      out.attribute("block_bytes", block->bytes);
      out.attribute("bank_offset", block->bankOffset);
      writeParameters(out, *block);
      out.attributeArray("maps", [&] {
        for (const Map &map : maps)
          writeMap(out, map.index, map.offset, map.recipe);
      });
    });
  };
  out.object([&] {
    out.attribute("version", sidecarVersion);
    out.attribute("launch_abi", tile ? "tile" : "plain");
    out.attribute("target", device.target.name());
    out.attributeArray("kernels", [&] {
      for (const KernelFacts &facts : device.kernels)
        if (status == Status::Success)
          writeKernel(facts);
    });
  });
  stream << '\n';
  return status;
}

} // namespace tileir
