// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/option_table.hpp>
#include <sporos/runtime/options/usage.hpp>
#include <sporos/runtime/simulation/question.hpp>

#include <string>
#include <vector>

namespace sporos::runtime {

/// The options that give a model's parameters, in a group of the help.
std::vector<OptionEntry> parameter_entries(const ModelDescription& model, const std::string& group);

/// The options that make a plan.
std::vector<OptionEntry> plan_entries();

/// The options --design and --plan, which say where design points come from beside the parameters' own options.
std::vector<OptionEntry> design_entries();

/// The usage of a question about an experiment: the model's parameters, of which each may have several values, the
/// options that make a plan and a design, the options of the question, then --threads, --device, --format, --table,
/// --output and --no-progress. `asked` are options behind the model that make an example.
Usage experiment_usage(const Question& question, const ModelDescription& model, std::vector<OptionEntry> options,
                       const std::string& asked);

/// `sporos simulate`: the means of a model's responses and more of their distributions.
extern const Question simulate_question;

/// `sporos replay`: one replication of an experiment.
extern const Question replay_question;

/// `sporos compare-samplings`: an experiment under several samplings.
extern const Question compare_samplings_question;

}  // namespace sporos::runtime
