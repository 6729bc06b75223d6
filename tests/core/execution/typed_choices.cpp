// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/execution/typed_choices.hpp>

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>
#include <type_traits>

namespace typed_choices_tests {

struct Cube {
  static constexpr int faces = 6;
  int edge;
};
struct Tetrahedron {
  static constexpr int faces = 4;
  double edge;
};
struct Prism {
  static constexpr int faces = 5;
  double edge, height;
};

enum class Solid { tetrahedron, prism, cube };

using Solids = sporos::TypedChoices<sporos::TypedChoice<"cube", Solid::cube, Cube>,
                                    sporos::TypedChoice<"tetrahedron", Solid::tetrahedron, Tetrahedron>,
                                    sporos::TypedChoice<"a prism", Solid::prism, Prism>>;

constexpr auto unlisted = static_cast<Solid>(7);

struct Faces {
  template <class S>
  int operator()(std::type_identity<S>) const {
    return S::faces;
  }
};

}  // namespace typed_choices_tests

template <>
struct sporos::ChoiceNames<typed_choices_tests::Solid> {
  static constexpr std::string_view what = "solid";
  static constexpr auto values = typed_choices_tests::Solids::names;
};

namespace typed_choices_tests {

TEST(TypedChoices, HaveTheNamesInTheOrderOfTheList) {
  EXPECT_EQ(sporos::names_of<Solid>(), "cube, tetrahedron, a prism");
  EXPECT_EQ(sporos::parse_choice<Solid>("a prism"), Solid::prism);
  EXPECT_EQ(sporos::name_of(Solid::cube), "cube");
}

TEST(Choices, AreNamedWhereTheyAreMeant) {
  const auto but_cubes = [](Solid solid) { return solid != Solid::cube; };
  EXPECT_EQ(sporos::names_where<Solid>(but_cubes), "tetrahedron or a prism");
  EXPECT_EQ(sporos::names_where<Solid>([](Solid) { return true; }, " and "), "cube, tetrahedron and a prism");
  EXPECT_EQ(sporos::names_where<Solid>([](Solid solid) { return solid == Solid::prism; }), "a prism");
  EXPECT_EQ(sporos::names_where<Solid>([](Solid) { return false; }), "");
  EXPECT_EQ(sporos::values_of<Solid>(), (std::array{Solid::cube, Solid::tetrahedron, Solid::prism}));
}

TEST(TypedChoices, VisitTheTypeOfAValue) {
  EXPECT_EQ(Solids::visit(Solid::cube, Faces()), 6);
  EXPECT_EQ(Solids::visit(Solid::tetrahedron, Faces()), 4);
  EXPECT_EQ(Solids::visit(Solid::prism, Faces()), 5);
  try {
    Solids::visit(unlisted, Faces());
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "no solid has this number");
  }
}

TEST(TypedChoices, VisitTheTypeOfAValueInKernels) {
  EXPECT_EQ(Solids::visit_on_device(Solid::cube, Faces()), 6);
  EXPECT_EQ(Solids::visit_on_device(Solid::tetrahedron, Faces()), 4);
  EXPECT_EQ(Solids::visit_on_device(Solid::prism, Faces()), 5);
  EXPECT_EQ(Solids::visit_on_device(unlisted, Faces()), 0);
  int visits = 0;
  Solids::visit_on_device(Solid::prism, [&]<class S>(std::type_identity<S>) {
    EXPECT_TRUE((std::is_same_v<S, Prism>));
    ++visits;
  });
  Solids::visit_on_device(unlisted, [&](auto) { ++visits; });
  EXPECT_EQ(visits, 1);
}

template <class... Choices>
using OneSolid = sporos::impl::OneOf<typename Choices::Type...>;

TEST(OneOf, HoldsAnObjectOfEachTypeInTurn) {
  Solids::As<OneSolid> solid;
  static_assert(sizeof(solid) == sizeof(Prism));
  solid.as<Cube>() = {3};
  EXPECT_EQ(solid.as<Cube>().edge, 3);
  solid.as<Prism>() = {1.5, 2.5};
  const auto copy = solid;
  EXPECT_EQ(solid.as<Prism>().height, 2.5);
  EXPECT_EQ(Solids::As<OneSolid>(copy).as<Prism>().edge, 1.5);
}

}  // namespace typed_choices_tests
