// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/networks/network_case.hpp>

#include <string>
#include <string_view>

/// Reading networks from JSON files. Errors are one-line messages that name the file and the path of the member, such
/// as stations.triage.servers.
namespace sporos::models {

/// Reads a network from a JSON file (schema: docs/network.schema.json, members: docs/reference/network-cases.md):
///
///     {"time_unit": "min", "horizon": "8 h", "warm_up": 30, "wait_limits": ["10 min"],
///      "classes": {"patient": {"interarrival": "exponential(0.2)", "enters": "triage"}},
///      "stations": {"triage": {"servers": 2, "service": "uniform(3, 8)", "next": [{"to": "doctor", "probability":
///      0.7}]},
///                   "doctor": {"servers": 3, "service": "lognormal(2, 0.5)", "patience": "exponential(1) h"}}}
///
/// A time is a number in `time_unit` or a string with a unit. A distribution is a string in the format of
/// parse_distribution, with an optional unit (default: `time_unit`).
///
/// @throws std::invalid_argument if the file cannot be read or is not JSON, if a member is unknown, missing or of the
/// wrong type, or if the network is inconsistent (see NetworkDescription::check).
NetworkDescription read_network_case(const std::string& path);

/// Parses a network from the JSON string `text`. `path` names the source in error messages. Throws like
/// read_network_case.
NetworkDescription network_case_of_json(const std::string& path, std::string_view text);

/// Returns the default network: patients see a nurse, and seven of ten go on to a doctor.
NetworkDescription walk_in_clinic();

}  // namespace sporos::models
