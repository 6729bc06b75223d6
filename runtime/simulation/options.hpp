// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/option_table.hpp>
#include <sporos/runtime/simulation/question.hpp>

#include <string>
#include <vector>

namespace sporos::runtime {

/// Options for a model's parameters, in a group of the help.
std::vector<OptionEntry> parameter_entries(const ModelDescription& model, const std::string& group);

/// Options for a plan.
std::vector<OptionEntry> plan_entries();

/// `sporos simulate`: estimates the means of a model's responses and other properties of their distributions.
extern const Question simulate_question;

/// `sporos replay`: runs one replication of an experiment.
extern const Question replay_question;

/// `sporos compare-samplings`: runs an experiment under several samplings.
extern const Question compare_samplings_question;

}  // namespace sporos::runtime
