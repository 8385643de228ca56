"""Answers requests about resources."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import mcp_types as types

from server.protocol.refusals import refusals_as_protocol_errors
from server.resources.session_resources import JSON_TYPE, TEMPLATES, SessionResources

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel import Server


class ResourceHandlers:
    """Lists and reads, on the event loop."""

    def __init__(self, resources: SessionResources) -> None:
        self._resources = resources

    def add_to(self, server: Server[Any]) -> None:
        """Make a server answer these requests, and say so in its capabilities."""
        server.add_request_handler("resources/list", types.PaginatedRequestParams, self._list)
        server.add_request_handler("resources/templates/list", types.PaginatedRequestParams, self._list_templates)
        server.add_request_handler("resources/read", types.ReadResourceRequestParams, self._read)

    async def _list(
        self, _context: ServerRequestContext[Any], _params: types.PaginatedRequestParams
    ) -> types.ListResourcesResult:
        resources = [
            types.Resource(
                uri=found.uri,
                name=found.name,
                title=found.title,
                description=found.description,
                mime_type=JSON_TYPE,
            )
            for found in self._resources.list()
        ]
        return types.ListResourcesResult(resources=resources)

    async def _list_templates(
        self, _context: ServerRequestContext[Any], _params: types.PaginatedRequestParams
    ) -> types.ListResourceTemplatesResult:
        templates = [
            types.ResourceTemplate(
                uri_template=found.uri_template,
                name=found.name,
                title=found.title,
                description=found.description,
                mime_type=JSON_TYPE,
            )
            for found in TEMPLATES
        ]
        return types.ListResourceTemplatesResult(resource_templates=templates)

    async def _read(
        self, context: ServerRequestContext[Any], params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri = str(params.uri)
        with refusals_as_protocol_errors(context.protocol_version):
            text = self._resources.read(uri)
        return types.ReadResourceResult(contents=[types.TextResourceContents(uri=uri, mime_type=JSON_TYPE, text=text)])
