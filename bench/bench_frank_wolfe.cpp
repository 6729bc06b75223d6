// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How fast Frank–Wolfe with resampling iterates on paper 004's portfolios and newsvendors, on every backend. One
// instance a run, so that its peak memory is its own; frank_wolfe.py runs all sizes beside a peer.
#include "context.hpp"
#include "frank_wolfe/case.hpp"

#include <sporos/core/execution/initialize.hpp>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <Kokkos_Core.hpp>

#include <benchmark/benchmark.h>

#include <exception>
#include <iostream>
#include <string>
#include <vector>

namespace sporos::bench {

namespace {

void run(FrankWolfeCase of, const std::string& program, std::vector<std::string> rest) {
  std::vector<char*> arguments = {const_cast<char*>(program.c_str())};
  for (auto& argument : rest) arguments.push_back(argument.data());
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) throw std::invalid_argument("unknown arguments");
  const Kokkos::ScopeGuard kokkos(quiet_kokkos_settings({}));
  add_context();
  benchmark::AddCustomContext("samples", std::to_string(of.samples));
  benchmark::AddCustomContext("iterations", std::to_string(of.iterations));
  benchmark::AddCustomContext("epochs", std::to_string(of.epochs));
  benchmark::AddCustomContext("precision", of.precision);
  (of.problem == "portfolio" ? register_portfolio : register_newsvendor)(of);
  benchmark::RunSpecifiedBenchmarks();
}

int run_program(int argc, char** argv) {
  FrankWolfeCase of;
  CLI::App app("Frank–Wolfe with resampling on one instance; takes --benchmark_… options too.", "bench_frank_wolfe");
  app.allow_extras();
  app.add_option("--problem", of.problem)->check(CLI::IsMember({"portfolio", "newsvendor"}));
  app.add_option("--size", of.size, "decision variables")->check(CLI::PositiveNumber);
  app.add_option("--samples", of.samples, "replications in an epoch")->check(CLI::Range(2, 1'000'000));
  app.add_option("--iterations", of.iterations, "iterations in an epoch")->check(CLI::PositiveNumber);
  app.add_option("--epochs", of.epochs, "epochs")->check(CLI::PositiveNumber);
  app.add_option("--seed", of.seed, "of the samples, and of an instance that is generated");
  app.add_option("--instance", of.instance, "folder with the instance's vectors as NPY files");
  app.add_option("--precision", of.precision, "of all numbers")->check(CLI::IsMember({"float64"}));
  try {
    app.parse(argc, argv);
    run(of, argv[0], app.remaining());
    return 0;
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  } catch (const std::exception& error) {
    std::cerr << "bench_frank_wolfe: " << error.what() << '\n';
    return 1;
  }
}

}  // namespace

}  // namespace sporos::bench

int main(int argc, char** argv) { return sporos::bench::run_program(argc, argv); }
