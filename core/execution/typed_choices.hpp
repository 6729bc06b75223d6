// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/choice.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

/// Enumerations each of whose values stands for a type. The list of values is written once; names, visits and unions
/// follow from it.
namespace sporos {

/// String literal as a template argument.
template <std::size_t size>
struct NameLiteral {
  char characters[size];  ///< characters of the literal, including the terminating zero

  /// Copies the literal.
  consteval NameLiteral(const char (&literal)[size]) { std::copy_n(literal, size, characters); }
};

/// Value `choice` of an enumeration, its name in user interfaces, and the type `T` that it stands for.
template <NameLiteral name, auto choice, class T>
struct TypedChoice {
  using Choice = decltype(choice);         ///< type of the enumeration
  using Type = T;                          ///< the type that the value stands for
  static constexpr Choice value = choice;  ///< value of the enumeration
  /// Name and value.
  static constexpr NamedValue<Choice> named = {std::string_view(name.characters, sizeof(name.characters) - 1), choice};
};

/// All values of an enumeration, each a TypedChoice, in the order in which they are listed for users.
template <class First, class... Others>
struct TypedChoices {
  using Choice = typename First::Choice;  ///< type of the enumeration

  /// Name and value of each choice: `values` of ChoiceNames<Choice>.
  static constexpr std::array<NamedValue<Choice>, 1 + sizeof...(Others)> names = {{First::named, Others::named...}};

  /// `Template` instantiated with all the choices.
  template <template <class...> class Template>
  using As = Template<First, Others...>;

  /// Returns `visit(std::type_identity<T>())` for the type T of `choice`. For a value that is not listed, it calls
  /// nothing and returns a value-initialized result. It is a chain of comparisons, for kernels and constants.
  template <class Visit>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr auto visit_on_device(Choice choice, const Visit& visit) {
    using Result = decltype(visit(std::type_identity<typename First::Type>()));
    if constexpr (std::is_void_v<Result>) {
      (void)(visit_if<First>(choice, visit) || ... || visit_if<Others>(choice, visit));
    } else {
      Result result{};
      (void)(assign_if<First>(choice, visit, result) || ... || assign_if<Others>(choice, visit, result));
      return result;
    }
  }

  /// Host version of visit_on_device. Throws std::invalid_argument for a value that is not listed.
  template <class Visit>
  static auto visit(Choice choice, const Visit& visit) {
    return visit_from<First, Others...>(choice, visit);
  }

 private:
  template <class Row, class Visit>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool visit_if(Choice choice, const Visit& visit) {
    if (choice != Row::value) return false;
    visit(std::type_identity<typename Row::Type>());
    return true;
  }

  template <class Row, class Visit, class Result>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool assign_if(Choice choice, const Visit& visit, Result& result) {
    if (choice != Row::value) return false;
    result = visit(std::type_identity<typename Row::Type>());
    return true;
  }

  template <class Row, class... Rest, class Visit>
  static auto visit_from(Choice choice, const Visit& visit) {
    if (choice == Row::value) return visit(std::type_identity<typename Row::Type>());
    if constexpr (sizeof...(Rest) > 0) {
      return visit_from<Rest...>(choice, visit);
    } else {
      throw std::invalid_argument("no " + std::string(ChoiceNames<Choice>::what) + " has this number");
    }
  }
};

namespace impl {

/// Storage for one object of any of `Types` at a time, for kernels. as<T>() is the object of type T; its lifetime
/// begins when it is assigned. All types are trivially copyable.
template <class... Types>
union OneOf {
  KOKKOS_FUNCTION OneOf() {}
};

template <class First, class... Others>
union OneOf<First, Others...> {
  KOKKOS_FUNCTION OneOf() {}

  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION T& as() {
    if constexpr (std::is_same_v<T, First>) {
      return first;
    } else {
      return others.template as<T>();
    }
  }

  First first;
  OneOf<Others...> others;
};

}  // namespace impl
}  // namespace sporos
