"""From an event on the wire to its model. A domain's models are imported on its first event."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from cdp_protocol.base import Event, decode
from cdp_protocol.generated import DOMAINS


@dataclass(frozen=True)
class UnknownEvent:
    """An event that has no model here: a newer runtime's, or one that we do not use."""

    method: str
    params: Mapping[str, object]


def decode_event(method: str, params: Mapping[str, object]) -> Event | UnknownEvent:
    """Turn the method and parameters of an event into its model. Never raises."""
    model = _event_models(method.partition(".")[0]).get(method)
    return UnknownEvent(method, params) if model is None else decode(model, params)


def _event_models(domain: str) -> Mapping[str, type[Event]]:
    # Only known names get to the cache and to the import: the domain is a word from outside.
    return _load_event_models(DOMAINS[domain]) if domain in DOMAINS else {}


@cache
def _load_event_models(module: str) -> Mapping[str, type[Event]]:
    members = vars(import_module(f"cdp_protocol.generated.{module}")).values()
    models = [one for one in members if isinstance(one, type) and issubclass(one, Event) and one is not Event]
    return {model.METHOD: model for model in models}
