"""Looking at runs: the page in the browser, one-file exports, pictures and films."""

from trundle.view.server import ViewServer, serve
from trundle.view.source import RunSource

__all__ = ["RunSource", "ViewServer", "serve"]
