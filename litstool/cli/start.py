"""Where the command starts: Ctrl-C ends it quietly while its parts are still being imported."""

import signal

signal.signal(signal.SIGINT, signal.SIG_DFL)


def run() -> None:
    """The entry point of the installed command."""
    from litstool.cli.main import run as run_command

    run_command()
