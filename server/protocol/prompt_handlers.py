"""Answers requests about prompts, and completes what a user types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import mcp_types as types

from server.errors import ResourceNotFoundError
from server.prompts.prompt import Prompt
from server.prompts.session_prompts import SessionPrompts
from server.protocol.refusals import refusals_as_protocol_errors
from server.resources.session_resources import TEMPLATES
from server.resources.session_uris import SESSION_ID_VARIABLE

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel import Server

_MAX_COMPLETIONS = 100
"""As many as the protocol allows in one answer."""


class PromptHandlers:
    """Lists, gives and completes, on the event loop."""

    def __init__(self, prompts: SessionPrompts) -> None:
        self._prompts = prompts

    def add_to(self, server: Server[Any]) -> None:
        """Make a server answer these requests, and say so in its capabilities."""
        server.add_request_handler("prompts/list", types.PaginatedRequestParams, self._list)
        server.add_request_handler("prompts/get", types.GetPromptRequestParams, self._get)
        server.add_request_handler("completion/complete", types.CompleteRequestParams, self._complete)

    async def _list(
        self, _context: ServerRequestContext[Any], _params: types.PaginatedRequestParams
    ) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=[_prompt_to_wire(prompt) for prompt in self._prompts.list()])

    async def _get(
        self, context: ServerRequestContext[Any], params: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        with refusals_as_protocol_errors(context.protocol_version):
            prompt = self._prompts.get(params.name)
            text = self._prompts.text(params.name, params.arguments or {})
        content = types.TextContent(type="text", text=text)
        return types.GetPromptResult(
            description=prompt.description, messages=[types.PromptMessage(role="user", content=content)]
        )

    async def _complete(
        self, context: ServerRequestContext[Any], params: types.CompleteRequestParams
    ) -> types.CompleteResult:
        with refusals_as_protocol_errors(context.protocol_version):
            values = self._completions(params)
        completion = types.Completion(
            values=list(values[:_MAX_COMPLETIONS]), total=len(values), has_more=len(values) > _MAX_COMPLETIONS
        )
        return types.CompleteResult(completion=completion)

    def _completions(self, params: types.CompleteRequestParams) -> tuple[str, ...]:
        typed = params.argument.value
        if isinstance(params.ref, types.PromptReference):
            return self._prompts.complete(params.ref.name, params.argument.name, typed)
        uris = [template.uri_template for template in TEMPLATES]
        if params.ref.uri not in uris:
            raise ResourceNotFoundError(
                params.ref.uri, f"There is no template {params.ref.uri!r}. There are: {', '.join(uris)}"
            )
        return self._prompts.complete_session_id(typed) if params.argument.name == SESSION_ID_VARIABLE else ()


def _prompt_to_wire(prompt: Prompt) -> types.Prompt:
    return types.Prompt(
        name=prompt.name,
        title=prompt.title,
        description=prompt.description,
        arguments=[
            types.PromptArgument(name=argument.name, description=argument.description, required=True)
            for argument in prompt.arguments
        ],
    )
