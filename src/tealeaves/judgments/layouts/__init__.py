"""Layouts of judgments: tidy tables, and those of published data sets, one module each."""

from __future__ import annotations

from tealeaves.catalogue import Catalogue
from tealeaves.judgments.layouts.hao2018 import HAO2018
from tealeaves.judgments.layouts.hoyle2021 import HOYLE2021
from tealeaves.judgments.layouts.khodorchenko2022 import KHODORCHENKO2022
from tealeaves.judgments.layouts.lau_baldwin2016 import LAU_BALDWIN2016
from tealeaves.judgments.layouts.tidy import TIDY

#: The first that fits is used; tidy fits all tables.
LAYOUTS = Catalogue("layout", lambda: (KHODORCHENKO2022, HOYLE2021, LAU_BALDWIN2016, HAO2018, TIDY))
