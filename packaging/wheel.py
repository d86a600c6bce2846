"""What a wheel needs beyond the package: the kernel pack of `make wheel`, and a tag that names Python and machine."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class KernelPackHook(BuildHookInterface):
    """Put the folder that TRUNDLE_KERNEL_PACK names into the wheel as trundle/kernel_pack."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before the wheel is built."""
        pack = os.environ.get("TRUNDLE_KERNEL_PACK")
        if not pack or version == "editable":
            return
        if not (Path(pack) / "levels").is_file():
            raise FileNotFoundError(f"TRUNDLE_KERNEL_PACK = {pack!r} has no kernel pack; make wheel makes one")
        python = f"cp{sys.version_info.major}{sys.version_info.minor}"
        build_data["force_include"][pack] = "trundle/kernel_pack"
        build_data["pure_python"] = False
        # the kernels are called by numba, whose own wheels need this version of the C library or a newer one
        build_data["tag"] = f"{python}-{python}-manylinux_2_17_x86_64"
