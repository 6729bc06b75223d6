// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/networks/network_case.hpp>

#include <string>
#include <string_view>

/// Cases of networks from JSON files. What is wrong with a case is said in one line that names the file and the path of
/// the member, such as stations.triage.servers. Compiled once.
namespace sporos::models {

/// Reads a network from a JSON file, as its schema says (docs/network.schema.json, docs/networks.md):
///
///     {"time_unit": "min", "horizon": "8 h", "warm_up": 30, "wait_limits": ["10 min"],
///      "classes": {"patient": {"interarrival": "exponential(0.2)", "enters": "triage"}},
///      "stations": {"triage": {"servers": 2, "service": "uniform(3, 8)", "next": [{"to": "doctor", "probability":
///      0.7}]},
///                   "doctor": {"servers": 3, "service": "lognormal(2, 0.5)", "patience": "exponential(1) h"}}}
///
/// A time is a number in `time_unit`, or a text with a unit of its own; a distribution is a text as parse_distribution
/// reads it, with a unit behind it or in `time_unit`.
///
/// @throws std::invalid_argument where the file cannot be read or is no JSON, a member is unknown, missing, or of
/// another type, or the network cannot be (see NetworkDescription::check).
NetworkDescription read_network_case(const std::string& path);

/// The network that a text in JSON describes; `path` names it in messages. Throws as read_network_case does.
NetworkDescription network_case_of_json(const std::string& path, std::string_view text);

/// What is run where no case is given: patients come to a nurse, and seven of ten of them go on to a doctor.
NetworkDescription walk_in_clinic();

}  // namespace sporos::models
