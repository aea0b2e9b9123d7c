/* Arguments of kernels that belong together; Python declares the same (tealeaves/kernels.py).
 * Included twice: as types, and as texts that Python compares with its own. */

/* models/polylingual/kernels/dense.py */
STRUCT(TupleWords, Int languages; I64 starts; I32 words; I64 rows;)
STRUCT(TopicTotals, Int k; F64 alpha; F64 beta; F64 sizes; I32 counts; F64 shares;)
STRUCT(DenseBuffers, I32 mixed; F64 factors; F64 sums;)

/* models/polylingual/kernels/sparse.py */
STRUCT(TopicRows, I64 begins; I32 lengths; I32 places; I32 counts;)
STRUCT(SparseBuffers, I32 mixed; I32 present; I32 where; F64 factors; F64 sums; F64 row_sums;)

/* models/polylingual/kernels/inference.py */
STRUCT(NewTuples, I64 starts; I64 rows; I32 topics; F64 means;)
STRUCT(KnownTopics, Int k; F64 phi; F64 alpha;)
