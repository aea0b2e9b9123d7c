"""The metrics that come with tealeaves; every module here is searched for them."""

from __future__ import annotations

# The metrics of each module, with their aliases: only the module of a metric that is asked for is
# imported. A metric that is not listed here is found too, once all modules are imported.
_METRICS = {
    "background": "background_ratio",
    "classification": "classification",
    "clustering": "clustering",
    "coherence": "npmi pmi ppmi lcp umass u_mass c_umass c_npmi c_uci uci c_p c_v c_a coherence",
    "crosslingual_coherence": "cnpmi inpmi twc",
    "crosslingual_f1": "crosslingual_f1",
    "crosslingual_translation": "mta",
    "diversity": "diversity topic_diversity irbo inverted_rbo jaccard pairwise_jaccard redundancy "
    "topic_redundancy",
    "embedding_coherence": "embedding_coherence we_coherence",
    "embedding_diversity": "embedding_diversity embedding_topic_diversity",
    "expressivity": "expressivity",
    "intratext": "intratext toplen",
    "intruders": "isim intruder_similarity int intruder_accuracy ish intruder_shift",
    "perplexity": "perplexity",
    "quality": "quality",
    "relevance": "attention_sum attn_sum lrp_sum improved_lrp_sum relevance_count cooccurrence",
    "significance": "significance",
    "sparsity": "sparsity",
    "stability": "stability posterior_stability",
    "switchp": "switchp",
    "topic_kernel": "kernel_size purity contrast kernel_coherence",
    "we_irbo": "we_irbo word_embeddings_irbo",
}

#: The module of each metric, by name or alias.
MODULES = {name: module for module, names in _METRICS.items() for name in names.split()}
