"""Typed Chrome DevTools Protocol messages, as V8 and Node.js speak them.

Nothing is imported here: the models cost start-up time, so whoever needs them imports them.

* ``cdp_protocol.generated`` has one module a domain, written by ``codegen`` and never edited;
* ``cdp_protocol.base`` has the classes that those models are made of, and ``decode``;
* ``cdp_protocol.events`` turns a method name and its parameters into an event.
"""
