# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Completes docstrings with the command line's descriptions of options and with the list of models."""

from __future__ import annotations

import difflib
import inspect
import re
import textwrap
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from ._arguments import texts_of
from ._backends import native
from ._models import Model, models

_Function = TypeVar("_Function", bound=Callable[..., Any])

_common = {
    "seed": "A whole number, or anything that numpy.random.default_rng takes; a Generator is advanced by one draw.",
    "backend": "The backend that computes; default: the fastest of `sporos.backends()`. For a model that is "
    "a Python function: the fastest of those for hosts.",
    "progress": "True shows a progress bar by tqdm, or a line if tqdm is not installed, and False shows nothing. A "
    "function receives a `sporos.Progress` at intervals, and stops the run by returning False. Default: a bar after one "
    "second, on a terminal or in a notebook.",
}
_types = {"Seed": "int or numpy.random.Generator", "ProgressArgument": "bool or callable"}


def _entry(name: str, kind: str, text: str) -> str:
    return f"{name} : {kind}\n" + textwrap.fill(text, 110, initial_indent="    ", subsequent_indent="    ")


def _option_entry(parameter: inspect.Parameter, helps: dict[str, str]) -> str:
    annotation = str(parameter.annotation).replace(" | None", "")
    kind = _types.get(annotation, annotation.replace(" | ", " or ")) + ", optional"
    help_text = re.sub(r"(^|; )[^;]*exit status[^;]*", "", helps.get(parameter.name, "")).removeprefix("; ")
    switch = re.sub(r"default: (on|off)\b", lambda found: f"default: {found[1] == 'on'}", help_text)
    texts = [switch, _common.get(parameter.name, "")]
    return _entry(parameter.name, kind, " ".join(text.rstrip(".") + "." for text in texts if text))


def _with_options(function: Callable[..., Any]) -> None:
    """Replaces `**options: Unpack[SomeTypedDict]` in the signature by the keywords of the TypedDict."""
    signature = inspect.signature(function)
    *others, rest = signature.parameters.values()
    if not (rest.kind is rest.VAR_KEYWORD and str(rest.annotation).startswith("Unpack[")):
        return
    kinds = function.__globals__[rest.annotation[len("Unpack["):-1]].__annotations__
    keywords = [
        inspect.Parameter(name, rest.KEYWORD_ONLY, default=None, annotation=getattr(kind, "__forward_arg__", kind))
        for name, kind in kinds.items()
    ]
    setattr(function, "__signature__", signature.replace(parameters=[*others, *keywords]))


def option_texts(function: Callable[..., Any], options: Mapping[str, Any]) -> dict[str, str]:
    """Returns the options as strings of the command line. Raises TypeError if `function` has no such keyword."""
    known = inspect.signature(function).parameters
    for name in options:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            meant = f". Did you mean {near[0]!r}?" if near else ""
            raise TypeError(f"{function.__name__}() got an unexpected keyword argument {name!r}{meant}")
    return texts_of(options)


def _model_entry(model: Model) -> str:
    lines = [
        f"{one.name}: {one.meaning}{one.unit and ' [' + one.unit + ']'}; "
        f"default: {'built-in data' if one.default == '' else one.default}"
        for one in model.parameters
    ]
    return "\n    ".join([f"{model.name} : {model.title}", *lines])


def documented(command: str) -> Callable[[_Function], _Function]:
    """Returns a decorator that fills in `{options}`, `{models}` and `{samplings}` in a docstring.

    `{options}` is replaced by the parameters that the docstring does not describe.
    """

    def completed(function: _Function) -> _Function:
        _with_options(function)
        text = inspect.getdoc(function)
        if text is None:  # python -OO removes docstrings
            return function
        helps = native().option_helps(command)
        entries = [
            _option_entry(parameter, helps)
            for parameter in inspect.signature(function).parameters.values()
            if not re.search(rf"^(\w+, )*\**{parameter.name}(, \w+)* :", text, re.MULTILINE)
        ]
        text = text.replace("{options}", "\n".join(entries)).replace("{samplings}", helps.get("sampling", ""))
        function.__doc__ = text.replace("{models}", "\n".join(_model_entry(model) for model in models()))
        return function

    return completed
