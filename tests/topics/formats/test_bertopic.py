"""Folders of BERTopic: a real model, trained on the demo corpus, and damaged copies of it."""

from __future__ import annotations

import json
import shutil
import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tealeaves import demo
from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.topics import read_topics

pytestmark = pytest.mark.skipif(not find_spec("bertopic"), reason="bertopic is not installed")


def train_model(texts: list[str]) -> Any:
    """Train on embeddings made of word counts, with some documents left out as outliers."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from bertopic import BERTopic
        from bertopic.dimensionality import BaseDimensionalityReduction
        from sklearn.base import BaseEstimator, ClusterMixin
        from sklearn.cluster import KMeans
        from sklearn.decomposition import TruncatedSVD
        from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

        class Clusters(ClusterMixin, BaseEstimator):  # type: ignore[misc]
            def fit(self, points: Any, y: Any = None) -> Clusters:
                self.labels_ = KMeans(5, random_state=0, n_init=3).fit_predict(points)
                self.labels_[::17] = -1
                return self

            def predict(self, points: Any) -> Any:
                return self.labels_

        tfidf = TfidfVectorizer(stop_words="english").fit_transform(texts)
        points = TruncatedSVD(8, random_state=0).fit_transform(tfidf)
        model = BERTopic(
            umap_model=BaseDimensionalityReduction(),
            hdbscan_model=Clusters(),
            vectorizer_model=CountVectorizer(stop_words="english", ngram_range=(2, 2)),
            embedding_model=None,
            top_n_words=12,
        )
        model.fit(texts, embeddings=points)
    return model


@pytest.fixture(scope="module")
def model() -> Any:
    return train_model([document.text for document in demo.corpus("en")])


@pytest.fixture(scope="module")
def saved_folder(model: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bertopic") / "my.model"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.save(str(folder), serialization="safetensors", save_ctfidf=True)
    assert (folder / "ctfidf.safetensors").is_file()
    return folder


@pytest.fixture
def copy(saved_folder: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(saved_folder, tmp_path / "model"))


def test_a_saved_model_has_the_words_of_the_live_one(model: Any, saved_folder: Path) -> None:
    result = read_topics(saved_folder)
    assert result.model == "my.model"
    expected = {k: pairs for k, pairs in model.get_topics().items() if k != -1}
    assert [topic.id for topic in result.topics] == sorted(expected)
    for topic in result.topics:
        pairs = [(word, weight) for word, weight in expected[int(topic.id)] if word]
        assert topic.words == tuple(word for word, _ in pairs)
        assert topic.weights == pytest.approx([weight for _, weight in pairs])
    assert any(" " in word for topic in result.topics for word in topic.words)


def test_a_saved_model_has_the_documents_of_the_live_one(model: Any, saved_folder: Path) -> None:
    result = read_topics(saved_folder)
    assert result.best_topic is not None
    assert result.best_topic.tolist() == list(model.topics_)  # ids are 0, 1, ...: positions too
    counts = [list(model.topics_).count(k) for k in range(len(result))]
    assert result.documents_per_topic() == (counts, list(model.topics_).count(-1))
    assert result.outliers == model.topic_sizes_[-1] > 0


def test_a_saved_model_has_the_weights_of_the_live_one(model: Any, saved_folder: Path) -> None:
    result = read_topics(saved_folder)
    assert result.vocabulary == tuple(model.vectorizer_model.get_feature_names_out())
    assert result.topic_word is not None
    np.testing.assert_array_equal(result.topic_word, model.c_tf_idf_.toarray()[1:])  # without -1


def test_saved_and_live_models_are_adapted_alike(model: Any, saved_folder: Path) -> None:
    from tealeaves.topics.adapters import adapt

    assert read_topics(saved_folder) == adapt(model, name="my.model")


def test_without_weights_the_topics_are_read(copy: Path) -> None:
    (copy / "ctfidf.safetensors").unlink()
    (copy / "ctfidf_config.json").unlink()
    result = read_topics(copy)
    assert len(result) == 5
    assert result.topic_word is None


def test_weights_in_a_pickle_are_left_out_with_a_warning(copy: Path) -> None:
    (copy / "ctfidf.safetensors").rename(copy / "ctfidf.bin")
    with pytest.warns(TealeavesWarning, match=r"ctfidf\.bin is a pickle.*save_ctfidf=True") as told:
        result = read_topics(copy)
    assert len(told) == 1
    assert "\n" not in str(told[0].message)
    assert len(result) == 5
    assert result.topic_word is None


def test_padding_is_dropped_and_an_empty_topic_left_out(copy: Path) -> None:
    content = json.loads((copy / "topics.json").read_text())
    content["topic_representations"]["0"] = [["cat", 0.5], ["", 1e-05], ["", 1e-05]]
    content["topic_representations"]["1"] = [["", 1e-05]]
    (copy / "topics.json").write_text(json.dumps(content))
    with pytest.warns(TealeavesWarning, match="topic 1 has no words"):
        result = read_topics(copy)
    assert result[0].words == ("cat",)
    assert [topic.id for topic in result.topics] == [0, 2, 3, 4]


@pytest.mark.parametrize("name", ["topics.json", "ctfidf.safetensors"])
def test_one_file_of_the_folder_is_an_error_that_asks_for_the_folder(copy: Path, name: str) -> None:
    with pytest.raises(InputError, match="a part of a BERTopic model: give the folder") as caught:
        read_topics(copy / name)
    assert str(caught.value).endswith(str(copy))


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("topics.json", b'"topic_representations"', b'"x"', r"topics\.json: not a file of a BERT"),
        ("topics.json", b"{", b"", r"topics\.json: not a file of a BERT"),
        ("topics.json", b'"topics": [', b'"topics": [77, ', r"a document is of topic 77, which"),
        ("ctfidf_config.json", b'": 0,', b'": 1,', r"the vocabulary does not number the \d+ words"),
        ("ctfidf_config.json", b'"vocab"', b'"x"', r"ctfidf_config\.json: not a file of a BERT"),
        ("ctfidf.safetensors", b'"indptr"', b'"indp__"', r"not the c-TF-IDF of a BERTopic"),
        ("ctfidf.safetensors", b'"F64"', b'"F99"', r"damaged: .*unknown variant `F99`"),
        ("ctfidf.safetensors", b'"shape":[2]', b'"shape":[9]', r"damaged: .*invalid shape"),
        (
            "ctfidf.safetensors",
            b'"data_offsets":[0',
            b'"data_offsets":[-',
            r"damaged: .*invalid JSON",
        ),
    ],
)
def test_a_damaged_folder_is_an_error_that_names_the_file(
    copy: Path, file: str, old: bytes, new: bytes, message: str
) -> None:
    data = (copy / file).read_bytes()
    assert old in data
    (copy / file).write_bytes(data.replace(old, new, 1))
    with pytest.raises(InputError, match=message) as caught:
        read_topics(copy)
    assert str(copy / file) in str(caught.value)


def test_safetensors_cut_short_anywhere_are_refused(copy: Path) -> None:
    path = copy / "ctfidf.safetensors"
    data = path.read_bytes()
    for size in [*range(0, 600, 7), len(data) - 1]:
        path.write_bytes(data[:size])
        with pytest.raises(InputError, match=r"ctfidf\.safetensors: not a safetensors file"):
            read_topics(copy)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"indptr": np.array([0, 900_000_000, 0], "<i4")}, "rows are not in their order"),
        ({"indptr": np.array([0, -1, 2], "<i4")}, "rows are not in their order"),
        ({"indptr": np.array([0, 2], "<i4")}, "rows are not in their order"),
        ({"indptr": np.array([0, 1, 9], "<i4")}, "parts are not of one size"),
        ({"indices": np.array([0, 7], "<i4")}, "outside of its 2 words"),
        ({"indices": np.array([0, -7], "<i4")}, "outside of its 2 words"),
        ({"indices": np.array([0, 1], "<f4")}, "parts are of the wrong kind"),
        ({"data": np.array([[0.5, 0.5]])}, "parts are of the wrong kind"),
        ({"shape": np.array([2])}, "not the c-TF-IDF"),
    ],
)
def test_a_sparse_matrix_that_points_outside_itself_is_refused(
    tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    kinds = {"i4": "I32", "i8": "I64", "f4": "F32", "f8": "F64"}
    tensors = {
        "indptr": np.array([0, 1, 2], "<i4"),
        "indices": np.array([0, 1], "<i4"),
        "data": np.array([0.5, 0.25]),
        "shape": np.array([2, 2]),
    }

    def write(tensors: dict[str, Any]) -> None:
        header, body = {}, b""
        for name, tensor in tensors.items():
            end = len(body) + tensor.nbytes
            kind = kinds[tensor.dtype.str[1:]]
            offsets = [len(body), end]
            header[name] = {"dtype": kind, "shape": tensor.shape, "data_offsets": offsets}
            body += tensor.tobytes()
        text = json.dumps(header).encode()
        data = len(text).to_bytes(8, "little") + text + body
        (tmp_path / "ctfidf.safetensors").write_bytes(data)

    words = {"-1": [["dog", 0.1]], "0": [["cat", 0.5]]}
    content = {"topic_representations": words, "topics": [0, -1]}
    (tmp_path / "topics.json").write_text(json.dumps(content))
    (tmp_path / "config.json").write_text("{}")
    vocabulary = {"vectorizer_model": {"vocab": {"dog": 1, "cat": 0}}}
    (tmp_path / "ctfidf_config.json").write_text(json.dumps(vocabulary))
    write(tensors)
    result = read_topics(tmp_path)
    assert result.vocabulary == ("cat", "dog")
    assert result.topic_word is not None
    assert result.topic_word.tolist() == [[0, 0.25]]  # row 0 is that of the outliers
    write(tensors | changes)
    with pytest.raises(InputError, match=message):
        read_topics(tmp_path)


def test_top_is_how_many_words_a_topic_lists(saved_folder: Path) -> None:
    result = read_topics(saved_folder, top=3)
    assert [topic.words for topic in result.topics] == [
        topic.words[:3] for topic in read_topics(saved_folder).topics
    ]
    assert {len(topic.words) for topic in result.topics} == {3}
    wrong_numbers: list[Any] = [0, -2, "3"]
    for wrong in wrong_numbers:
        with pytest.raises(
            InputError, match=r"my\.model: top must be a whole number of at least 1, not "
        ):
            read_topics(saved_folder, top=wrong)
