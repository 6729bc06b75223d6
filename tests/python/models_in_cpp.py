# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""C++ models that are compiled as models in Python are, to compare both."""

import copy
from pathlib import Path

from sporos._model import ModelName

DESCRIPTION = """struct CallCentre {
  static constexpr std::string_view name = "call-centre", title = "call centre";
  static constexpr auto parameters() {
    using M = CallCentre;
    using sporos::Parameter;
    return std::tuple{Parameter<M, double>{"arrival_rate", &M::arrival_rate, 2.0, "", "arrivals", nullptr},
                      Parameter<M, double>{"service_rate", &M::service_rate, 0.25, "", "services", nullptr},
                      Parameter<M, double>{"patience_rate", &M::patience_rate, 0.5, "", "patience", nullptr},
                      Parameter<M, std::int64_t>{"agents", &M::agents, 10, "", "agents", nullptr},
                      Parameter<M, double>{"minutes", &M::minutes, 5000.0, "", "minutes", nullptr}};
  }
  void check() const { sporos::check_parameters(*this); }
"""


def in_cpp(model, header):
    """Returns the name of a C++ model with the class name and the parameters of `model`. `header` is its text."""
    definition = copy.copy(model._definition)
    definition.header = header
    return ModelName(definition)


def built_in(model, header, name):
    """Returns the name of a built-in C++ model."""
    cls = model.__name__
    return in_cpp(model, f"#include <sporos/models/{header}.hpp>\nusing {cls} = sporos::models::{name};\n")


def clinic(model, source):
    """Returns the name of the model that `sporos new` writes. `source` is the folder of the source code."""
    return in_cpp(model, Path(source, "apps/new_program/clinic.hpp").read_text())


def call_centre(model, source):
    """Returns the name of the model in examples/call_centre.cpp, with a description."""
    text = Path(source, "examples/call_centre.cpp").read_text()
    text = text[: text.index("int main")].replace("struct CallCentre {\n", DESCRIPTION)
    return in_cpp(model, "#include <sporos/core/replication/described_model.hpp>\n" + text)
