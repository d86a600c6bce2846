"""Where in a scene file the option stands that `simulate` refuses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from trundle.errors import SceneError
from trundle.scene.scene import Scene

ABOUT_OPTIONS = ("simulate: ", "formulation")  # how messages about options begin


@contextmanager
def option_places(scene: Scene, options: Iterable[str]) -> Iterator[None]:
    """Within it, an error about one of these options, which the file of the scene gives, tells file and line."""
    try:
        yield
    except SceneError as error:
        message, source = str(error), scene.source
        if source is None or message.startswith(source.name):
            raise
        if not message.startswith(ABOUT_OPTIONS):
            raise SceneError(source.located(message)) from None
        said = re.findall(r"(\w+) ?=|unknown (\w+) '", message)
        name = next((word for pair in said for word in pair if word in options), None)
        if name is None:  # it was given on the command line
            raise
        raise SceneError(f"{source.place('simulation', None, name)}: {message.removeprefix('simulate: ')}") from None
