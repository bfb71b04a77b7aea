"""How long a test waits for what should come at once."""

BUSY = 8.0
"""Seconds that a machine busy with other work may add to a time limit.

Far below what the same work takes without a limit; how well limits are kept on a machine of one's
own is printed by the benchmarks.
"""
