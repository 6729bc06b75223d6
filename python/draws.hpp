// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/sampling/inputs.hpp>
#include <sporos/core/sampling/standard_variates.hpp>

#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace sporos::python {

/// The next variate of an input variable in each standard form, whatever inputs they come from.
class DrawSource {
 public:
  virtual ~DrawSource() = default;
  virtual double uniform(int input) = 0;
  virtual double exponential(int input) = 0;
  virtual double normal(int input) = 0;
};

/// The draws of `Inputs`, which this object owns unless `Inputs` is a reference.
template <class Inputs>
class DrawsFrom final : public DrawSource {
 public:
  /// Makes the inputs from `arguments`.
  template <class... Arguments>
  explicit DrawsFrom(Arguments&&... arguments) : m_inputs(std::forward<Arguments>(arguments)...) {}

  double uniform(int input) override { return m_inputs(input).template as<StandardUniform>(); }
  double exponential(int input) override { return m_inputs(input).template as<StandardExponential>(); }
  double normal(int input) override { return m_inputs(input).template as<StandardNormal>(); }

 private:
  Inputs m_inputs;
};

/// The draws of one replication, for a model that runs in Python. Input variables are numbered from 0.
class Draws {
 public:
  static constexpr int input_count = 64;  ///< largest number of inputs; the numbers do not depend on it

  /// A draw that a distribution turns into a number.
  class Pending : public sporos::impl::NoGenerator {
   public:
    Pending(DrawSource& source, int input) : m_source(source), m_input(input) {}

    /// Draws a uniform in (0, 1).
    operator double() && { return m_source.uniform(m_input); }

    /// Draws a variate of standard form `Form`.
    template <class Form>
    double as() && {
      if constexpr (std::is_same_v<Form, StandardExponential>) return m_source.exponential(m_input);
      if constexpr (std::is_same_v<Form, StandardNormal>) return m_source.normal(m_input);
      static_assert(Form::index <= StandardNormal::index);
      return m_source.uniform(m_input);
    }

   private:
    DrawSource& m_source;
    int m_input;
  };

  /// Draws from a source that this object owns.
  explicit Draws(std::unique_ptr<DrawSource> source) : m_own(std::move(source)), m_source(m_own.get()) {}
  /// Draws from the source of a replication, until end() is called.
  explicit Draws(DrawSource& source) : m_source(&source) {}

  /// The next draw of an input.
  Pending next(int input) const {
    if (m_source == nullptr) throw std::runtime_error("draws of a replication are used after its end");
    return {*m_source, input};
  }

  /// Ends the replication. Python may keep this object, but it draws no more.
  void end() { m_source = nullptr; }

 private:
  std::unique_ptr<DrawSource> m_own;
  DrawSource* m_source;
};

}  // namespace sporos::python
