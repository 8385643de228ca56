"""What a server offers beside tools once it has sessions: resources, prompts, and news of both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from server.debug.sessions import Sessions
from server.prompts.session_prompts import SessionPrompts
from server.protocol.prompt_handlers import PromptHandlers
from server.protocol.resource_handlers import ResourceHandlers
from server.protocol.subscribers import Subscribers
from server.resources.change_feed import ChangeFeed
from server.resources.session_resources import SessionResources

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server


class SessionFeatures:
    """All of it, over the sessions of one server. `feed` is what those sessions note their changes in."""

    def __init__(self, sessions: Sessions, feed: ChangeFeed) -> None:
        resources = SessionResources(sessions)
        self._feed = feed
        self._subscribers = Subscribers(resources)
        self._handlers = (ResourceHandlers(resources), PromptHandlers(SessionPrompts(sessions)), self._subscribers)

    def add_to(self, server: Server[Any]) -> None:
        """Make a server offer all of it."""
        for handlers in self._handlers:
            handlers.add_to(server)

    async def tell_changes(self) -> None:
        """Notify clients of what changes, until this is cancelled."""
        await self._feed.tell(self._subscribers.tell)
