"""What a launched program writes, as text: decoded piece by piece, without what node says of its inspector."""

from __future__ import annotations

import codecs
from collections.abc import Iterator

from server.cdp.announcement import ChatterFilter
from server.debug.session_model import Wrote
from server.process.process_events import STREAMS, OutputChunk, Stream


class ProgramOutput:
    """Belongs to the owner of the program."""

    def __init__(self) -> None:
        decoder = codecs.getincrementaldecoder("utf-8")
        self._decoders = {stream: decoder("replace") for stream in STREAMS}
        self._chatter = ChatterFilter()

    def take(self, chunk: OutputChunk) -> Iterator[Wrote]:
        """The text of some bytes; a character of which only a part has come waits for the rest."""
        yield from self._wrote(chunk.stream, self._decoders[chunk.stream].decode(chunk.data))

    def end(self) -> Iterator[Wrote]:
        """What was held back, when nothing more comes."""
        for stream in STREAMS:
            yield from self._wrote(stream, self._decoders[stream].decode(b"", final=True))
        if rest := self._chatter.flush():
            yield Wrote("stderr", rest)

    def _wrote(self, stream: Stream, text: str) -> Iterator[Wrote]:
        own = self._chatter.feed(text) if stream == "stderr" else text
        if own:
            yield Wrote(stream, own)
