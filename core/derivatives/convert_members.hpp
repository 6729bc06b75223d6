// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <boost/preprocessor/repetition/enum.hpp>
#include <boost/preprocessor/repetition/enum_params.hpp>
#include <boost/preprocessor/repetition/repeat_from_to.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

/// Member-wise conversion of a struct over one number type to the same struct over another, for example of a model in
/// doubles to a model in duals.
namespace sporos::impl {

/// Largest number of data members of a struct that can be converted member by member.
inline constexpr int max_converted_members = 64;

/// Converts to the base classes of `Derived` and to nothing else.
template <class Derived>
struct BaseOf {
  /// Conversion for unevaluated expressions only.
  template <class Base>
  requires(std::is_base_of_v<Base, Derived> && !std::is_same_v<Base, Derived>) operator Base() const;
};

template <class Struct>
concept HasBase = requires {
  Struct{BaseOf<Struct>()};
};

// clang-format off
#define SPOROS_EMPTY_BRACES(z, n, unused) {}
#define SPOROS_COUNT_MEMBERS(z, n, unused) \
  if constexpr (requires { Struct{BOOST_PP_ENUM(n, SPOROS_EMPTY_BRACES, )}; }) count = n;
// clang-format on

/// Number of data members of an aggregate without base classes: the largest number of empty braces that initialize it,
/// counted up to max_converted_members + 1.
template <class Struct>
constexpr int member_count() {
  int count = 0;
  BOOST_PP_REPEAT_FROM_TO(1, 66, SPOROS_COUNT_MEMBERS, )
  return count;
}

/// C++ array, or a class like std::array.
template <class Array>
concept FixedArray = std::is_array_v<Array> || requires(Array& array) {
  std::tuple_size<Array>::value;
  array[0];
};

template <FixedArray Array>
constexpr std::size_t array_size() {
  if constexpr (std::is_array_v<Array>) {
    return std::extent_v<Array>;
  } else {
    return std::tuple_size_v<Array>;
  }
}

template <FixedArray Array>
using ElementOf = std::remove_reference_t<decltype(std::declval<Array&>()[0])>;

/// Struct whose members can be bound: an aggregate without base classes that can be created without arguments.
template <class Struct>
concept PlainStruct =
    std::is_class_v<Struct> && std::is_aggregate_v<Struct> && !HasBase<Struct> &&
    (std::is_empty_v<Struct> || (member_count<Struct>() > 0 && member_count<Struct>() <= max_converted_members));

// clang-format off
#define SPOROS_TIE_MEMBERS(z, n, unused)         \
  if constexpr (count == n) {                    \
    auto& [BOOST_PP_ENUM_PARAMS(n, m)] = object; \
    return std::tie(BOOST_PP_ENUM_PARAMS(n, m)); \
  } else
// clang-format on

/// References to the data members of `object`, in the order of their declarations.
template <class Struct>
constexpr auto tie_members([[maybe_unused]] Struct& object) {
  constexpr int count = member_count<std::remove_const_t<Struct>>();
  BOOST_PP_REPEAT_FROM_TO(1, 65, SPOROS_TIE_MEMBERS, ) { return std::tuple<>(); }
}

#undef SPOROS_EMPTY_BRACES
#undef SPOROS_COUNT_MEMBERS
#undef SPOROS_TIE_MEMBERS

template <class Struct>
using TiedMembers = decltype(tie_members(std::declval<Struct&>()));

/// Whether `convert_members` can convert a `From` to a `To`: it assigns if possible, and otherwise recurses into arrays
/// and structs.
template <class From, class To>
constexpr bool can_convert_members() {
  if constexpr (std::is_assignable_v<To&, const From&>) {
    return true;
  } else if constexpr (FixedArray<From> && FixedArray<To>) {
    return array_size<From>() == array_size<To>() && can_convert_members<ElementOf<From>, ElementOf<To>>();
  } else if constexpr (PlainStruct<From> && PlainStruct<To>) {
    using FromMembers = TiedMembers<From>;
    using ToMembers = TiedMembers<To>;
    constexpr std::size_t count = std::tuple_size_v<FromMembers>;
    if constexpr (count == std::tuple_size_v<ToMembers>) {
      return []<std::size_t... i>(std::index_sequence<i...>) {
        return (can_convert_members<std::remove_reference_t<std::tuple_element_t<i, FromMembers>>,
                                    std::remove_reference_t<std::tuple_element_t<i, ToMembers>>>() &&
                ...);
      }
      (std::make_index_sequence<count>());
    }
  }
  return false;
}

/// Converts `from` to `to` member by member.
template <class From, class To>
void convert_members(const From& from, To& to) {
  if constexpr (std::is_assignable_v<To&, const From&>) {
    to = from;
  } else if constexpr (FixedArray<From>) {
    for (std::size_t i = 0; i < array_size<From>(); ++i) convert_members(from[i], to[i]);
  } else {
    const auto from_members = tie_members(from);
    const auto to_members = tie_members(to);
    [&]<std::size_t... i>(std::index_sequence<i...>) {
      (convert_members(std::get<i>(from_members), std::get<i>(to_members)), ...);
    }
    (std::make_index_sequence<std::tuple_size_v<decltype(from_members)>>());
  }
}

}  // namespace sporos::impl
