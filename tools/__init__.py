"""Checks that run outside the tests: releases, and other versions of Python and of packages."""
