"""Build the compiled kernels and the package's page; all else is in pyproject.toml.

Where there is no C compiler, the package is installed without them and runs the same loops in
Python. ``TEALEAVES_REQUIRE_KERNELS=1`` makes that an error.
"""

from __future__ import annotations

import os
import re
import sysconfig
import tomllib
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

NATIVE = Path("src/native")
# One library serves all versions of Python from this one on, except those without a GIL.
LIMITED_API = "" if sysconfig.get_config_var("Py_GIL_DISABLED") else "0x030b0000"

# Products and sums are not contracted: numbers are the same on all processors.
GCC_FLAGS = ["-O3", "-std=c11", "-ffp-contract=off", "-fvisibility=hidden", "-Wall", "-Wextra"]
MSVC_FLAGS = ["/O2", "/std:c11", "/fp:precise", "/Zc:preprocessor"]


class BuildKernels(build_ext):
    """Compile with the flags of the compiler that is found."""

    def build_extension(self, ext: Extension) -> None:
        """Compile the library."""
        msvc = self.compiler.compiler_type == "msvc"
        ext.extra_compile_args = MSVC_FLAGS if msvc else GCC_FLAGS
        super().build_extension(ext)


def page() -> str:
    """Return the README with links that work outside the repository, as on the page at PyPI."""
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    address = project["urls"]["Source"]
    text = Path("README.md").read_text(encoding="utf-8")
    text = re.sub(r"(!\[[^\]]*\]\()(?![a-z]+:|#)", rf"\1{address}/raw/main/", text)
    return re.sub(r"((?<!!)\[[^\]]*\]\()(?![a-z]+:|#)", rf"\1{address}/blob/main/", text)


setup(
    long_description=page(),
    long_description_content_type="text/markdown",
    ext_modules=[
        Extension(
            "tealeaves._native",
            sources=sorted(path.as_posix() for path in NATIVE.glob("*.c")),
            depends=["setup.py", *sorted(path.as_posix() for path in NATIVE.glob("*.h"))],
            libraries=[] if os.name == "nt" else ["m"],
            define_macros=[("Py_LIMITED_API", LIMITED_API)] if LIMITED_API else [],
            py_limited_api=bool(LIMITED_API),
            optional=not os.environ.get("TEALEAVES_REQUIRE_KERNELS"),
        )
    ],
    cmdclass={"build_ext": BuildKernels},
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if LIMITED_API else {},
)
