// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace sporos::apps {

/// Replaces this process by Python if the second argument is a model in Python, such as bakery.py or
/// bakery.py:Bakery. The Python package compiles a program for the model, which runs the command. Returns otherwise.
/// The environment variable SPOROS_PYTHON names the interpreter; it is python3 by default.
void hand_over_python_model(int argc, char** argv);

}  // namespace sporos::apps
