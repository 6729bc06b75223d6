// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/sampling/uniform_source.hpp>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace sporos {

UniformSource source_with(UniformSource source, Sampling sampling) {
  source.sampling = sampling;
  if (sampling != Sampling::descriptive) source.sample_size = 0;
  if (!takes_engine(sampling)) source.engine = Engine::philox4x32;
  return source;
}

bool shares_draws(const UniformSource& source) {
  return is_point_set(source.sampling) || (!takes_engine(source.sampling) && source.replications_of_run() > 1);
}

std::int64_t dimensions_of(std::span<const InputDraws> draws) {
  std::int64_t dimensions = 0;
  for (const auto& input : draws) dimensions += input.total();
  return dimensions;
}

namespace {

[[noreturn]] void refuse_source(const UniformSource& source, const std::string& problem) {
  throw std::invalid_argument("sampling " + std::string(name_of(source.sampling)) + " " + problem);
}

void check_engine(const UniformSource& source) {
  if (takes_engine(source.sampling) || source.engine == Engine::philox4x32) return;
  throw std::invalid_argument("engine is " + std::string(name_of(source.engine)) + ", expected philox: sampling " +
                              std::string(name_of(source.sampling)) + " takes no other engine");
}

void check_run_length(const UniformSource& source) {
  const std::int64_t length = source.run_length;
  if (length < 0) {
    throw std::invalid_argument("run length is " + std::to_string(length) + ", expected at least 1");
  }
  if (source.sampling == Sampling::antithetic && length % 2 != 0) {
    throw std::invalid_argument("run length is " + std::to_string(length) +
                                ", expected a multiple of 2, because antithetic sampling runs replications in pairs");
  }
  if (!takes_engine(source.sampling) && length > max_in_sample) {
    throw std::invalid_argument("run length is " + std::to_string(length) + ", expected at most " +
                                std::to_string(max_in_sample));
  }
  if (is_point_set(source.sampling) && length == 0) {
    refuse_source(source, "requires a run length, the number of points");
  }
}

// Summary of the draws that a model states, as the checks below need it.
struct StatedDraws {
  std::int64_t most = 0;     // largest stated number of draws of a variable
  bool is_complete = false;  // whether every input states its draws
  bool is_single = false;    // whether every input states exactly one draw of each variable
};

StatedDraws stated_draws(std::span<const InputDraws> draws) {
  StatedDraws stated{0, !draws.empty(), !draws.empty()};
  for (std::size_t i = 0; i < draws.size(); ++i) {
    const auto& [count, variables] = draws[i];
    if (count < 0 || variables < 1) {
      throw std::invalid_argument("input " + std::to_string(i + 1) + " of the model states " + std::to_string(count) +
                                  " draws of " + std::to_string(variables) +
                                  " variables, expected at least 0 draws of at least 1");
    }
    stated.most = std::max(stated.most, count);
    stated.is_complete = stated.is_complete && count > 0;
    stated.is_single = stated.is_single && count == 1;
  }
  return stated;
}

void check_sample_size(const UniformSource& source) {
  const std::string size = "sample size is " + std::to_string(source.sample_size);
  if (source.sample_size != 0 && source.sampling != Sampling::descriptive) {
    throw std::invalid_argument(size + " for sampling " + std::string(name_of(source.sampling)) +
                                ", expected it with descriptive only");
  }
  if (source.sample_size < 0 || source.sample_size > max_in_sample) {
    throw std::invalid_argument(size + ", expected 1 to " + std::to_string(max_in_sample));
  }
  const std::int64_t length = source.replications_of_run();
  if (length > 1 && source.sample_size != 0) {
    throw std::invalid_argument(
        size + " next to a run length of " + std::to_string(length) +
        ", expected one of them: the draws of all replications in a run determine its sample size");
  }
}

// Checks that the sample size of descriptive sampling is known and not too large.
void check_samples(const UniformSource& source, const StatedDraws& stated) {
  if (source.sampling != Sampling::descriptive || source.sample_size > 0) return;
  const std::int64_t length = source.replications_of_run();
  if (length == 1 && !stated.is_complete) {
    refuse_source(
        source,
        "requires a sample size, because this model states no number of draws: give about the number of draws "
        "of a variable in a replication");
  }
  if (stated.most <= max_in_sample / length) return;
  const std::string draws = std::to_string(stated.most) + " times";
  refuse_source(
      source, "takes samples of at most " + std::to_string(max_in_sample) + " numbers, but " +
                  (length == 1 ? "a replication draws a variable " + draws
                               : std::to_string(length) + " replications of a run draw a variable " + draws + " each"));
}

void check_sequence_is_shared(const UniformSource& source, const StatedDraws& stated) {
  const bool describes = source.sampling == Sampling::descriptive || source.sampling == Sampling::refined_descriptive;
  if (!describes || source.replications_of_run() > 1 || source.sample_size > 0 || !stated.is_single) return;
  refuse_source(
      source,
      "requires a run length, the number of replications that share a sample, because a replication draws each "
      "variable once");
}

// A replication that uses every number of its sample exactly once has a sum that hardly varies, so the user must choose
// this explicitly.
void check_descriptive_is_chosen(const UniformSource& source) {
  if (source.sampling != Sampling::descriptive || source.run_length > 0 || source.sample_size > 0) return;
  refuse_source(
      source,
      "requires a run length, the number of replications that share a sample, or a sample size, the size of a "
      "variable's sample within a replication");
}

void check_dimensions(const UniformSource& source, std::int64_t dimensions) {
  const std::int64_t most = max_dimensions(source.sampling);
  if (dimensions <= most) return;
  refuse_source(source, "has " + std::to_string(most) + " dimensions, but a replication draws " +
                            std::to_string(dimensions) + " times");
}

}  // namespace

void check_source(const UniformSource& source, std::span<const InputDraws> draws) {
  const StatedDraws stated = stated_draws(draws);
  check_engine(source);
  check_run_length(source);
  if (source.sampling == Sampling::refined_descriptive) check_prime_range("primes", source.primes);
  check_sample_size(source);
  check_samples(source, stated);
  check_sequence_is_shared(source, stated);
  check_descriptive_is_chosen(source);
  if (stated.most == 0 && shares_draws(source)) {
    const auto is_sequence = [](Sampling sampling) { return !is_point_set(sampling); };
    refuse_source(source,
                  is_point_set(source.sampling)
                      ? "assigns a coordinate to each draw of a replication, but this model states no number of "
                        "draws: expected " +
                            names_where<Sampling>(is_sequence)
                      : "in runs of several replications requires the number of draws of each, but this model "
                        "states none: expected runs of one replication");
  }
  if (is_point_set(source.sampling)) check_dimensions(source, dimensions_of(draws));
}

void check_serves_entities(const UniformSource& source) {
  if (takes_engine(source.sampling)) return;
  refuse_source(source,
                "assigns numbers to draws in their order, but the draws of this model belong to entities, such as "
                "customers: expected " +
                    names_where<Sampling>([](Sampling sampling) { return takes_engine(sampling); }));
}

void check_runs_on(const UniformSource& source, bool is_host, std::string_view backend) {
  if (is_host || !runs_on_hosts_only(source.engine)) return;
  throw std::invalid_argument("engine is " + std::string(name_of(source.engine)) +
                              ", which runs on hosts only, but the backend is " + std::string(backend) +
                              ": expected one of " +
                              names_where<Engine>([](Engine engine) { return !runs_on_hosts_only(engine); }) +
                              ", or the backend serial or openmp");
}

}  // namespace sporos
