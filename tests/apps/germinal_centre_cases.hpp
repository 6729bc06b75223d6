// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "process.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace sporos::test {

/// JSON of the germinal-centre example with a hundredth of the cells, after `change(json)`.
template <class Change>
std::string small_germinal_centres(const Change& change) {
  auto json = nlohmann::ordered_json::parse(contents_of(SPOROS_SAMPLE_DATA "/germinal_centre.json"));
  for (auto& kind : json["kinds"]) {
    for (const char* const name : {"in_tissue", "in_blood", "in_lymph", "in_marrow"}) {
      if (kind.contains(name)) kind[name]["value"] = kind[name]["value"].get<long>() / 100;
    }
  }
  change(json);
  return json.dump();
}

}  // namespace sporos::test
