// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "draws.hpp"

#include <sporos/core/replication/described_model.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

/// Models whose replications are calls of a Python function, as described cases: every question that takes a case takes
/// them. The members of the case are the parameters of the function. They run on host backends only.
namespace sporos::python {

/// A Python function and the description of its model.
struct Function {
  std::vector<std::string> responses;  ///< names of the responses
  std::vector<CaseMember> parameters;  ///< its parameters with their default values
  /// Calls the function for one replication with these parameters, and writes its responses. Kernels call it from any
  /// thread. If the function fails, the launch stops and the responses are NaN.
  std::function<void(std::span<const double> parameters, DrawSource& draws, std::span<double> responses)> replicate;
};

/// Returns the function that Python has added (add_function) under the name of its model.
const Function& function_named(const std::string& name);

/// A replication of the model calls the function.
struct FunctionModel {
  static constexpr int max_parameters = 64;  ///< largest number of parameters of a function
  static constexpr int max_changes = max_parameters;
  static constexpr int input_count = Draws::input_count;

  /// Parameters whose values are stored outside of the model.
  struct Changes {
    const int* members = nullptr;
    const double* values = nullptr;
    int count = 0;
  };

  const Function* function = nullptr;
  Kokkos::Array<double, static_cast<std::size_t>(max_parameters)> parameters{};
  Changes more = {};

  int response_count() const { return static_cast<int>(function->responses.size()); }
  std::string response_name(int response) const { return function->responses[static_cast<std::size_t>(response)]; }

  /// Sets a parameter.
  bool set_member(int member, double value) {
    parameters[member] = value;
    return true;
  }
  /// Sets further parameters. The numbers must outlive the model.
  void set_members(const int* members, const double* values, int count) { more = {members, values, count}; }

  template <class Inputs, class Responses>
  void operator()(Inputs& inputs, Responses& responses) const {
    auto values = parameters;
    for (int i = 0; i < more.count; ++i) values[more.members[i]] = more.values[i];
    DrawsFrom<Inputs&> draws(inputs);
    std::vector<double> numbers(function->responses.size());
    function->replicate({values.data(), function->parameters.size()}, draws, numbers);
    for (int i = 0; i < response_count(); ++i) responses.set(i, numbers[static_cast<std::size_t>(i)]);
  }
};

/// The model of a function as a case without a file: the name of the function is in place of the file's.
struct FunctionCase {
  static constexpr std::string_view name = "function";
  static constexpr std::string_view title = "a Python function";

  std::string function;  ///< name of the model of the function

  static constexpr auto parameters() {
    return std::tuple{
        Parameter<FunctionCase, std::string>{"function", &FunctionCase::function, "", "", "Python function", nullptr}};
  }

  using Data = const Function*;
  using Model = FunctionModel;

  /// The tables of a case, which a function does not have.
  template <class MemorySpace>
  struct Tables {
    explicit Tables(Data data) : function(data) {}
    void set_members(FunctionModel&, const std::vector<int>&, const std::vector<double>&) {
      throw std::logic_error("the model of a function has room for all of its parameters");
    }
    Data function;
  };

  Data load(std::vector<std::string>&) const { return &function_named(function); }
  void check(Data) const {}
  std::vector<std::string> response_names(Data data) const { return data->responses; }
  std::vector<CaseMember> members(Data data) const { return data->parameters; }
  void check_member(Data, std::size_t, double) const {}
  template <class MemorySpace>
  FunctionModel model(const Tables<MemorySpace>& tables) const {
    FunctionModel model{.function = tables.function};
    for (std::size_t i = 0; i < tables.function->parameters.size(); ++i)
      model.parameters[i] = tables.function->parameters[i].default_value;
    return model;
  }
};

}  // namespace sporos::python
