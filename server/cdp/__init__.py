"""The Chrome DevTools Protocol backend: launch, connection, translation, scripts, capture."""
