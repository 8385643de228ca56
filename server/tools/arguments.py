"""Types of tool arguments that refuse what could only fail later, in words for agents."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError


class ToolArguments(BaseModel):
    """The base of every tool's arguments: an unknown one is a mistake, not noise. Text is taken as it is."""

    model_config = ConfigDict(extra="forbid")


def _refuse_blank(text: str) -> str:
    if not text.strip():
        raise PydanticCustomError("blank", "must not be empty or blank")
    return text


def _refuse_nul(text: str) -> str:
    if "\0" in text:
        raise PydanticCustomError("nul", "must not contain a NUL character")
    return text


def _refuse_lone_surrogates(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise PydanticCustomError("lone_surrogates", "should be text without lone surrogates") from None
    return text


def _refuse_equals_sign(name: str) -> str:
    if "=" in name:
        raise PydanticCustomError("equals_sign", "must not contain '=': the value belongs on the other side")
    return name


def _refuse_huge(number: int) -> int:
    if number >= 2**31:
        raise PydanticCustomError("huge", "should be less than 2147483648")
    return number


def _integral_to_int(number: Any) -> Any:
    """JSON has one kind of number: 30000.0 is as whole as 30000, and the published schema admits both."""
    return int(number) if isinstance(number, float) and number.is_integer() else number


NonBlank = Annotated[str, Field(min_length=1), AfterValidator(_refuse_blank)]
PlainText = Annotated[str, AfterValidator(_refuse_lone_surrogates), AfterValidator(_refuse_blank)]
"""Text that is not blank; its schema, of which there are many, says no more than that it is text."""
SystemText = Annotated[str, AfterValidator(_refuse_lone_surrogates), AfterValidator(_refuse_nul)]
"""Text that goes to the operating system; the empty one too. (Where pydantic measures text, it refuses the former.)"""
CommandText = Annotated[NonBlank, Field(max_length=128 * 1024), AfterValidator(_refuse_nul)]
"""As long as the longest single argument that Linux takes."""
PathText = Annotated[NonBlank, Field(max_length=4096), AfterValidator(_refuse_nul)]
"""A path, or a `file://` URL of one."""
SourcePath = Annotated[PlainText, AfterValidator(_refuse_nul)]
"""The same, in as few words as `PlainText`."""
VariableName = Annotated[PlainText, AfterValidator(_refuse_nul), AfterValidator(_refuse_equals_sign)]
WHOLE = BeforeValidator(_integral_to_int)
"""Goes last in the annotation of a strict integer, for which "30000" and true are mistakes and not numbers."""
LineNumber = Annotated[int, Field(strict=True, ge=1), AfterValidator(_refuse_huge), WHOLE]
Count = Annotated[int, Field(strict=True, ge=0), AfterValidator(_refuse_huge), WHOLE]
