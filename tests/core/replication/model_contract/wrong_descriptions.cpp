// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each requirement of programs that a model does not meet gives one readable sentence.
#include <sporos/core/replication/described_model.hpp>

#include <array>
#include <string_view>
#include <tuple>

struct Right {
  static constexpr std::string_view name = "queue", title = "a queue";
  double rate;

  enum Input { service, input_count };
  static constexpr auto response_names = std::array{"wait"};
  static constexpr auto parameters() {
    return std::tuple{sporos::Parameter<Right, double>{"rate", &Right::rate, 1, "", "", nullptr}};
  }
  void check() const {}

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    return {{inputs(service)}};
  }
};
static_assert(sporos::DescribedModel<Right>, "means that theory knows are not required");

// expected: a model that programs offer must have a name and a title
struct NoTitle : Right {
  static constexpr int title = 1;
};

// expected: a model that programs offer must describe its parameters
struct NoParameters : Right {
  void parameters() const;
};

// expected: a model that checks its parameters must do so by: void check() const
struct ChecksAnother : Right {
  static void check(const Right&) {}
};

// expected: a model that programs offer must check its parameters
struct NoCheck {
  static constexpr std::string_view name = "queue", title = "a queue";
  enum Input { service, input_count };
  static constexpr auto response_names = std::array{"wait"};
  static constexpr auto parameters() { return std::tuple{}; }

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    return {{inputs(service)}};
  }
};

// expected: a model with known means of its responses must return them from: sporos::ExactMeans<Clinic> exact_means()
// const
struct OtherMeans : Right {
  double exact_means() const { return 1; }
};

// expected: a program creates a model from its parameters only, so a pointer would be null
struct PointsToData {
  static constexpr std::string_view name = "queue", title = "a queue";
  double rate;
  const double* prices;
  enum Input { service, input_count };
  static constexpr auto response_names = std::array{"wait"};
  static constexpr auto parameters() {
    return std::tuple{sporos::Parameter<PointsToData, double>{"rate", &PointsToData::rate, 1, "", "", nullptr}};
  }
  void check() const {}

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    return {{prices[0] * inputs(service)}};
  }
};

// expected: a model must be a trivially copyable class
struct NotCopyable : Right {
  std::string city;
};

// expected: a draw must be used once, where it is made
struct KeepsADraw : Right {
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    const auto draw = inputs(service);
    return {{draw}};
  }
};

// expected: this type is not a case that programs can offer
struct Case : Right {
  using Data = double;
};

template void sporos::check_described<NoTitle>();
template void sporos::check_described<NoParameters>();
template void sporos::check_described<ChecksAnother>();
template void sporos::check_described<NoCheck>();
template void sporos::check_described<OtherMeans>();
template void sporos::check_described<PointsToData>();
template void sporos::check_described<NotCopyable>();
template void sporos::check_described<KeepsADraw>();
template void sporos::check_described<Case>();
