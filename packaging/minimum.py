"""Print the oldest versions of the dependencies that pyproject.toml allows, as constraints for pip."""

import re
import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
for requirement in [*project["dependencies"], *project["optional-dependencies"]["sweep"]]:
    name, version = re.match(r"([\w-]+)(?:\[.*\])?>=([\d.]+)", requirement).groups()
    print(f"{name}=={version}.*" if version.count(".") < 2 else f"{name}=={version}")
