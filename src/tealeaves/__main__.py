"""``python -m tealeaves`` is the command ``tealeaves``."""

from tealeaves.cli.main import main

if __name__ == "__main__":
    main()
