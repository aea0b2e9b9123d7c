from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.expressions import Expression, Value, format_value, split_expressions

NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_.]*", fullmatch=True)
# Both quotes at once and backslashes have tests of their own below.
STRINGS = st.text(st.characters(exclude_characters="\\'")) | st.text(
    st.characters(exclude_characters='\\"')
)
NUMBERS = st.integers() | st.floats(allow_nan=False)
VALUES: st.SearchStrategy[Value] = st.none() | st.booleans() | NUMBERS | STRINGS
EXPRESSIONS = st.builds(
    Expression,
    NAMES,
    st.dictionaries(NAMES, VALUES, max_size=4),
    st.none() | st.integers(min_value=1),
)


@settings(deadline=None)
@given(EXPRESSIONS)
def test_printing_and_parsing_round_trip(expression: Expression) -> None:
    assert Expression.parse(str(expression)) == expression


@settings(deadline=None)
@given(EXPRESSIONS)
def test_printing_is_canonical(expression: Expression) -> None:
    assert str(Expression.parse(str(expression))) == str(expression)


@settings(deadline=None)
@given(VALUES)
def test_a_value_keeps_its_type(value: Value) -> None:
    back = Expression.parse(f"name(key={format_value(value)})").parameters["key"]
    assert back == value
    if isinstance(value, float):
        assert isinstance(back, int | float)
        assert not isinstance(back, bool)
    else:
        assert type(back) is type(value)


@pytest.mark.parametrize(
    "text",
    ['it\'s "so"', r"C:\my words\stop.txt", "back\\slash and 'quote'", '\\"', "'\"\\"],
)
def test_a_string_of_quotes_or_backslashes_is_parsed_back(text: str) -> None:
    assert Expression.parse(f"name(key={format_value(text)})").parameters == {"key": text}


@pytest.mark.parametrize("quote", ["'", '"'])
def test_a_path_of_windows_may_be_quoted_as_it_is(quote: str) -> None:
    path = r"C:\my words\stop.txt"
    parsed = Expression.parse(f"words(stopwords={quote}{path}{quote})")
    assert parsed.parameters == {"stopwords": path}
    assert Expression.parse(str(parsed)) == parsed


def test_a_backslash_in_a_bare_word_is_text() -> None:
    assert Expression.parse(r"words(stopwords=C:\stop.txt)").parameters == {
        "stopwords": r"C:\stop.txt"
    }


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("10", 10),
        ("-3", -3),
        ("+3", 3),
        ("1e-12", 1e-12),
        (".5", 0.5),
        ("2.", 2.0),
        ("inf", float("inf")),
        ("-INF", float("-inf")),
        ("true", True),
        ("False", False),
        ("none", None),
        ("None", None),
        ("no", "no"),
        ("nan", "nan"),
        ("en+es", "en+es"),
        ("1_000", "1_000"),
        ("10x", "10x"),
        ("'10'", "10"),
        ('"true"', "true"),
        ("''", ""),
        ("'a, b (c)=d'", "a, b (c)=d"),
        ("data/stop.txt", "data/stop.txt"),
        ("a@b", "a@b"),
    ],
)
def test_types_of_values(text: str, value: Value) -> None:
    found = Expression.parse(f"name(key={text})").parameters["key"]
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    "text",
    [
        "npmi(window=10)@5",
        "npmi@5(window=10)",
        "  npmi ( window = 10 ) @ 5  ",
        "npmi@5 (\nwindow=10)",
    ],
)
def test_the_number_of_words_may_precede_or_follow_the_brackets(text: str) -> None:
    expression = Expression.parse(text)
    assert expression == Expression("npmi", {"window": 10}, 5)
    assert str(expression) == "npmi(window=10)@5"


def test_a_name_alone_has_neither_parameters_nor_top() -> None:
    assert Expression.parse("c_v") == Expression("c_v", {}, None)
    assert str(Expression.parse("c_v()")) == "c_v"


def test_parameters_keep_their_order() -> None:
    assert list(Expression.parse("m(b=1, a=2, c=3)").parameters) == ["b", "a", "c"]


@pytest.mark.parametrize(
    ("text", "expected", "character"),
    [
        ("", "a name", 1),
        ("   ", "a name", 4),
        ("5npmi", "a name", 1),
        ("@10", "a name", 1),
        ("name(", "a parameter name", 6),
        ("name)", "the end", 5),
        ("name(a", "'='", 7),
        ("name(a=", "a value", 8),
        ("name(a=)", "a value", 8),
        ("name(a=1", "',' or ')'", 9),
        ("name(a=1,)", "a parameter name", 10),
        ("name(,a=1)", "a parameter name", 6),
        ("name(a=1 b=2)", "',' or ')'", 10),
        ("name(a=1))", "the end", 10),
        ("name(10)", "a parameter name", 6),
        ("name(a='open)", "a value", 8),
        ("name@", "a number of top words", 6),
        ("name@ten", "a number of top words", 6),
        ("name@-1", "a number of top words", 6),
        ("name@10 other", "the end", 9),
        ("name@10(a=1)(b=2)", "the end", 13),
        ("name(a=1)@10(b=2)", "the end", 13),
    ],
)
def test_an_error_names_the_character_and_what_was_expected(
    text: str, expected: str, character: int
) -> None:
    with pytest.raises(InputError) as caught:
        Expression.parse(text)
    assert f"expected {expected} at character {character}," in str(caught.value)
    assert repr(text) in str(caught.value)


def test_brackets_may_be_given_only_once() -> None:
    with pytest.raises(InputError, match="expected the end at character 7"):
        Expression.parse("name()(a=1)")


def test_a_parameter_given_twice_is_an_error_that_names_it() -> None:
    with pytest.raises(InputError, match="the parameter a is given twice"):
        Expression.parse("name(a=1, b=2, a=2)")


def test_zero_top_words_is_an_error() -> None:
    with pytest.raises(InputError, match=r"'name@0'.*at least 1"):
        Expression.parse("name@0")


@settings(deadline=None)
@given(st.lists(EXPRESSIONS), st.sampled_from([" ", "  ", "\n", "\t \n"]))
def test_a_list_of_expressions_is_split_where_it_was_joined(
    expressions: list[Expression], space: str
) -> None:
    printed = [str(expression) for expression in expressions]
    assert split_expressions(space + space.join(printed) + space) == printed


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", []),
        ("a b", ["a", "b"]),
        ("a(x=1, y=2) b", ["a(x=1, y=2)", "b"]),
        ("a(x='one ) two') b", ["a(x='one ) two')", "b"]),
        ('a(x="it\'s (") b', ['a(x="it\'s (")', "b"]),
        ("a@10(x = 1)\nb@5", ["a@10(x = 1)", "b@5"]),
    ],
)
def test_brackets_and_quotes_protect_white_space(text: str, parts: list[str]) -> None:
    assert split_expressions(text) == parts
