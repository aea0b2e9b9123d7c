"""The work that is timed, a script each; a run is a process of its own."""
