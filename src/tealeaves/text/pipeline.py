"""Token pipelines: values that say exactly how a text becomes tokens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from tealeaves.errors import InputError, did_you_mean
from tealeaves.expressions import Expression, Value, format_value
from tealeaves.parameters import explain
from tealeaves.text.html import strip_html
from tealeaves.text.languages import language_code
from tealeaves.text.lemmas import lemmatizer, lemmatizer_version
from tealeaves.text.stopwords import stopword_digest, stopword_set
from tealeaves.text.tokenizers import icu_version, splitter, without_marks

Tokenizer = Callable[[str], list[str]]


class Pipeline(msgspec.Struct, frozen=True, kw_only=True, repr_omit_defaults=False):
    """From text to tokens, in this order: html, marks, lower, split, stop words, lemmas, lengths.

    Parameters
    ----------
    kind
        ``tokens`` splits at white space (for texts that are tokenised already); ``words`` takes
        runs of Unicode letters and their marks, in normal form C; ``icu`` asks ICU where words
        end (Chinese, Japanese, Thai; extra ``langs``); ``characters`` takes each character of the
        scripts that are written without spaces, and words elsewhere.
    lower
        Lower-case the text. Default, but not for ``tokens``.
    digits
        Whether digits belong to words. All but ``tokens`` leave numbers out by default.
    stopwords
        Language codes of stopwordsiso (``en``, ``en+es``) or the path of a word list (``.txt``).
    lemmas
        Language code for simplemma: each token becomes its lemma.
    min_length
        Shortest token to keep, in characters.
    min_tokens
        Texts with fewer tokens than this are dropped.
    html
        Strip tags, comments, scripts and links, and resolve entities, first.
    language
        For ``icu``: the language whose rules are used.
    marks
        Whether the vowel marks of Arabic and Hebrew stay (and the tatweel, which lengthens words).

    >>> pipeline = Pipeline.parse("words(min_length=3)")
    >>> pipeline.tokenizer()("The cat's 9 lives: a हिन्दी story")
    ['the', 'cat', 'lives', 'हिन्दी', 'story']
    >>> pipeline
    words(min_length=3)
    """

    kind: Literal["tokens", "words", "icu", "characters"]
    lower: bool
    digits: bool
    stopwords: str | None = None
    lemmas: str | None = None
    min_length: Annotated[int, Meta(ge=1, le=2**31 - 1)] = 1
    min_tokens: Annotated[int, Meta(ge=0, le=2**31 - 1)] = 0
    html: bool = False
    language: str | None = None
    marks: bool = True

    @classmethod
    def parse(cls, text: str | Pipeline | object) -> Pipeline:
        """Read ``words(stopwords=en)`` and the like; see ``PRESETS`` for named recipes."""
        if isinstance(text, Pipeline):
            return text
        if not isinstance(text, str):
            raise InputError(f"a token pipeline is a text such as 'words', not {text!r:.40}")
        expression = Expression.parse(text)
        if expression.top is not None:
            raise InputError(f"{text}: a token pipeline takes no @{expression.top}")
        if expression.name in PRESETS:
            return _preset(expression)
        if expression.name not in _DEFAULTS:
            known = [*_DEFAULTS, *PRESETS]
            hint = did_you_mean(expression.name, known)
            raise InputError(
                f"unknown token pipeline {expression.name}{hint} (known: {', '.join(known)})"
            )
        return _build(expression.name, dict(expression.parameters), text)

    def tokenizer(self) -> Tokenizer:
        """Return the function from a text to its tokens."""
        split = self._splitter()
        steps: list[Callable[[list[str]], list[str]]] = []
        if stop := self.stop_set():
            if self.lower:
                steps.append(lambda tokens: [token for token in tokens if token not in stop])
            else:
                steps.append(lambda tokens: [t for t in tokens if t.lower() not in stop])
        if self.lemmas:
            lemma = lemmatizer(self.lemmas, lower=self.lower)
            steps.append(lambda tokens: [lemma(token) for token in tokens])
        if self.min_length > 1:
            least = self.min_length
            steps.append(lambda tokens: [token for token in tokens if len(token) >= least])
        if not steps and not self.html:
            return split
        clean = strip_html if self.html else str

        def tokenize(text: str) -> list[str]:
            tokens = split(clean(text))
            for step in steps:
                tokens = step(tokens)
            return tokens

        return tokenize

    def stop_set(self) -> frozenset[str]:
        """Return the tokens that are left out, in lower case."""
        if not self.stopwords:
            return frozenset()
        stop = stopword_set(self.stopwords)
        if not self.marks:
            stop = frozenset(map(without_marks, stop))
        return _with_pieces(stop, self._splitter())

    def _splitter(self) -> Tokenizer:
        return splitter(
            self.kind,
            lower=self.lower,
            digits=self.digits,
            language=self.language,
            marks=self.marks,
        )

    def __repr__(self) -> str:
        default = _DEFAULTS[self.kind]
        changed = {
            name: getattr(self, name)
            for name in _PARAMETERS
            if getattr(self, name) != getattr(default, name)
        }
        return str(Expression(self.kind, changed))

    @property
    def signature(self) -> str:
        """Everything that decides the tokens, word lists and lemmatiser included."""
        values = {name: format_value(getattr(self, name)) for name in _PARAMETERS}
        if self.marks:  # counts were made before there was a choice
            del values["marks"]
        if self.stopwords:  # by what it holds: a list may be moved
            values["stopwords"] = f"#{stopword_digest(self.stopwords)}"
        if self.lemmas:
            values["lemmas"] += f"#{lemmatizer_version()}"
        if self.kind == "icu":
            values["language"] += f"#{icu_version()}"
        return f"{self.kind}({','.join(f'{name}={value}' for name, value in values.items())})"


_PARAMETERS = tuple(name for name in Pipeline.__struct_fields__ if name != "kind")
_DEFAULTS = {
    "tokens": Pipeline(kind="tokens", lower=False, digits=True),
    "words": Pipeline(kind="words", lower=True, digits=False),
    "icu": Pipeline(kind="icu", lower=True, digits=False),
    "characters": Pipeline(kind="characters", lower=True, digits=False),
}

_WITHOUT_SPACES = frozenset({"ja", "km", "lo", "my", "th", "zh"})

#: Named recipes; ``language`` is their one parameter. ``attention`` is the preprocessing of
#: "Attention-based estimation of topic model quality": HTML, links, punctuation, digits and stop
#: words removed, lemmatised, texts of more than five tokens.
PRESETS = {
    "attention": "words(html=true, stopwords={language}, lemmas={language}, min_tokens=6)",
}


def default_pipeline(language: str) -> str:
    """Return the token pipeline for texts in a language: ``icu`` where words are not parted.

    >>> default_pipeline("swe"), default_pipeline("zh_CN")
    ('words', 'icu(language=zh)')
    """
    code = language_code(language)
    return f"icu(language={code})" if code in _WITHOUT_SPACES else "words"


def _with_pieces(stop: frozenset[str], split: Tokenizer) -> frozenset[str]:
    """Add what the splitter makes of contractions: ``hadn`` and ``t`` of ``hadn't``."""
    contractions = [word for word in stop if "'" in word or "’" in word]
    return stop | {piece for word in contractions for piece in split(word)}


def _preset(expression: Expression) -> Pipeline:
    parameters = dict(expression.parameters)
    language = parameters.pop("language", "en")
    if parameters:
        extra = ", ".join(parameters)
        raise InputError(f"{expression.name} takes only the parameter language, not {extra}")
    return Pipeline.parse(PRESETS[expression.name].format(language=format_value(language)))


def _build(kind: str, given: dict[str, Value], text: str) -> Pipeline:
    for name in given:
        if name not in _PARAMETERS:
            hint = did_you_mean(name, _PARAMETERS)
            raise InputError(
                f"{text}: {kind} has no parameter {name}{hint} (it has: {', '.join(_PARAMETERS)})"
            )
    default = {name: getattr(_DEFAULTS[kind], name) for name in _PARAMETERS}
    try:
        pipeline = msgspec.convert({"kind": kind, **default, **given}, Pipeline)
    except msgspec.ValidationError as error:
        raise InputError(f"{text}: {explain(error, Pipeline, given)}") from error
    for name in ("stopwords", "lemmas", "language"):
        if getattr(pipeline, name) == "":
            raise InputError(f"{text}: {name} is empty: name a language, or leave it out")
    if pipeline.language and kind != "icu":
        raise InputError(f"{text}: language is for icu; stop words and lemmas name their own")
    return pipeline
