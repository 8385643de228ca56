"""All prompts: what there is, the text of one, and what a client can offer while a user types."""

from __future__ import annotations

from collections.abc import Mapping

from server.debug.sessions import Sessions
from server.errors import PromptRefusedError, SessionNotFoundError
from server.prompts.analyze_crash import AnalyzeCrash
from server.prompts.find_root_cause import FindRootCause
from server.prompts.investigate_condition import InvestigateCondition
from server.prompts.prompt import SESSION_ID, Prompt

_MAX_ARGUMENT_CHARACTERS = 10_000


class SessionPrompts:
    """Gives prompts by name. Any thread; nothing here waits."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        prompts: tuple[Prompt, ...] = (AnalyzeCrash(sessions), InvestigateCondition(sessions), FindRootCause())
        self._prompts = {prompt.name: prompt for prompt in prompts}

    def list(self) -> tuple[Prompt, ...]:
        """Every prompt."""
        return tuple(self._prompts.values())

    def get(self, name: str) -> Prompt:
        """The prompt of that name; raises `PromptRefusedError`."""
        prompt = self._prompts.get(name)
        if prompt is None:
            raise PromptRefusedError(f"There is no prompt {name!r}. There are: {', '.join(self._prompts)}")
        return prompt

    def text(self, name: str, arguments: Mapping[str, str]) -> str:
        """What a prompt says with these arguments; raises `PromptRefusedError`."""
        prompt = self.get(name)
        _check(prompt, arguments)
        try:
            return prompt.text(arguments)
        except SessionNotFoundError as error:
            raise PromptRefusedError(str(error)) from None

    def complete(self, name: str, argument: str, typed: str) -> tuple[str, ...]:
        """Values that an argument may have and that begin with what was typed; raises `PromptRefusedError`."""
        prompt = self.get(name)
        if argument not in {declared.name for declared in prompt.arguments}:
            raise PromptRefusedError(f"{name} has no argument {argument!r}. {_usage(prompt)}")
        return self.complete_session_id(typed) if argument == SESSION_ID.name else ()

    def complete_session_id(self, typed: str) -> tuple[str, ...]:
        """The ids of sessions that begin with what was typed."""
        return tuple(summary.session_id for summary in self._sessions.list() if summary.session_id.startswith(typed))


def _check(prompt: Prompt, arguments: Mapping[str, str]) -> None:
    names = [declared.name for declared in prompt.arguments]
    problems = [f"{name} is missing" for name in names if not arguments.get(name, "").strip()]
    problems += [f"{name} is too long" for name in names if len(arguments.get(name, "")) > _MAX_ARGUMENT_CHARACTERS]
    problems += [f"there is no argument {name!r}" for name in arguments if name not in names]
    if problems:
        raise PromptRefusedError(f"{prompt.name}: {', '.join(problems)}. {_usage(prompt)}")


def _usage(prompt: Prompt) -> str:
    declared = ", ".join(f"{argument.name} ({argument.description})" for argument in prompt.arguments)
    return f"It takes: {declared}"
