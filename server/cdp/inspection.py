"""Looking at a program that stands still: its variables, what is inside them, and the values of expressions."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from server.cdp.evaluation import FrameEvaluator
from server.cdp.expansion import Expansion, page_of
from server.cdp.kept_texts import KeptTexts
from server.cdp.remote_objects import RemoteObjects
from server.cdp.remote_values import property_to_variable, remote_to_value
from server.cdp.scopes import SCOPE_NAMES, WRAPPER_NAMES, FrameScope, frame_to_scopes, is_module_code
from server.debug.value import Page, Value, Variable, VariablePage
from server.errors import EvaluationError, InvalidArgumentsError

if TYPE_CHECKING:
    from cdp_protocol.generated.runtime import RemoteObject
    from server.cdp.connection import Connection
    from server.cdp.pause import Pause
    from server.cdp.session_injection import SessionInjection
    from server.debug.session_model import Evaluation

_MOST_NEAR: Final = 10
_IDENTIFIER: Final = re.compile(r"(?:[^\W\d]|\$)[\w$]*")
_MEMBER: Final = re.compile(r"(?P<base>(?:[^\W\d]|\$)[\w$]*)(?:\.#?[\w$]+|\[[^\[\]]+\])+")


class Inspection:
    """Belongs to the owner of its connection."""

    def __init__(self, connection: Connection, injection: SessionInjection) -> None:
        self._injection = injection
        self._own_names = frozenset((injection.name,))
        self._may_have_changed = False
        """Whether anything was evaluated at this stop: the scopes of a pause are copies that V8 makes once."""
        self._texts = KeptTexts()
        self._objects = RemoteObjects(connection)
        self._expansion = Expansion(self._objects, self._texts, injection.name)
        self._evaluator = FrameEvaluator(connection, self._objects, self._texts, injection.name)

    def variables(self, pause: Pause, frame: int, scope: str | None, page: Page) -> VariablePage:
        """What a frame sees: all its scopes merged, the innermost of a name only; or one scope, by its name."""
        self._injection.prepare(pause, frame)
        call_frame = pause.frames[frame]
        if scope is None:
            found = self._merged(call_frame, page.names)
        else:
            found = self._scope_variables(_scopes_named(scope, call_frame), page.names)
        if scope in (None, "local"):
            found = [*self._return_value(call_frame), *self._this(call_frame), *found]
        shown = page_of(found, page)
        if self._may_have_changed:
            shown = replace(shown, variables=self._as_they_are_now(pause, frame, shown.variables))
        return self._expansion.deepen(shown, page.depth)

    def expand(self, handle: str, page: Page) -> VariablePage:
        """What is inside a value."""
        return self._expansion.expand(handle, page)

    def evaluate(self, pause: Pause, frame: int, evaluations: Iterable[Evaluation]) -> tuple[Value, ...]:
        """The values of expressions in a frame; one that throws, or is none, is a value of type `error`."""
        self._injection.prepare(pause, frame)
        wanted = tuple(evaluations)
        self._may_have_changed = self._may_have_changed or any(one.allow_side_effects for one in wanted)
        return self._evaluator.evaluate(pause.frame_ids[frame], wanted)

    def set_variable(self, pause: Pause, frame: int, name: str, expression: str) -> Value:
        """Give a variable, or a property such as `cart.total`, the value of an expression; that is the answer."""
        self._injection.prepare(pause, frame)
        self._refuse_unknown(pause, frame, name)
        self._may_have_changed = True
        return self._evaluator.assign(pause.frame_ids[frame], name, expression)

    def forget_values(self) -> None:
        """Let go of every value of this stop, before the program goes on; does not wait."""
        self._may_have_changed = False
        self._texts.clear()
        self._objects.release()

    # --- scopes -------------------------------------------------------------------------------------------------------

    def _merged(self, call_frame: Mapping[str, Any], names: Collection[str] = ()) -> list[Variable]:
        scopes = [scope for scope in frame_to_scopes(call_frame) if scope.name != "global"]
        return self._scope_variables([replace(scope, hides_wrapper=scope.is_wrapper) for scope in scopes], names)

    def _scope_variables(self, scopes: list[FrameScope], names: Collection[str] = ()) -> list[Variable]:
        """The variables of scopes, all or some, innermost first; one that an inner one hides is left out."""
        ids = [scope.object_id for scope in scopes]
        properties = self._objects.named_properties(ids, names) if names else self._objects.properties(ids)
        seen: dict[str, Variable] = {}
        for scope, found in zip(scopes, properties, strict=True):
            for one in found.result:
                if one.name not in seen and one.name not in self._hidden_names(scope):
                    seen[one.name] = property_to_variable(one, self._texts.keep, scope.name)
        return list(seen.values())

    def _as_they_are_now(self, pause: Pause, frame: int, variables: tuple[Variable, ...]) -> tuple[Variable, ...]:
        """The same variables read anew, but for those whose name means another one in the frame."""
        visible = {one.name: one.scope for one in self._merged(pause.frames[frame])}
        names = [one.name for one in variables if one.name != "this" and visible.get(one.name) == one.scope]
        values = self._evaluator.current_values(pause.frame_ids[frame], names)
        return tuple(replace(one, value=values.get(one.name, one.value)) for one in variables)

    def _hidden_names(self, scope: FrameScope) -> frozenset[str]:
        if scope.hides_wrapper:
            return WRAPPER_NAMES
        return self._own_names if scope.name == "global" else frozenset()

    def _this(self, call_frame: Mapping[str, Any]) -> list[Variable]:
        """`this` where it tells something: the receiver of a method, not the exports of a module."""
        from cdp_protocol.base import decode
        from cdp_protocol.generated import runtime

        receiver = call_frame.get("this")
        if not isinstance(receiver, dict) or is_module_code(call_frame) or receiver.get("className") == "global":
            return []
        remote = decode(runtime.RemoteObject, receiver)
        return [] if remote.object_id is None else [self._local("this", remote)]

    def _return_value(self, call_frame: Mapping[str, Any]) -> list[Variable]:
        """What a call gives back, where the program stands at its very end."""
        from cdp_protocol.base import decode
        from cdp_protocol.generated import runtime

        returned = call_frame.get("returnValue")
        if not isinstance(returned, dict):
            return []
        return [self._local("(return value)", decode(runtime.RemoteObject, returned))]

    def _local(self, name: str, remote: RemoteObject) -> Variable:
        (with_preview,) = self._objects.previews([remote])
        return Variable(name, remote_to_value(with_preview, self._texts.keep), "local")

    def _refuse_unknown(self, pause: Pause, frame: int, name: str) -> None:
        """Raise for a name that nothing has: assigning would make a global variable of it."""
        member = _MEMBER.fullmatch(name)
        if member is None and not _IDENTIFIER.fullmatch(name):
            raise InvalidArgumentsError(f"{name!r} is neither a variable nor a property such as cart.total.")
        base = name if member is None else member["base"]
        known = [one.name for one in self._merged(pause.frames[frame])]
        if base in known or base == "this" or self._evaluator.is_defined(pause.frame_ids[frame], base):
            return
        near = difflib.get_close_matches(base, known, n=_MOST_NEAR, cutoff=0.5)
        others = len(known) - len(near)
        raise EvaluationError(
            f"There is no variable {base} in this frame.",
            advice=f"The frame sees {others} {'others' if near else 'variables'}: get_variables lists them.",
            details={"near_names": near},
        )


def _scopes_named(name: str, call_frame: Mapping[str, Any]) -> list[FrameScope]:
    if name not in SCOPE_NAMES:
        raise InvalidArgumentsError(f"{name!r} is no scope.", advice=f"There are: {', '.join(SCOPE_NAMES)}.")
    return [scope for scope in frame_to_scopes(call_frame) if scope.name == name]
