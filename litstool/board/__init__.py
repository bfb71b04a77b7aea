"""The board in the browser: a server on the user's own machine, and the page that it serves."""
