# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names that each release of Bazel predefines, as far as a build like this one can use them.

Taken from the reference pages of the releases and, for names that moved to other repositories, from the table in Bazel
9's AutoloadSymbols.java. A missing name is an error if a file uses it: add it after a look at the reference.
"""

VERSIONS = [4, 7, 8, 9]

# Rules of languages. Bazel 8 still resolves them (cc natively, the others by autoloading); Bazel 9 does not.
_LANGUAGE_RULES = [
    "cc_binary",
    "cc_import",
    "cc_library",
    "cc_proto_library",
    "cc_shared_library",
    "cc_test",
    "cc_toolchain",
    "cc_toolchain_suite",
    "java_binary",
    "java_import",
    "java_library",
    "java_test",
    "proto_library",
    "py_binary",
    "py_library",
    "py_test",
    "sh_binary",
    "sh_library",
    "sh_test",
]

_CORE_RULES = [
    "alias",
    "config_setting",
    "constraint_setting",
    "constraint_value",
    "environment",
    "filegroup",
    "genquery",
    "genrule",
    "label_flag",
    "label_setting",
    "platform",
    "test_suite",
    "toolchain",
    "toolchain_type",
]

# Rules of a WORKSPACE, which macros call as native.….
_WORKSPACE_RULES = ["local_repository", "new_local_repository"]

_BZL_LANGUAGE_NAMES = [
    "CcInfo",
    "CcToolchainConfigInfo",
    "JavaInfo",
    "ProtoInfo",
    "PyInfo",
    "PyRuntimeInfo",
    "apple_common",
    "cc_common",
    "java_common",
]

# Per release: rules in BUILD files and in `native`; whether WORKSPACE files are read; further names of .bzl files.
RULES = {
    4: [r for r in _CORE_RULES + _LANGUAGE_RULES if r != "cc_shared_library"],
    7: _CORE_RULES + _LANGUAGE_RULES,
    8: _CORE_RULES + _LANGUAGE_RULES,
    9: _CORE_RULES,
}
WORKSPACE_RULES = {4: _WORKSPACE_RULES, 7: _WORKSPACE_RULES, 8: _WORKSPACE_RULES, 9: []}
BZL_NAMES = {
    4: _BZL_LANGUAGE_NAMES,
    7: _BZL_LANGUAGE_NAMES + ["module_extension", "tag_class", "visibility"],
    8: _BZL_LANGUAGE_NAMES + ["module_extension", "tag_class", "visibility", "macro"],
    9: ["module_extension", "tag_class", "visibility", "macro"],
}

# An empty glob is an error unless it says allow_empty.
EMPTY_GLOB = {4: True, 7: True, 8: False, 9: False}
LAMBDA = {4: False, 7: True, 8: True, 9: True}
# Label() and load() take labels relative to their file.
RELATIVE_LABEL = {4: False, 7: True, 8: True, 9: True}

# Parameters that all of the releases accept.
PARAMETERS = {
    "rule": ["implementation", "attrs", "test", "executable", "fragments", "toolchains", "doc", "provides",
             "exec_compatible_with", "analysis_test", "build_setting", "cfg", "exec_groups"],
    "repository_rule": ["implementation", "attrs", "local", "environ", "configure", "remotable", "doc"],
    "module_extension": ["implementation", "tag_classes", "doc", "environ", "os_dependent", "arch_dependent"],
    "tag_class": ["attrs", "doc"],
    "provider": ["doc", "fields"],
    "bool": [], "int": ["values"], "output": [], "string": ["values"],
    "int_list": ["allow_empty"], "string_dict": ["allow_empty"], "string_list": ["allow_empty"],
    "string_list_dict": ["allow_empty"], "output_list": ["allow_empty"],
    "label": ["allow_files", "allow_rules", "allow_single_file", "aspects", "cfg", "executable", "providers"],
    "label_keyed_string_dict": ["allow_empty", "allow_files", "allow_rules", "aspects", "cfg", "providers"],
    "label_list": ["allow_empty", "allow_files", "allow_rules", "aspects", "cfg", "providers"],
}
for _kind in PARAMETERS:
    if _kind not in ["rule", "repository_rule", "module_extension", "tag_class", "provider"]:
        PARAMETERS[_kind] += ["doc", "mandatory"] + ([] if _kind.startswith("output") else ["default"])

# Attributes that every rule written in Starlark has.
COMMON_ATTRIBUTES = ["compatible_with", "deprecation", "exec_compatible_with", "exec_properties", "features", "restricted_to",
                     "tags", "target_compatible_with", "testonly", "visibility"]

# Files of other repositories that the tree loads, with the names in them, and the releases that have them. In the build by
# Bazel 4 rules_cc and rules_shell are those of third_party.
_MODERN = [7, 8, 9]
EXTERNAL = {
    "@llvm//:paths.bzl": (VERSIONS, ["LLVM_PREFIX"]),
    "@bazel_tools//tools/build_defs/cc:action_names.bzl": ([4, 7, 8], ["CPP_COMPILE_ACTION_NAME"]),
    "@bazel_tools//tools/cpp:cc_configure.bzl": ([4, 7, 8], ["cc_autoconf_impl"]),
    "@bazel_tools//tools/cpp:toolchain_utils.bzl": ([4, 7, 8], ["find_cpp_toolchain"]),
    "@rules_cc//cc:action_names.bzl": (_MODERN, ["CPP_COMPILE_ACTION_NAME"]),
    "@rules_cc//cc:defs.bzl": (_MODERN, ["cc_binary", "cc_import", "cc_library", "cc_test", "cc_toolchain",
                                         "cc_toolchain_suite"]),
    "@rules_cc//cc:find_cc_toolchain.bzl": (_MODERN, ["CC_TOOLCHAIN_ATTRS", "find_cc_toolchain", "use_cc_toolchain"]),
    "@rules_cc//cc/common:cc_common.bzl": (_MODERN, ["cc_common"]),
    "@rules_cc//cc/common:cc_info.bzl": (_MODERN, ["CcInfo"]),
    "@rules_shell//shell:sh_binary.bzl": (_MODERN, ["sh_binary"]),
    "@rules_shell//shell:sh_library.bzl": (_MODERN, ["sh_library"]),
    "@rules_shell//shell:sh_test.bzl": (_MODERN, ["sh_test"]),
}

# Files that not every release reads, and why.
ONLY_IN = {
    "//rules_tileir:extensions.bzl": ([7, 8, 9], "Bazel 4 has no module extensions"),
    "//third_party/cc:repository.bzl": ([4, 7, 8], "only the WORKSPACE of this tree loads it; Bazel 9 reads none"),
}
# Stand-ins for files of rules_cc and rules_shell: of Bazel 4 alone.
SHIMS = ["//third_party/rules_cc:", "//third_party/rules_shell:", "//third_party/stubs:coverage_tools.bzl"]
