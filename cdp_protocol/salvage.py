"""Make a model of a message that does not fit it: keep what fits, field by field.

A bad optional field is left out, a bad item of a list is dropped, a required field that is bad or missing
gets the neutral value of its type (``""``, ``0``, ``False``, an empty list...). ``model_fields_set`` names
what really arrived.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from types import UnionType
from typing import Any, Literal, TypeGuard, TypeVar, Union, cast, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

_log = logging.getLogger(__name__)

_MAX_DEPTH = 64
"""Models nest through each other (a stack trace has a parent); no honest message nests this deep."""

_ANYTHING: tuple[object, ...] = (Any, object)
_NEUTRAL_SCALARS: Mapping[object, object] = {str: "", int: 0, float: 0.0, bool: False}


class _Unfit:
    """The type of the mark for a value that cannot be kept; None is a value."""


_UNFIT = _Unfit()

_M = TypeVar("_M", bound=BaseModel)


def salvage(model: type[_M], payload: object, error: Exception) -> _M:
    """Make a ``model`` of ``payload``, which plain validation refused with ``error``. Never raises."""
    if _log.isEnabledFor(logging.DEBUG):
        _log.debug("%s does not fit its model: %s", model.__name__, _misfits(error))
    return _salvage_model(model, payload, depth=0)


def _misfits(error: Exception) -> str:
    """Which fields were refused. Their values stay out of the log: they may be huge, or not encodable."""
    if not isinstance(error, ValidationError):
        return type(error).__name__
    details = error.errors(include_url=False, include_context=False, include_input=False)
    return ", ".join(".".join(map(str, one["loc"])) + f" ({one['type']})" for one in details)


def _salvage_model(model: type[_M], payload: object, depth: int) -> _M:
    received: Mapping[object, object] = payload if _is_mapping(payload) else {}
    values: dict[str, object] = {}
    neutral: dict[str, object] = {}
    for name, field in model.model_fields.items():
        value = _fit_field(name, field, received, depth)
        if not isinstance(value, _Unfit):
            values[name] = value
        elif field.is_required():
            neutral[name] = _neutral(field.annotation, depth)
    return model.model_construct(set(values), **values, **neutral)


def _fit_field(name: str, field: FieldInfo, received: Mapping[object, object], depth: int) -> object:
    wire_name = field.alias or name
    return _fit(field.annotation, received[wire_name], depth) if wire_name in received else _UNFIT


def _fit(annotation: object, value: object, depth: int) -> object:
    """``value`` as far as it fits ``annotation``, or the mark that nothing of it does."""
    fit_generic = _FIT_GENERIC.get(get_origin(annotation))
    if fit_generic is not None:
        return fit_generic(get_args(annotation), value, depth)
    if _is_model(annotation):
        return _fit_model(annotation, value, depth)
    return _fit_scalar(annotation, value)


def _fit_union(members: tuple[object, ...], value: object, depth: int) -> object:
    fitted = (_fit(member, value, depth) for member in members)
    return next((one for one in fitted if not isinstance(one, _Unfit)), _UNFIT)


def _fit_literal(allowed: tuple[object, ...], value: object, _depth: int) -> object:
    return value if isinstance(value, str) and value in allowed else _UNFIT


def _fit_list(arguments: tuple[object, ...], value: object, depth: int) -> object:
    if not isinstance(value, list):
        return _UNFIT
    fitted = (_fit(arguments[0], one, depth) for one in cast("list[object]", value))
    return [one for one in fitted if not isinstance(one, _Unfit)]


def _fit_dict(_arguments: tuple[object, ...], value: object, _depth: int) -> object:
    return dict(value) if _is_mapping(value) else _UNFIT


_FIT_GENERIC: Mapping[object, Callable[[tuple[object, ...], object, int], object]] = {
    Union: _fit_union,
    UnionType: _fit_union,
    Literal: _fit_literal,
    list: _fit_list,
    dict: _fit_dict,
}


def _fit_model(model: type[BaseModel], value: object, depth: int) -> object:
    if not _is_mapping(value) or depth >= _MAX_DEPTH:
        return _UNFIT
    try:
        return model.model_validate(value)
    except (ValidationError, RecursionError):
        return _salvage_model(model, value, depth + 1)


def _fit_scalar(annotation: object, value: object) -> object:
    if annotation in _ANYTHING:
        return value
    if annotation is float and type(value) is int:
        return value
    # The exact type: True is no line number. A string stays even with lone surrogates, which validation
    # refuses and JavaScript allows.
    return value if type(value) is annotation else _UNFIT


def _neutral(annotation: object, depth: int) -> object:
    """The value that says least, of the type that was promised."""
    origin = get_origin(annotation)
    if origin in (Union, UnionType):
        # Unions of required fields are enums, and end in the plain string that admits any value.
        return _neutral(get_args(annotation)[-1], depth)
    if origin is list:
        return []
    if origin is dict:
        return {}
    if _is_model(annotation):
        return _salvage_model(annotation, {}, depth + 1)
    return _NEUTRAL_SCALARS.get(annotation)


def _is_mapping(value: object) -> TypeGuard[Mapping[object, object]]:
    return isinstance(value, Mapping)


def _is_model(annotation: object) -> TypeGuard[type[BaseModel]]:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)
