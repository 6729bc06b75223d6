// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures how fast Frank–Wolfe with resampling iterates on every backend, on the portfolios and newsvendors of He et
// al. (2024), A preliminary study on accelerating simulation optimization with GPU implementation. The program runs one
// instance, so that its peak memory is that of the instance. frank_wolfe.py runs all sizes and compares them with a
// peer.
#include "../harness/program.hpp"
#include "case.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

int main(int argc, char** argv) {
  using namespace sporos::bench;
  FrankWolfeCase of;
  OptionParser app("Frank–Wolfe with resampling on one instance; takes --benchmark_… options too.",
                   "bench_frank_wolfe");
  app.add_option("--problem", of.problem).one_of({"portfolio", "newsvendor"});
  app.add_option("--size", of.size, "decision variables").positive();
  app.add_option("--samples", of.samples, "replications in an epoch").between(2, 1'000'000);
  app.add_option("--iterations", of.iterations, "iterations in an epoch").positive();
  app.add_option("--epochs", of.epochs, "epochs").positive();
  app.add_option("--repetitions", of.repetitions, "side by side, with samples of their own; times are a share")
      .positive();
  app.add_option("--gap-batches", of.gap_batches, "of the certificate after a single run").between(0, 10'000);
  app.add_option("--gap-batch-size", of.gap_batch_size, "replications in each").positive();
  app.add_option("--seed", of.seed, "of the samples, and of an instance that is generated");
  app.add_option("--instance", of.instance, "folder with the instance's vectors as NPY files");
  app.add_option("--screening", of.screening, "whether epochs iterate on few coordinates").one_of({"on", "off"});
  app.add_option("--time-limit", of.time_limit, "seconds after which a run starts no further iteration").positive();
  app.add_option("--precision", of.precision, "of all numbers").one_of({"float64"});
  return run_benchmarks(app, argc, argv, [&] {
    if (of.repetitions > 1 && (of.screening == "off" || std::isfinite(of.time_limit))) {
      throw std::invalid_argument("--repetitions is " + std::to_string(of.repetitions) +
                                  "; with --screening off or --time-limit, give --repetitions 1");
    }
    benchmark::AddCustomContext("samples", std::to_string(of.samples));
    benchmark::AddCustomContext("iterations", std::to_string(of.iterations));
    benchmark::AddCustomContext("epochs", std::to_string(of.epochs));
    benchmark::AddCustomContext("repetitions", std::to_string(of.repetitions));
    benchmark::AddCustomContext("precision", of.precision);
    benchmark::AddCustomContext("screening", of.screening);
    (of.problem == "portfolio" ? register_portfolio : register_newsvendor)(of);
  });
}
