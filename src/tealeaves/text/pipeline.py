"""Token pipelines: values that say exactly how a text becomes tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from tealeaves.errors import InputError, did_you_mean, errors_about
from tealeaves.expressions import Expression, Value, format_value
from tealeaves.parameters import changed_settings, check_names
from tealeaves.text.html import strip_html
from tealeaves.text.languages import find_language, language_code
from tealeaves.text.lemmas import lemmatizer, lemmatizer_version
from tealeaves.text.stopwords import (
    name_list,
    named_lists,
    opens_unnamed_files,
    stopword_digest,
    stopword_set,
)
from tealeaves.text.tokenizers import Splitter, icu_version, splitter, without_marks

_WITHOUT_SPACES = frozenset({"ja", "km", "lo", "my", "th", "zh"})

#: Named recipes; ``language`` is their only parameter. ``attention`` is the preprocessing of
#: "Attention-based estimation of topic model quality": HTML, links, punctuation, digits and stop
#: words are removed, words are lemmatised, and texts of up to five tokens are dropped.
PRESETS = {"attention": "words(html=true, stopwords={language}, lemmas={language}, min_tokens=6)"}


class Pipeline(msgspec.Struct, frozen=True, kw_only=True, repr_omit_defaults=False):
    """The steps from a text to its tokens: html, marks, lower, split, stop words, lemmas, lengths.

    Parameters
    ----------
    kind
        ``tokens`` splits at white space (for texts that are tokenised already); ``words`` finds
        runs of Unicode letters and their marks, in normal form C; ``icu`` uses ICU's word
        boundaries (Chinese, Japanese, Thai; extra ``langs``); ``characters`` makes a token of each
        character of the scripts that are written without spaces, and finds words elsewhere.
    lower
        Lower-case the text. True by default, except for ``tokens``.
    digits
        Whether digits belong to words. False by default, except for ``tokens``.
    stopwords
        Language codes of stopwordsiso (``en``, ``en+es``) or the path of a word list (``.txt``).
    lemmas
        Language code for simplemma: each token becomes its lemma.
    min_length
        Shortest token to keep, in characters.
    min_tokens
        Texts with fewer tokens than this are dropped.
    html
        First strip tags, comments, scripts and links, and resolve entities.
    language
        For ``icu``: the language whose rules are used.
    marks
        Whether to keep the vowel marks of Arabic and Hebrew (and the tatweel, which lengthens
        words).

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
        """Read an expression such as ``words(stopwords=en)``, or the name of one of ``PRESETS``.

        It must come from the user, because it may name a file, which is then opened.
        """
        pipeline = text if isinstance(text, Pipeline) else cls._parse(text)
        if pipeline.stopwords:
            name_list(pipeline.stopwords)
        return pipeline

    @classmethod
    def stored(cls, text: str, whose: str, signature: str | None = None) -> Pipeline:
        """Read the expression that a file has, or a result that may come from one.

        It may only name a file of stop words that the user has named too: a file that is read
        must not say which others are opened. ``whose`` is what has the expression, in messages. If
        its ``signature`` is known, the user may name the same words by another path.
        """
        pipeline = cls._parse(text)
        if not (pipeline.stopwords and opens_unnamed_files(pipeline.stopwords)):
            return pipeline
        for name in named_lists() if signature else ():
            same = msgspec.structs.replace(pipeline, stopwords=name)
            if same.signature == signature:
                return same
        raise InputError(
            f"the tokens of {whose} leave out the words of a file, {pipeline.stopwords}, and "
            f'only files that you name are opened: give --tokens "{pipeline!r}" (in Python '
            "tokens=) if you have this file"
        )

    @classmethod
    def _parse(cls, text: str | object) -> Pipeline:
        if not isinstance(text, str):
            raise InputError(f"a token pipeline is a text such as 'words', not {text!r:.40}")
        expression = Expression.parse(text)
        if expression.top is not None:
            raise InputError(f"{text}: a token pipeline has no @{expression.top}")
        if expression.name in PRESETS:
            return _parse_preset(expression)
        if expression.name not in _DEFAULTS:
            known = [*_DEFAULTS, *PRESETS]
            hint = did_you_mean(expression.name, known)
            raise InputError(
                f"unknown token pipeline {expression.name}{hint} (known: {', '.join(known)})"
            )
        return _build(expression.name, expression.parameters, text)

    def tokenizer(self) -> Splitter:
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
        """Return the tokens that are left out, in lower case.

        Where the splitter splits a contraction, its pieces are stop words too: ``hadn`` and ``t``
        of ``hadn't``.
        """
        if not self.stopwords:
            return frozenset()
        stop = stopword_set(self.stopwords)
        if not self.marks:
            stop = frozenset(map(without_marks, stop))
        split = self._splitter()
        contractions = [word for word in stop if "'" in word or "’" in word]
        return stop | {piece for word in contractions for piece in split(word)}

    def _splitter(self) -> Splitter:
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
        """Everything that decides the tokens, including word lists and versions of lemmatisers."""
        values = {name: format_value(getattr(self, name)) for name in _PARAMETERS}
        if self.marks:  # older counts do not have this parameter
            del values["marks"]
        if self.stopwords:  # by its content, because the file may be moved
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

#: One pipeline for all languages, or one for each; the key ``""`` is for all that are not named.
Tokens = str | Pipeline | Mapping[str, str | Pipeline] | None


def default_pipeline(language: str) -> str:
    """Return the token pipeline for a language: ``icu`` if it is written without spaces.

    >>> default_pipeline("swe"), default_pipeline("zh_CN")
    ('words', 'icu(language=zh)')
    """
    code = language_code(language)
    return f"icu(language={code})" if code in _WITHOUT_SPACES else "words"


def pipelines_of(
    languages: Iterable[str],
    tokens: Tokens = None,
    default: Callable[[str], str | Pipeline] = default_pipeline,
) -> dict[str, Pipeline]:
    """Return the pipeline of each language: its own, the one for all, or its default.

    >>> pipelines_of(["en", "sv"], {"swe": "words(min_length=3)"})
    {'en': words, 'sv': words(min_length=3)}
    """
    languages = list(languages)
    by_name = dict(tokens) if isinstance(tokens, Mapping) else {"": tokens}
    for_others = by_name.pop("", None)
    pipelines = {}
    for language in languages:
        name = find_language(language, by_name)
        pipeline = for_others if name is None else by_name.pop(name)
        pipelines[language] = Pipeline.parse(default(language) if pipeline is None else pipeline)
    if by_name:
        raise InputError(
            f"tokens for {', '.join(by_name)}, but the texts are in {', '.join(languages)}"
        )
    return pipelines


def name_files_of(tokens: Tokens) -> None:
    """Remember the files that tokens of the user name, before those of files are read."""
    pipelines = tokens.values() if isinstance(tokens, Mapping) else (tokens,)
    for pipeline in pipelines:
        if pipeline is not None:
            Pipeline.parse(pipeline)


def _parse_preset(expression: Expression) -> Pipeline:
    parameters = dict(expression.parameters)
    language = parameters.pop("language", "en")
    if parameters:
        extra = ", ".join(parameters)
        raise InputError(f"{expression.name} has only the parameter language, not {extra}")
    return Pipeline._parse(PRESETS[expression.name].format(language=format_value(language)))


def _build(kind: str, parameters: Mapping[str, Value], text: str) -> Pipeline:
    with errors_about(text, kind):
        check_names(kind, parameters, _PARAMETERS)
        pipeline = changed_settings(kind, _DEFAULTS[kind], parameters)
    for name in ("stopwords", "lemmas", "language"):
        if getattr(pipeline, name) == "":
            raise InputError(f"{text}: {name} is empty: name a language, or leave it out")
    if pipeline.language and kind != "icu":
        raise InputError(
            f"{text}: only icu has the parameter language; write stopwords=en or lemmas=en"
        )
    return pipeline
