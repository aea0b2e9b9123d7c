"""The same work done by other packages, a script each, in environments of their own."""
