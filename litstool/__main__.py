"""``python -m litstool``."""

from litstool.cli.start import run

if __name__ == "__main__":
    run()
