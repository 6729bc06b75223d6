// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/json.hpp>
#include <sporos/core/io/json_members.hpp>
#include <sporos/core/io/json_text.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/text_file.hpp>
#include <sporos/models/germinal_centre/germinal_centre_checks.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Reads cases of germinal centres from JSON files, in which every quantity has a unit and a source. An error message
/// is one line that names the file and the member.
namespace sporos::models {

/// Reads a case from a JSON file with the members of GerminalCentreCase and of its parts.
/// docs/reference/germinal-centre-cases.md describes all members, and examples/data/germinal_centre.json is an example.
/// A quantity is an object
///
///     {"value": 12, "unit": "um^2/min", "source": "Miller et al. 2002"}
///
/// with the unit that the member has here ("um" for micrometres) and a source that is not empty. A box of elements has
/// two corners, of which the second one is exclusive: [[0, 0, 0], [12, 1, 14]]. `centres` may be missing, and so may
/// quantities of kinds, changes and chemokines, which are then 0. All other members are required.
///
/// @throws std::invalid_argument if the file cannot be read or is not JSON; if a member is unknown, missing, of another
/// type, without a source or of another unit; or if the case is not valid (see GerminalCentreCase::check).
inline GerminalCentreCase read_germinal_centre_case(const std::string& path);

/// Reads a case from a string of JSON; `path` names it in messages. Throws the same exceptions as
/// read_germinal_centre_case.
inline GerminalCentreCase germinal_centre_case_of_json(const std::string& path, std::string_view text);

namespace impl {

/// A part of a case in JSON, with its name in messages.
class CasePart {
 public:
  /// Refers to `json`. Throws io::JsonError if it is not an object or has a member that is not in `names`.
  CasePart(const io::Json& json, std::string what, std::initializer_list<std::string_view> names)
      : m_json(json), m_what(std::move(what)) {
    io::check_json_members(m_json, m_what, names);
  }

  bool has(std::string_view name) const { return m_json.contains(name); }
  std::string named(std::string_view name) const { return fmt::format("{}: {}", m_what, name); }
  const io::Json& member(std::string_view name) const { return io::json_member<io::Json>(m_json, m_what, name); }
  std::string text(std::string_view name) const { return io::json_member<std::string>(m_json, m_what, name); }
  Compartment compartment(std::string_view name) const { return io::json_choice<Compartment>(m_json, m_what, name); }
  std::string text_or_none(std::string_view name) const { return has(name) ? text(name) : std::string(); }

  /// Value of a quantity, which must have this unit.
  double quantity(std::string_view name, std::string_view unit) const {
    const CasePart part(member(name), named(name), {"value", "unit", "source"});
    if (part.text("unit") != unit) {
      throw io::JsonError(part.member("unit"), fmt::format("{} is {}, expected {}", part.named("unit"),
                                                           io::in_quotes(part.text("unit")), io::in_quotes(unit)));
    }
    if (part.text("source").empty()) {
      throw io::JsonError(part.member("source"), part.named("source") + " is empty, expected the source of the value");
    }
    return io::json_member<double>(part.m_json, part.m_what, "value");
  }
  /// Value of a quantity, or 0 if it is missing.
  double quantity_or_zero(std::string_view name, std::string_view unit) const {
    return has(name) ? quantity(name, unit) : 0.0;
  }
  /// Value of a quantity that must be a whole number, or 0 if it is missing.
  std::int64_t count_or_zero(std::string_view name, std::string_view unit) const {
    const double value = quantity_or_zero(name, unit);
    if (value >= 0 && value <= 0x1p52 && value == std::floor(value)) return static_cast<std::int64_t>(value);
    throw io::JsonError(member(name), fmt::format("{} is {}, expected a whole number from 0 to 2^52", named(name),
                                                  io::shortest_text(value)));
  }
  int whole(std::string_view name) const {
    const auto value = io::json_member<std::int64_t>(m_json, m_what, name);
    if (value >= 1 && value <= std::numeric_limits<int>::max()) return static_cast<int>(value);
    throw io::JsonError(member(name), fmt::format("{} is {}, expected a positive integer", named(name), value));
  }

  /// Items of a list. Each is a part with these members, and its name contains its index.
  std::vector<CasePart> parts(std::string_view name, std::initializer_list<std::string_view> names) const {
    std::vector<CasePart> list;
    for (const io::Json& json : io::json_list(m_json, m_what, name)) {
      list.emplace_back(json, fmt::format("{}[{}]", named(name), list.size()), names);
    }
    return list;
  }

  /// Three whole numbers.
  std::array<int, 3> place(const io::Json& json, std::string_view name) const {
    std::array<int, 3> place = {};
    bool is_good = json.is_array() && json.size() == 3;
    for (std::size_t d = 0; is_good && d < 3; ++d) {
      is_good = json[d].is_number_integer() && json[d] >= 0 && json[d] <= max_tissue_elements;
      if (is_good) place[d] = json[d].get<int>();
    }
    if (is_good) return place;
    throw io::JsonError(json, fmt::format("{} is {}, expected three whole numbers of at least 0", named(name),
                                          io::in_quotes(json.dump())));
  }

  /// A list of boxes; empty if it is missing.
  std::vector<ElementBox> boxes(std::string_view name) const {
    std::vector<ElementBox> list;
    if (!has(name)) return list;
    for (const io::Json& json : io::json_list(m_json, m_what, name)) {
      if (!json.is_array() || json.size() != 2) {
        throw io::JsonError(json, fmt::format("{}[{}] is {}, expected two corners of a box", named(name), list.size(),
                                              io::in_quotes(json.dump())));
      }
      list.push_back({place(json[0], name), place(json[1], name)});
    }
    return list;
  }

 private:
  const io::Json& m_json;
  std::string m_what;
};

inline TissueMesh mesh_of_json(const CasePart& part) {
  TissueMesh mesh;
  mesh.elements = part.place(part.member("elements"), "elements");
  mesh.width = part.quantity("width", "um");
  mesh.vessels = part.boxes("vessels");
  mesh.drains = part.boxes("drains");
  mesh.surface = part.boxes("surface");
  return mesh;
}

inline Chemokine chemokine_of_json(const CasePart& part) {
  return {part.text("name"),
          part.quantity_or_zero("diffusion", "um^2/min"),
          part.quantity_or_zero("decay", "1/min"),
          part.quantity_or_zero("secretion", "molecules/min"),
          part.quantity("half_occupancy", "nmol/l"),
          part.boxes("sources")};
}

inline CellKind kind_of_json(const CasePart& part) {
  CellKind kind;
  kind.name = part.text("name");
  kind.motility = part.quantity_or_zero("motility", "um^2/min");
  kind.chemokine = part.text_or_none("chemokine");
  kind.sensitivity = part.quantity_or_zero("sensitivity", "1");
  kind.extraction = part.quantity_or_zero("extraction", "1");
  kind.uptake = part.quantity_or_zero("uptake", "1");
  kind.drainage = part.quantity_or_zero("drainage", "1/min");
  kind.shedding = part.quantity_or_zero("shedding", "1/min");
  kind.production = part.quantity_or_zero("production", "1/min");
  kind.pool_loss = part.quantity_or_zero("pool_loss", "1/min");
  constexpr std::array pools{"in_blood", "in_lymph", "in_marrow", "in_saliva"};
  for (std::size_t pool = 0; pool < pool_count; ++pool) kind.in_pools[pool] = part.count_or_zero(pools[pool], "cells");
  kind.in_tissue = part.count_or_zero("in_tissue", "cells");
  kind.start = part.boxes("start");
  return kind;
}

inline CellChange change_of_json(const CasePart& part) {
  return {part.text("from"),
          part.text_or_none("to"),
          part.quantity("rate", "1/min"),
          part.quantity_or_zero("from_age", "min"),
          part.text_or_none("offspring"),
          part.count_or_zero("offspring_count", "cells")};
}

inline CellMeeting meeting_of_json(const CasePart& part) {
  return {part.text("first"), part.text("second"), part.quantity("rate", "um^3/min"),
          part.text_or_none("first_becomes"), part.text_or_none("second_becomes")};
}

inline void add_parts(GerminalCentreCase& all, const CasePart& whole) {
  for (const auto& part :
       whole.parts("chemokines", {"name", "diffusion", "decay", "secretion", "half_occupancy", "sources"})) {
    all.chemokines.push_back(chemokine_of_json(part));
  }
  for (const auto& part : whole.parts("kinds", {"name", "motility", "chemokine", "sensitivity", "extraction", "uptake",
                                                "drainage", "shedding", "production", "pool_loss", "in_blood",
                                                "in_lymph", "in_marrow", "in_saliva", "in_tissue", "start"})) {
    all.kinds.push_back(kind_of_json(part));
  }
  for (const auto& part : whole.parts("changes", {"from", "to", "rate", "from_age", "offspring", "offspring_count"})) {
    all.changes.push_back(change_of_json(part));
  }
  for (const auto& part : whole.parts("meetings", {"first", "second", "rate", "first_becomes", "second_becomes"})) {
    all.meetings.push_back(meeting_of_json(part));
  }
  for (const auto& part : whole.parts("flows", {"from", "to", "rate"})) {
    all.flows.push_back({part.compartment("from"), part.compartment("to"), part.quantity("rate", "ml/min")});
  }
}

inline GerminalCentreCase germinal_centre_case_of_json(const io::Json& json, const std::string& path) {
  const CasePart whole(json, path,
                       {"model", "centres", "local_step", "steps_per_exchange", "field_substeps", "mesh", "chemokines",
                        "kinds", "changes", "meetings", "volumes", "flows"});
  GerminalCentreCase all;
  if (whole.has("model")) whole.text("model");
  if (whole.has("centres")) all.centres = whole.whole("centres");
  all.local_step = whole.quantity("local_step", "min");
  all.steps_per_exchange = whole.whole("steps_per_exchange");
  all.field_substeps = whole.whole("field_substeps");
  all.mesh =
      mesh_of_json({whole.member("mesh"), whole.named("mesh"), {"elements", "width", "vessels", "drains", "surface"}});
  const CasePart volumes(whole.member("volumes"), whole.named("volumes"), {"blood", "lymph", "marrow", "saliva"});
  for (std::size_t pool = 0; pool < pool_count; ++pool) {
    all.volumes[pool] = volumes.quantity(name_of(static_cast<Compartment>(pool)), "ml");
  }
  add_parts(all, whole);
  try {
    all.check();
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}: {}", path, error.what()));
  }
  return all;
}

}  // namespace impl

inline GerminalCentreCase germinal_centre_case_of_json(const std::string& path, std::string_view text) {
  return io::JsonText(path, std::string(text)).read([](const io::Json& json, const std::string& what) {
    return impl::germinal_centre_case_of_json(json, what);
  });
}

inline GerminalCentreCase read_germinal_centre_case(const std::string& path) {
  return germinal_centre_case_of_json(path, io::read_text_file(path));
}

}  // namespace sporos::models
