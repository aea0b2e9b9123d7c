/* Arguments of kernels that belong together; Python declares the same (tealeaves/kernels.py).
 * Included twice: as types, and as texts that Python compares with its own. */

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
