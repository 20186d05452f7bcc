"""`python -m controller`: the `tablewarden` command."""

import sys

from controller.command_line import main

if __name__ == "__main__":
    sys.exit(main())
