"""Tells clients which resources changed, in the way of their era.

A client of the versions with a handshake names one resource after another (`resources/subscribe`), and is told of a
changed list unasked. A client of 2026-07-28 names all that it wants to hear of in one request (`subscriptions/listen`),
which lasts until it has heard enough; the SDK serves that request.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler
from mcp.shared import subscriptions as listening

from server.protocol.refusals import refusals_as_protocol_errors
from server.resources.resource_events import ResourceEvent, ResourceListChanged
from server.resources.session_resources import SessionResources

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel import Server
    from mcp.server.session import ServerSession


class Subscribers:
    """Whoever wants to hear of changes. Standard input has one client, of one era: only one part is ever busy."""

    def __init__(self, resources: SessionResources) -> None:
        self._bus = InMemorySubscriptionBus()
        self._listen = ListenHandler(self._bus)
        self._handshake_client = HandshakeClient(resources)

    def add_to(self, server: Server[Any]) -> None:
        """Make a server take subscriptions of both eras."""
        server.add_request_handler("subscriptions/listen", types.SubscriptionsListenRequestParams, self._listen)
        self._handshake_client.add_to(server)

    async def tell(self, event: ResourceEvent) -> None:
        """Tell everybody who asked for it."""
        await self._bus.publish(_event_to_bus(event))
        await self._handshake_client.tell(event)


class HandshakeClient:
    """The subscriptions of a client that did a handshake."""

    def __init__(self, resources: SessionResources) -> None:
        self._resources = resources
        self._session: ServerSession | None = None
        self._uris: set[str] = set()

    def add_to(self, server: Server[Any]) -> None:
        """Make a server take subscriptions, and notice the end of the handshake."""
        server.add_request_handler("resources/subscribe", types.SubscribeRequestParams, self._subscribe)
        server.add_request_handler("resources/unsubscribe", types.UnsubscribeRequestParams, self._unsubscribe)
        server.add_notification_handler("notifications/initialized", types.NotificationParams, self._greet)

    async def tell(self, event: ResourceEvent) -> None:
        """Tell of a changed list, or of a resource that was subscribed to."""
        if self._session is None:
            return
        if isinstance(event, ResourceListChanged):
            await self._session.send_resource_list_changed()
        elif event.uri in self._uris:
            await self._session.send_resource_updated(event.uri)

    async def _greet(self, context: ServerRequestContext[Any], _params: types.NotificationParams) -> None:
        self._session = context.session  # what it sends that answers no request goes to the client at any time

    async def _subscribe(
        self, context: ServerRequestContext[Any], params: types.SubscribeRequestParams
    ) -> types.EmptyResult:
        uri = str(params.uri)
        with refusals_as_protocol_errors(context.protocol_version):
            self._resources.check(uri)
        self._uris.add(uri)
        return types.EmptyResult()

    async def _unsubscribe(
        self, _context: ServerRequestContext[Any], params: types.UnsubscribeRequestParams
    ) -> types.EmptyResult:
        self._uris.discard(str(params.uri))
        return types.EmptyResult()


def _event_to_bus(event: ResourceEvent) -> listening.ServerEvent:
    if isinstance(event, ResourceListChanged):
        return listening.ResourcesListChanged()
    return listening.ResourceUpdated(event.uri)
