"""``python -m litstool``."""

from litstool.cli.main import run

run()
