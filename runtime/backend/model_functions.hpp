// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <any>
#include <map>
#include <typeindex>
#include <typeinfo>

namespace sporos::runtime {

/// Functions that run tasks with one model on one backend, by the type of the task.
///
/// A *task* with a model is a struct in the folder of its question. It has the data of the task, its result as member
/// type `Result`, and the member template `run<ExecutionSpace, Described>()`, whose constraint states which described
/// models and cases offer it. define_model_functions.hpp lists all tasks.
class ModelFunctions {
 public:
  /// Member function that runs a task.
  template <class Task>
  using Function = typename Task::Result (Task::*)() const;

  /// Adds the function that runs `Task`.
  template <class Task>
  void add(Function<Task> function) {
    m_functions[typeid(Task)] = function;
  }

  /// Returns the function that runs `Task`; null if the model does not offer it.
  template <class Task>
  Function<Task> find() const {
    const auto found = m_functions.find(typeid(Task));
    return found == m_functions.end() ? nullptr : std::any_cast<Function<Task>>(found->second);
  }

 private:
  std::map<std::type_index, std::any> m_functions;
};

/// Returns the functions of a described model or case on the backend for which this program is built. Each model is
/// compiled in a separate translation unit.
template <class Described>
ModelFunctions model_functions();

}  // namespace sporos::runtime
