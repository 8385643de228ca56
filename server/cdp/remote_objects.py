"""Asks V8 what is inside objects, with previews where those are not too dear.

A preview of a large map makes V8 copy the whole map. So everything is asked for twice: without previews, which tells
the sizes, and then with those that are worth it.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Final, TypeVar

from server.cdp.remote_values import is_large, is_shown, wants_preview
from server.errors import InvalidStateError, ProtocolError

if TYPE_CHECKING:
    from cdp_protocol.base import CDPModel
    from cdp_protocol.generated.runtime import (
        CallFunctionOnResult,
        GetPropertiesResult,
        InternalPropertyDescriptor,
        PropertyDescriptor,
        RemoteObject,
    )
    from server.cdp.connection import Call, Connection

R = TypeVar("R", bound="CDPModel")
P = TypeVar("P", "PropertyDescriptor", "InternalPropertyDescriptor")

OBJECT_GROUP: Final = "stop"
"""Under this name V8 keeps what was evaluated, until the program goes on."""
_GONE: Final = ("Could not find object", "Cannot find context", "Invalid remote object id")
_ITSELF: Final = "function(){'use strict';return this}"


class RemoteObjects:
    """Belongs to the owner of its connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def release(self) -> None:
        """Have V8 forget what was evaluated at this stop; does not wait."""
        from cdp_protocol.generated import runtime

        self._connection.post(runtime.ReleaseObjectGroup(object_group=OBJECT_GROUP))

    def properties(self, object_ids: Sequence[str]) -> list[GetPropertiesResult]:
        """The properties of several objects, with previews."""
        plain = self._all([self._post_properties(one, with_previews=False) for one in object_ids])
        asked = [
            self._post_properties(object_id, with_previews=True) if _all_want_previews(found) else None
            for object_id, found in zip(object_ids, plain, strict=True)
        ]
        return [
            self._with_single_previews(found) if call is None else self._with_internal_previews(self._wait(call))
            for found, call in zip(plain, asked, strict=True)
        ]

    def named_properties(self, object_ids: Sequence[str], names: Collection[str]) -> list[GetPropertiesResult]:
        """The same, but only properties of these names."""
        plain = self._all([self._post_properties(one, with_previews=False) for one in object_ids])
        wanted = [[one for one in found.result if one.name in names] for found in plain]
        previewed = iter(self._each_previewed([one for some in wanted for one in some]))
        return [
            found.model_copy(update={"result": list(itertools.islice(previewed, len(some))), "internal_properties": []})
            for found, some in zip(plain, wanted, strict=True)
        ]

    def previews(self, remotes: Iterable[RemoteObject]) -> list[RemoteObject]:
        """The same values, with a preview where that is worth it."""
        asked = [(remote, self._post_preview(remote) if wants_preview(remote) else None) for remote in remotes]
        return [remote if call is None else self._with_preview(remote, call) for remote, call in asked]

    def call(self, object_id: str, function: str, *arguments: object) -> RemoteObject | None:
        """What a function makes of an object as its `this`; None where it throws."""
        answer = self._wait(self.post_call(object_id, function, *arguments))
        return None if answer.exception_details is not None else answer.result

    def post_call(self, object_id: str, function: str, *arguments: object) -> Call[CallFunctionOnResult]:
        """Ask for that, without waiting."""
        from cdp_protocol.generated import runtime

        return self._connection.post(
            runtime.CallFunctionOn(
                object_id=object_id,
                function_declaration=function,
                arguments=[runtime.CallArgument(value=value) for value in arguments],
                silent=True,
            )
        )

    def _post_properties(self, object_id: str, *, with_previews: bool) -> Call[GetPropertiesResult]:
        from cdp_protocol.generated import runtime

        return self._connection.post(
            runtime.GetProperties(object_id=object_id, own_properties=True, generate_preview=with_previews)
        )

    def _post_preview(self, remote: RemoteObject) -> Call[CallFunctionOnResult]:
        from cdp_protocol.generated import runtime

        return self._connection.post(
            runtime.CallFunctionOn(
                object_id=remote.object_id, function_declaration=_ITSELF, silent=True, generate_preview=True
            )
        )

    def _with_preview(self, remote: RemoteObject, call: Call[CallFunctionOnResult]) -> RemoteObject:
        return remote.model_copy(update={"preview": self._wait(call).result.preview})

    def _with_single_previews(self, found: GetPropertiesResult) -> GetPropertiesResult:
        """For objects that have something large inside: a preview of each of the others."""
        return self._with_internal_previews(found.model_copy(update={"result": self._each_previewed(found.result)}))

    def _with_internal_previews(self, found: GetPropertiesResult) -> GetPropertiesResult:
        """V8 gives none for what it knows of an object itself, such as the target of a proxy."""
        shown = [one for one in found.internal_properties or () if is_shown(one)]
        return found.model_copy(update={"internal_properties": self._each_previewed(shown)})

    def _each_previewed(self, properties: Sequence[P]) -> list[P]:
        asked = [
            self._post_preview(one.value) if one.value is not None and wants_preview(one.value) else None
            for one in properties
        ]
        return [
            one
            if call is None or one.value is None
            else one.model_copy(update={"value": self._with_preview(one.value, call)})
            for one, call in zip(properties, asked, strict=True)
        ]

    def _all(self, calls: Iterable[Call[GetPropertiesResult]]) -> list[GetPropertiesResult]:
        return [self._wait(call) for call in calls]

    def _wait(self, call: Call[R]) -> R:
        try:
            return self._connection.wait(call)
        except ProtocolError as error:
            if any(sign in error.wire_message for sign in _GONE):
                raise InvalidStateError(
                    "The value is not there any more: the program has moved on.",
                    advice="Ask for the variables of the present stop.",
                ) from error
            raise


def _all_want_previews(found: GetPropertiesResult) -> bool:
    return not any(one.value is not None and is_large(one.value) for one in found.result)
