from typing import Annotated, Any

import pytest
from pydantic import BaseModel, Field, ValidationError

from server.tools.arguments import WHOLE, ToolArguments
from server.tools.schema import described_problems, published_schema


class Place(ToolArguments):
    """A place."""

    title: Annotated[str, Field(description="An argument that is called title.")]


class Arguments(ToolArguments):
    """Arguments of every form."""

    place: Annotated[Place, Field(description="Where.")]
    places: tuple[Place, ...] = ()
    count: Annotated[int, Field(strict=True, ge=1, le=9), WHOLE] = 1
    note: Annotated[str | None, Field(min_length=2)] = None


def problems(arguments: Any, model: type[BaseModel] = Arguments) -> list[str]:
    with pytest.raises(ValidationError) as caught:
        model.model_validate(arguments)
    return described_problems(caught.value).splitlines()


def test_models_inside_models_are_written_out_where_they_are_used() -> None:
    place = {
        "type": "object",
        "properties": {"title": {"type": "string", "description": "An argument that is called title."}},
        "required": ["title"],
        "additionalProperties": False,
    }
    schema = published_schema(Arguments)
    assert schema["properties"]["place"] == {**place, "description": "Where."}
    assert schema["properties"]["places"]["items"] == {**place, "description": "A place."}


def test_the_bounds_of_a_whole_number_are_published() -> None:
    count = published_schema(Arguments)["properties"]["count"]
    assert count == {"type": "integer", "minimum": 1, "maximum": 9, "default": 1}


def test_an_optional_argument_is_published_without_null() -> None:
    assert published_schema(Arguments)["properties"]["note"] == {"type": "string", "minLength": 2}


def test_the_models_own_description_is_not_published() -> None:
    assert set(published_schema(Arguments)) == {"type", "properties", "required", "additionalProperties"}


def test_a_problem_deep_inside_is_named_by_its_path() -> None:
    arguments = {"place": {"title": "t"}, "places": [{"title": "t"}, {"title": 5}]}
    assert problems(arguments) == ["- places.1.title: input should be a valid string (it is 5)"]


def test_a_long_value_is_cut_where_it_is_shown() -> None:
    (line,) = problems({"place": {"title": "t"}, "count": "9" * 1000})
    assert line == f'- count: input should be a valid integer (it is "{"9" * 79}…)'


def test_a_value_that_json_cannot_write_is_shown_all_the_same() -> None:
    (line,) = problems({"place": {"title": "t"}, "count": {1}})
    assert line.startswith("- count: input should be a valid integer (it is ")
