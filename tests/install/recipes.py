# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""recipes.py SOURCE: checks that the recipes for Spack and conda agree with the version, options and packages of SOURCE.

Stand-ins for Spack's modules record the calls of its recipe. The recipe for conda is read as text.
"""
import contextlib
import pathlib
import re
import runpy
import sys
import types

SOURCE = pathlib.Path(sys.argv[1])
RECIPE = SOURCE / "packaging/spack/spack_repo/sporos/packages/sporos/package.py"

# A recipe may set these options before they exist in CMake.
TO_COME = {"SPOROS_MPI", "SPOROS_BUILD_PYTHON"}
# Names in Spack of the packages that CMake finds. Packages with None come with another package or are not required.
PACKAGES = {"Kokkos": "kokkos", "KokkosKernels": "kokkos-kernels", "Boost": "boost", "Random123": "random123",
            "fmt": "fmt", "nlohmann_json": "nlohmann-json", "LibCsv": "libcsv", "CLI11": "cli11", "GTest": "googletest", "GLPK": "glpk",
            "MPI": "mpi", "muparser": "muparser", "benchmark": None, "Python3": None,
            "Python": None, "pybind11": None, "Sporos": None}

faults = []


def expect(condition, fault):
    if not condition:
        faults.append(fault)


class Stub:
    """Stand-in for Spack's modules, which records the recipe's calls."""

    def __init__(self):
        self.versions, self.variants, self.dependencies, self.conditions = {}, {"cuda": False}, [], []

    @contextlib.contextmanager
    def when(self, condition):
        self.conditions.append(condition)
        yield
        self.conditions.pop()

    def depends_on(self, spec, when=None, type=("build", "link")):
        self.dependencies.append((spec, " ".join([*self.conditions, *([when] if when else [])])))

    def modules(self):
        class CMakePackage:
            @staticmethod
            def define(name, value):
                return f"-D{name}={'ON' if value is True else 'OFF' if value is False else value}"

            def define_from_variant(self, name, variant):
                return self.define(name, self.spec.values[variant])

            def __getitem__(self, name):
                return types.SimpleNamespace(kokkos_cxx=f"/{name}/nvcc_wrapper")

        class CudaPackage:
            cuda_arch_values = ("80", "90")

        package = dict(version=lambda number, **place: self.versions.update({number: place}),
                       variant=lambda name, default, description: self.variants.update({name: default}),
                       license=lambda text: setattr(self, "license", text), depends_on=self.depends_on,
                       requires=lambda spec, when: None, when=self.when)
        return {"spack": {}, "spack.package": package, "spack_repo": {}, "spack_repo.builtin": {},
                "spack_repo.builtin.build_systems": {},
                "spack_repo.builtin.build_systems.cmake": {"CMakePackage": CMakePackage},
                "spack_repo.builtin.build_systems.cuda": {"CudaPackage": CudaPackage}}


class Spec:
    """Stand-in for a spec, with the values of the variants."""

    def __init__(self, values):
        self.values = values

    def __getitem__(self, name):
        return types.SimpleNamespace(prefix=f"/{name}")

    def satisfies(self, text):
        return self.values[text.strip("+~")] == text.startswith("+")


def load(stub):
    for name, members in stub.modules().items():
        module = sys.modules[name] = types.ModuleType(name)
        module.__dict__.update(members)
    return runpy.run_path(str(RECIPE))["Sporos"]


def arguments_of(recipe, values):
    package = recipe()
    package.spec = Spec(values)
    return dict(argument[2:].split("=", 1) for argument in package.cmake_args())


def check_versions(stub, cmake):
    version = re.search(r"project\(Sporos VERSION ([0-9.]+)", cmake)[1]
    numbered = [number for number in stub.versions if number[0].isdigit()]
    expect(numbered and numbered[0] == version, f"newest version is {numbered[:1]}, expected {version}")
    expect(all(stub.versions[number] == {"tag": f"v{number}"} for number in numbered), "the tag of a version differs from v and its number")
    changelog = re.search(r"^## ([0-9.]+)", (SOURCE / "CHANGELOG.md").read_text(), re.MULTILINE)[1]
    expect(changelog == version, f"CHANGELOG.md's newest version is {changelog}, expected {version}")


def check_options(stub, recipe, cmake):
    declared = set(re.findall(r"\boption\((SPOROS_\w+)", cmake))
    expect({"cuda", "openmp", "mpi", "tests"} <= set(stub.variants), f"a variant is missing: {sorted(stub.variants)}")
    default_arguments = arguments_of(recipe, stub.variants)
    named = {name for name in default_arguments if name.startswith("SPOROS_")}
    expect(named <= declared | TO_COME, f"the recipe sets {sorted(named - declared - TO_COME)}, which CMake does not have")
    required = {name for name in declared if name.startswith("SPOROS_BUILD_") or "MPI" in name}
    expect(required <= named, f"the recipe does not set {sorted(required - named)}")
    expect("CMAKE_CXX_COMPILER" not in default_arguments, "a build without CUDA sets nvcc_wrapper")

    for variant, default in stub.variants.items():
        changed = arguments_of(recipe, stub.variants | {variant: not default})
        differing = {name for name in changed | default_arguments if changed.get(name) != default_arguments.get(name)}
        expect(differing or variant == "openmp", f"variant {variant} changes nothing")
        expect(all(default_arguments.get(name) != "ON" or changed[name] == "OFF" for name in differing),
               f"variant {variant} sets {differing} to the wrong value")
    cuda = arguments_of(recipe, stub.variants | {"cuda": True})
    expect(cuda["CMAKE_CXX_COMPILER"] == "/kokkos/nvcc_wrapper", "a build with CUDA does not set nvcc_wrapper")


def check_dependencies(stub, cmake):
    names = {re.split("[@+ ]", spec)[0] for spec, _ in stub.dependencies}
    files = [SOURCE / "CMakeLists.txt", *SOURCE.glob("cmake/*.cmake")]
    for folder in ("apps", "tests", "examples", "core", "models"):
        files += [path for path in (SOURCE / folder).rglob("CMakeLists.txt") if "install" not in path.parts]
    for path in files:
        for package in re.findall(r"(?:find_package\(|sporos_find\(\w+::\w+ )(\w+)", path.read_text()):
            expect(package in PACKAGES, f"{path.name} finds {package}, which is missing in PACKAGES")
            needed = PACKAGES.get(package)
            expect(needed is None or needed in names, f"the recipe does not depend on {needed}")
    minimum = re.search(r"cmake_minimum_required\(VERSION ([0-9.]+)", cmake)[1]
    boost = re.search(r"sporos_find\(Boost::boost Boost ([0-9.]+)", cmake)[1]
    for spec in (f"cmake@{minimum}:", f"boost@{boost}:"):
        expect(spec in [one for one, _ in stub.dependencies], f"the recipe does not depend on {spec}")
    conditions = dict(stub.dependencies)
    expect(conditions.get("kokkos +openmp") == "+openmp", "the variant openmp is not passed to Kokkos")
    expect(conditions.get("mpi") == "+mpi", "+mpi does not depend on mpi")
    expect(conditions.get("kokkos cuda_arch=90") == "+cuda cuda_arch=90", "cuda_arch is not passed to Kokkos")


def check_conda(cmake):
    recipe = (SOURCE / "packaging/conda/meta.yaml").read_text()
    project = (SOURCE / "pyproject.toml").read_text().split("[project.optional-dependencies]")[0]
    version = re.search(r"project\(Sporos VERSION ([0-9.]+)", cmake)[1]
    expect(f'{{% set version = "{version}" %}}' in recipe, f"the version in the recipe for conda is not {version}")
    entries = re.findall(r'^(sporos\S*) = "(.*)"$', project, re.MULTILINE)
    written = re.findall(r"^    - (sporos\S*) = (.*)$", recipe, re.MULTILINE)
    expect(entries and sorted(entries) == sorted(written), f"conda's entry points are {written}, expected {entries}")
    needed = re.findall(r'"(\S+?)(>=[0-9.]+)"', project)  # Python packages
    for package, oldest in re.findall(r"sporos_find\(\w+::\w+ (\w+) ([0-9.]+)", cmake):
        needed.append(({"Boost": "libboost-headers"}.get(package, package.lower()), f">={oldest}"))
    needed += [(name, f">={oldest}") for name, oldest in re.findall(r"SPOROS_OLDEST_(KOKKOS) ([0-9.]+)", cmake)]
    for package, oldest in needed:
        line = f"    - {package.lower()} {oldest}\n"
        expect(package == "mpi" or line in recipe, f"the recipe for conda has no line{line}")


def main():
    stub = Stub()
    recipe = load(stub)
    cmake = (SOURCE / "CMakeLists.txt").read_text() + "".join(
        path.read_text() for path in sorted(SOURCE.glob("cmake/*.cmake")))
    expect(recipe.git == SOURCE.resolve().as_uri(), f"the recipe fetches {recipe.git}, expected {SOURCE.resolve().as_uri()}")
    expect(stub.license == "Apache-2.0 WITH LLVM-exception", f"the recipe's license is {stub.license}")
    check_versions(stub, cmake)
    check_options(stub, recipe, cmake)
    check_dependencies(stub, cmake)
    check_conda(cmake + (SOURCE / "runtime/CMakeLists.txt").read_text())
    if faults:
        sys.exit("\n".join(faults))
    print(f"the recipes agree: {len(stub.versions)} versions, variants {', '.join(sorted(stub.variants))}")


main()
