/* The extension module of the kernels. It is empty: ctypes finds the kernels in its library. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "native.h"

#define STRUCT(NAME, ...) EXPORT const char NAME##_fields[] = #__VA_ARGS__;
#include "structs.h"
#undef STRUCT

static PyModuleDef_Slot slots[] = {
#ifdef Py_GIL_DISABLED
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_native", "The library of compiled kernels.", 0, NULL, slots,
    NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__native(void)
{
    return PyModuleDef_Init(&definition);
}
