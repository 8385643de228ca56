"""What every generated model is made of: values, commands with their answers, events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, cast, get_args

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.fields import FieldInfo

from cdp_protocol.salvage import salvage


class CDPModel(BaseModel):
    """An object of the protocol: frozen, snake_case here and camelCase on the wire.

    ``model_fields_set`` tells a field that was null from one that was absent.
    """

    model_config = ConfigDict(extra="ignore", frozen=True, populate_by_name=True)


class Empty(CDPModel):
    """The answer to a command that has nothing to answer."""


M = TypeVar("M", bound=CDPModel)
R_co = TypeVar("R_co", bound=CDPModel, covariant=True)


class Command(CDPModel, Generic[R_co]):
    """A request. ``Command[X]`` is answered with an ``X``."""

    METHOD: ClassVar[str]

    if not TYPE_CHECKING:
        # The parameter is for type checkers; pydantic would build one more model class for each command.
        def __class_getitem__(cls, _result: object) -> type[Command]:
            return cls

    @classmethod
    def result_type(cls) -> type[R_co]:
        """The model of the answer."""
        raise NotImplementedError(cls.__name__)

    @classmethod
    def decode_result(cls, payload: Mapping[str, object]) -> R_co:
        """Turn the ``result`` of a response into its model. Never raises for what a runtime sent."""
        return decode(cls.result_type(), payload)

    def to_params(self) -> dict[str, object]:
        """The ``params`` of the request, in wire names. What was not set is not in there."""
        return _to_wire(self)


class BareCommand(Command[Empty]):
    """A request that is only acknowledged."""

    @classmethod
    def result_type(cls) -> type[Empty]:
        """The model of the answer."""
        return Empty


class Event(CDPModel):
    """Something that a runtime reports unasked."""

    METHOD: ClassVar[str]


def _to_wire(model: BaseModel) -> dict[str, object]:
    values = model.__dict__
    return {
        field.alias or name: _value_to_wire(values[name])
        for name, field in type(model).model_fields.items()
        if name in model.model_fields_set and (values[name] is not None or _takes_null(field))
    }


def _value_to_wire(value: object) -> object:
    if isinstance(value, BaseModel):
        return _to_wire(value)
    if isinstance(value, list):
        return [_value_to_wire(one) for one in cast("list[object]", value)]
    return value


def _takes_null(field: FieldInfo) -> bool:
    """V8 rejects null for an absent optional. Only where any JavaScript value goes is null one of them."""
    return Any in (field.annotation, *get_args(field.annotation))


def decode(model: type[M], payload: Mapping[str, object]) -> M:
    """Turn what a runtime sent into ``model``, whatever it sent.

    Runtimes differ from the protocol's description and from each other. A message that does not fit keeps
    every part that does: see ``cdp_protocol.salvage``.
    """
    try:
        return model.model_validate(payload)
    except (ValidationError, RecursionError) as error:
        return salvage(model, payload, error)
