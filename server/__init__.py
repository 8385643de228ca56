"""debug-script-mcp: an MCP server that shows an agent what a program really does."""
