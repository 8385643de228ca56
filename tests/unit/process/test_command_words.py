import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.process.command_line import CommandLine, CommandLineError, parse_command_line


def argv(text: str) -> tuple[str, ...]:
    return parse_command_line(text).argv


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("node app.js", ["node", "app.js"]),
        ("  node \t app.js \r\n", ["node", "app.js"]),
        ("node 'my app.js'", ["node", "my app.js"]),
        ('node "my app.js"', ["node", "my app.js"]),
        (r"node my\ app.js", ["node", "my app.js"]),
        (r"node trailing\ ", ["node", "trailing "]),
        ("node a'b c'd\"e f\"", ["node", "ab cde f"]),
        ("node '' \"\"", ["node", "", ""]),
        (r"node 'a\b' '\'", ["node", r"a\b", "\\"]),
        (r'node "a\"b" "c\\d" "e\f" "\$x" "\`"', ["node", 'a"b', r"c\d", r"e\f", "$x", "`"]),
        ("node \\\n  app.js", ["node", "app.js"]),
        ("node ap\\\np.js", ["node", "app.js"]),
        ('node "two\nlines"', ["node", "two\nlines"]),
        ("node žluť 😀.js", ["node", "žluť", "😀.js"]),
    ],
)
def test_words_are_split_as_a_shell_splits_them(text: str, words: list[str]) -> None:
    assert argv(text) == tuple(words)


@given(st.lists(st.text(st.characters(exclude_characters="\0")), min_size=1))
def test_every_word_survives_quoting(words: list[str]) -> None:
    program = "program"
    assert argv(shlex.join([program, *words])) == (program, *words)


@pytest.mark.parametrize(
    "text",
    [
        "cd app && node x.js",
        "cd app&&node x.js",
        "a;b",
        "node x.js;",
        "node x.js | tee log",
        "node x.js|tee",
        "node a || node b",
        "node x.js &",
        "node x.js > out.txt",
        "node x.js>out.txt",
        "node x.js 2>err",
        "node x.js 2>&1",
        "node x.js >out",
        "node x.js < in",
        "node x.js <<EOF",
        "(node x.js)",
        "node $(which app.js)",
        "node `which app.js`",
        "node $HOME/app.js",
        "node ${APP}",
        "node --port=$PORT",
        "node $1",
        "node $'a\\n'",
        "~/bin/node app.js",
        "node ~/app.js",
        "node x.js # run it",
        "node a.js\nnode b.js",
    ],
)
def test_what_only_a_shell_can_do_is_refused_and_never_becomes_an_argument(text: str) -> None:
    with pytest.raises(CommandLineError, match="only a shell"):
        parse_command_line(text)


def test_a_refusal_names_what_the_shell_would_have_done() -> None:
    with pytest.raises(CommandLineError, match="'&&'"):
        parse_command_line("cd a&&node b")
    with pytest.raises(CommandLineError, match="a line break"):
        parse_command_line("node a\nnode b")


@pytest.mark.parametrize("text", ["a&&b", ";", "|", ">out", "2>&1", "$(x)", "$HOME", "`x`", "~/x", "#", "(", "\n"])
def test_quoted_text_is_an_argument_like_any_other(text: str) -> None:
    assert argv(f"node '{text}'") == ("node", text)
    assert argv(f'node "{text}"') == ("node", text)


@pytest.mark.parametrize("operator", ["&", ";", "|", "<", ">", "$HOME", "`", "~", "#", "("])
def test_escaped_characters_are_arguments_like_any_other(operator: str) -> None:
    assert argv(f"node \\{operator}") == ("node", operator)


@pytest.mark.parametrize(
    "word", ["*.js", "a?.js", "[ab].js", "{a,b}.js", "a#b", "a~b", "~user.js", "f(x)", "a$", "a$/b", "!x", "%a%", "a=b"]
)
def test_patterns_and_characters_without_a_command_in_them_stay_as_they_are(word: str) -> None:
    assert argv(f"node {word}") == ("node", word)


def test_variables_in_front_of_the_program_are_set_for_it() -> None:
    parsed = parse_command_line("A=1 B='two words' C= D=x=y node app.js E=5")
    assert parsed == CommandLine(argv=("node", "app.js", "E=5"), env={"A": "1", "B": "two words", "C": "", "D": "x=y"})


@pytest.mark.parametrize("word", ["1A=x", "a-b=x", "=x", "'A'=x", "'A=x'"])
def test_what_is_no_variable_in_a_shell_is_the_program(word: str) -> None:
    assert parse_command_line(f"{word} arg").env == {}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "is empty"),
        (" \n ", "is empty"),
        ("A=1", "names no program"),
        ("'' x", "names no program"),
        ("node 'open", "quotation"),
        ('node "open', "quotation"),
        ("node open\\", "backslash"),
        ("node a\0b", "NUL"),
    ],
)
def test_what_is_no_command_is_refused_in_words(text: str, problem: str) -> None:
    with pytest.raises(CommandLineError, match=problem):
        parse_command_line(text)
