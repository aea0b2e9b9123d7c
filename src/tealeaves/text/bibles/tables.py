"""Where the numberings of verses differ: facts, book by book.

``32:2-33=32:1`` says that the verses 32:2 to 32:33 are those from 32:1 on, ``10-112:*=11`` that the
chapters 10 to 112 are those from 11 on, and ``=-`` that the verses have no number. Later moves of
a verse replace earlier ones. The tables of Greek psalms lead to Hebrew numbers, all others to
English ones.
"""

from __future__ import annotations

from collections.abc import Iterable

#: The Hebrew Bible and the Greek New Testament, but for the psalms.
HEBREW = """
GEN 32:1=31:55 32:2-33=32:1
EXO 7:26-29=8:1 8:1-28=8:5 21:37=22:1 22:1-30=22:2
LEV 5:20-26=6:1 6:1-23=6:8
NUM 17:1-15=16:36 17:16-28=17:1 25:19=26:1 30:1=29:40 30:2-17=30:1
DEU 13:1=12:32 13:2-19=13:1 23:1=22:30 23:2-26=23:1 28:69=29:1 29:1-28=29:2
1SA 21:1=20:42 21:2-16=21:1 24:1=23:29 24:2-23=24:1
2SA 19:1=18:33 19:2-44=19:1
1KI 5:1-14=4:21 5:15-32=5:1 22:44-54=22:43
2KI 12:1=11:21 12:2-22=12:1
1CH 5:27-41=6:1 6:1-66=6:16 12:5-41=12:4
2CH 1:18=2:1 2:1-17=2:2 13:23=14:1 14:1-14=14:2
NEH 3:33-38=4:1 4:1-17=4:7 7:68-72=7:69 10:1=9:38 10:2-40=10:1
JOB 40:25-32=41:1 41:1-26=41:9
ECC 4:17=5:1 5:1-19=5:2
SNG 7:1=6:13 7:2-14=7:1
ISA 8:23=9:1 9:1-20=9:2 64:1-11=64:2
JER 8:23=9:1 9:1-25=9:2
EZK 21:1-5=20:45 21:6-37=21:1
DAN 3:31-33=4:1 4:1-34=4:4 6:1=5:31 6:2-29=6:1
HOS 2:1-2=1:10 2:3-25=2:1 12:1=11:12 12:2-15=12:1 14:1=13:16 14:2-10=14:1
JOL 3:1-5=2:28 4:1-21=3:1
JON 2:1=1:17 2:2-11=2:1
MIC 4:14=5:1 5:1-14=5:2
NAM 2:1=1:15 2:2-14=2:1
ZEC 2:1-4=1:18 2:5-17=2:1
MAL 3:19-24=4:1
2CO 13:13=13:14
3JN 1:15=1:14
REV 12:18=13:1
"""

# psalms whose title is a verse of the Hebrew Bible, and those where it is two
_TITLES = (
    *range(3, 10), 12, 13, *range(18, 23), 30, 31, 34, 36, *range(38, 43), *range(44, 50), 53,
    *range(55, 60), *range(61, 66), *range(67, 71), *range(75, 78), 80, 81, 83, 84, 85, 88, 89, 92,
    102, 108, 140, 142,
)  # fmt: skip
_LONG_TITLES = (51, 52, 54, 60)
#: Verses of the longest chapter, Psalm 119.
LONGEST = 176


def _without_titles(psalms: Iterable[int], verses: int) -> str:
    moves = (f"{n}:1-{verses}=- {n}:{verses + 1}-{LONGEST}={n}:1" for n in psalms)
    return f"PSA {' '.join(moves)}\n"


#: The Hebrew psalms.
HEBREW_PSALMS = _without_titles(_TITLES, 1) + _without_titles(_LONG_TITLES, 2)

#: The psalms of the Septuagint, and of all that follow it, to Hebrew ones.
GREEK_PSALMS = """
PSA 9:22-39=10:1 10-112:*=11 113:1-8=114:1 113:9-26=115:1 114:1-9=116:1 116-145:*=117 146:1-11=147:1
"""

#: The verses of the Vulgate's psalms to Hebrew ones, where they differ; some editions begin the
#: second halves of psalms with verse 1.
VULGATE_PSALMS = """
PSA 2:13=2:12 4:10=4:9 10:1=- 10:2-8=11:1 12:1=13:2 12:2=13:3 12:3=13:3 43:22-26=44:23
PSA 55:11-13=56:12 115:1-9=116:10 115:10-19=116:10 147:1-9=147:12
"""

#: The Vulgate, but for the psalms.
VULGATE = """
GEN 49:31-32=49:32 50:22-25=50:23
EXO 40:13-36=40:15
LEV 26:45=26:46
NUM 11:34=11:35 13:1=12:16 13:2-34=13:1 20:29=20:28 20:30=20:29 30:1=29:40 30:2-17=30:1
JOS 4:24=4:23 4:25=4:24 5:15=5:14 5:16=5:15 21:36=21:37 21:37-43=21:39
JDG 5:32=5:31
1SA 20:43=20:42 24:1=23:29 24:2-23=24:1
1KI 22:44-54=22:43
NEH 3:30-31=3:31 12:33-46=12:34
EST 10:4-13=- 11-16:*=-
JOB 16:5-23=16:4 39:31-35=40:1 40:1-19=40:6 40:20-27=41:1 40:28=41:9 41:1-25=41:10
ECC 4:17=5:1 5:1-19=5:2 7:1=6:12 7:2-30=7:1
SNG 1:1-16=1:2 5:17=6:1 6:1-12=6:2
JER 37:4-20=37:5
DAN 3:24-90=- 3:91-97=3:24 3:98-100=4:1 4:1-34=4:4 13-14:*=-
HOS 2:24=2:23 14:1=13:16 14:2-10=14:1
AMO 6:11-15=6:10
JON 2:1=1:17 2:2-11=2:1
MIC 5:11-14=5:12
HAG 2:1=1:15 2:2-24=2:1
MAT 17:15-26=17:16
MRK 8:39=9:1 9:1-49=9:2
JHN 6:52-72=6:51
ACT 7:55-59=7:56 14:6-27=14:7
2CO 13:13=13:14
3JN 1:15=1:14
REV 12:18=13:1
"""

#: The verses of the Russian psalms to Hebrew ones, where they differ.
SYNODAL_PSALMS = """
PSA 89:1=- 89:2-6=90:1 115:1-10=116:10 141:1-7=142:2 147:1-9=147:12 151:*=-
"""

#: The Russian Synodal Bible, but for the psalms.
SYNODAL = """
LEV 14:55-56=14:56
NUM 13:1=12:16 13:2-34=13:1 30:1=29:40 30:2-17=30:1
JOS 5:16=6:1 6:1-26=6:2
1SA 20:43=20:42 24:1=23:29 24:2-23=24:1
JOB 39:31-35=40:1 40:1-19=40:6 40:20-27=41:1 41:1-26=41:9
ECC 4:17=5:1 5:1-19=5:2
SNG 1:1-16=1:2 7:1=6:13 7:2-14=7:1
ISA 3:19-25=3:20
DAN 3:31-33=4:1 4:1-34=4:4
HOS 14:1=13:16 14:2-10=14:1
JON 2:1=1:17 2:2-11=2:1
ROM 14:24-26=16:25
2CO 13:13=13:14
3JN 1:15=1:14
"""

#: What the Synodal Bible has besides from the Septuagint.
ORTHODOX = """
JOS 24:34-36=-
2CH 37:*=-
PRO 4:28-29=- 13:14=- 13:15-26=13:14 18:8=- 18:9-25=18:8
DAN 3:24-90=- 3:91-97=3:24 3:98-100=4:1 13-14:*=-
"""
