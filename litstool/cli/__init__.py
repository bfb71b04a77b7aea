"""The command line: one file a command, each reading arguments, calling the library, printing."""
