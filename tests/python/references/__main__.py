"""Writes examples/reference/<name>.json anew: python tests/python/references [NAME...]

Needs requirements.txt of this folder. The files are committed; this says where their numbers come from.
"""

import sys

import benchmarks  # noqa: F401
import classics  # noqa: F401
import contacts  # noqa: F401
import friction  # noqa: F401
import linkages  # noqa: F401
import loops  # noqa: F401
import papers  # noqa: F401
import rail  # noqa: F401
import rolling  # noqa: F401
import servo  # noqa: F401
import tables  # noqa: F401
from witness import write

write(sys.argv[1:])
