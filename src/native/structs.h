/* Arguments of kernels that belong together; Python declares the same (tealeaves/kernels.py).
 * Included twice: as types, and as texts that Python compares with its own. */

/* tealeaves/text/characters.py */
STRUCT(CharacterTables, I32 page; I32 traits; I32 lowered;)

/* tealeaves/evidence/counting/hits.py */
STRUCT(TextArrays, U8 data; I64 starts; I64 ends; U8 wanted;)
STRUCT(WordTable,
       U64 sieve; Int sieve_bits; U64 slots; Int bits; Int shortest; I64 word_start; U8 letters;)
STRUCT(TokenRules, Int kind; Int lower; Int fold; Int min_length; Int min_tokens;)
STRUCT(HitBuffers,
       U8 low; U64 mask; I32 earlier; I32 edges; I32 maybe; I32 token; I32 place; I64 bounds; I64 lengths;
       U64 digests; U8 fates;)

/* tealeaves/evidence/counting/kernels */
STRUCT(TermTables, I64 term_of_token; I64 gram_start; I64 grams; I64 token_start; I64 tokens;)
STRUCT(TermEvents, I32 term; I32 start; I32 end; I64 bounds;)
STRUCT(PartnerTable,
       I64 start; I32 partner; I32 pair; I64 filter_start; U64 filter; I32 bucket_end;)
STRUCT(CountSums, I32 last; I64 singles; I64 pairs;)
STRUCT(WindowSums, I32 last; I32 singles; I32 pairs;)
STRUCT(WindowWork,
       I64 units; I32 distinct; I32 near_start; I32 near_end; I32 found; I32 near;)
STRUCT(SetTable, I64 member_start; I64 member; I64 set_start; I64 sets_of_term;)
STRUCT(SetSums, I64 seen; I32 last; U8 is_member; I64 complete; I64 counts;)

/* tealeaves/learners/trees.py */
STRUCT(TreeNodes, I64 features; F64 thresholds; I64 left; I64 right; F64 values;)
STRUCT(BinSums, F64 sums; I64 counts;)

/* models/polylingual/kernels/dense.py */
STRUCT(TupleWords, Int languages; I64 starts; I32 words; I64 rows;)
STRUCT(TopicTotals, Int k; F64 alpha; F64 beta; F64 sizes; I32 counts; F64 shares;)
STRUCT(DenseBuffers, I32 mixed; F64 factors; F64 sums;)

/* models/polylingual/kernels/sparse.py */
STRUCT(WordRows, I64 begins; I32 lengths; I32 places; I32 counts;)
STRUCT(SparseBuffers, I32 mixed; I32 present; I32 where; F64 factors; F64 sums; F64 row_sums;)

/* models/polylingual/kernels/inference.py */
STRUCT(NewTuples, I64 starts; I64 rows; I32 topics; F64 means;)
STRUCT(KnownTopics, Int k; F64 phi; F64 alpha;)

/* lexicon/alignment/kernels/pairs.py */
STRUCT(TokenCells, I32 rows; I32 source; I64 target_starts; I32 target; I64 firsts;)
/* lexicon/alignment/kernels/posteriors.py */
STRUCT(PassageStarts, I64 source; I64 target;)
STRUCT(Direction, F32 logs; F64 null; F64 jumps; F64 counts; F32 links;)
/* lexicon/alignment/symmetrization.py */
STRUCT(Either, I64 starts; I32 places; F32 forward; F32 backward;)
/* lexicon/markers/kernels.py */
STRUCT(MarkerPlaces, I64 row_starts; I32 row_words; I64 word_starts; I32 word_markers;)
/* lexicon/forms/kernels.py */
STRUCT(Spelling, I64 starts; I32 letters;)
STRUCT(GroupTables, F64 means; F64 closest; F64 alike; F64 sizes; I64 nearest; I64 groups;)

/* tealeaves/metrics/topic_similarity/matching.py */
STRUCT(AssignmentWork,
       F64 cost; F64 row_price; F64 column_price; F64 distance; I64 column_of; I64 row_of;
       I64 before; I64 remaining; U8 row_seen; U8 column_seen;)
