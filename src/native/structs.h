/* Arguments of kernels that belong together; Python declares the same (tealeaves/kernels.py).
 * Included twice: as types, and as texts that Python compares with its own. */
