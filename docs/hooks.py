"""What mkdocs does besides: formulas become MathML, which browsers draw without a script."""

from __future__ import annotations

import re
from typing import Any

from latex2mathml.converter import convert

CODE = re.compile(r"(```.*?```|~~~.*?~~~|`[^`\n]*`)", re.DOTALL)
DISPLAY = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)
INLINE = re.compile(r"(?<![\\$\w])\$(?![\s$])([^$\n]+?)(?<![\s\\])\$(?![\w$])")

SHIM = "https://unpkg.com/iframe-worker/shim"


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Formulas between dollar signs, outside code."""
    pieces = CODE.split(markdown)
    for i in range(0, len(pieces), 2):
        pieces[i] = DISPLAY.sub(lambda m: "\n" + _one_line(m.group(1), "block") + "\n", pieces[i])
        # in a span: a line that begins with <math> would be taken for a block
        pieces[i] = INLINE.sub(lambda m: f"<span>{_one_line(m.group(1), 'inline')}</span>", pieces[i])
    return "".join(pieces)


def _one_line(formula: str, display: str) -> str:
    return convert(" ".join(formula.split()), display=display).replace("\n", "")


def on_config(config: Any, **_: Any) -> Any:
    """Pages that are announced but not written yet are left out of the navigation instead of being broken links."""
    from pathlib import Path

    folder = Path(config["docs_dir"])

    def there(item: Any) -> Any:
        if isinstance(item, str):
            return item if (folder / item).exists() else None
        if isinstance(item, dict):
            kept = {title: there(content) for title, content in item.items()}
            return {title: content for title, content in kept.items() if content} or None
        return [kept for kept in map(there, item) if kept]

    config["nav"] = there(config["nav"])
    return config


def on_post_page(output: str, page: Any, **_: Any) -> str:
    """The one script that the theme would fetch from elsewhere, for the search in pages on the disk, is ours to give."""
    root = "../" * page.url.count("/")
    return output.replace(SHIM, f"{root}pictures/iframe-worker.js")


def on_post_template(output_content: str, template_name: str, config: Any) -> str:
    """The same for the page that says that there is no such page, which knows its own place only as a site's."""
    return output_content.replace(SHIM, "/pictures/iframe-worker.js") if template_name == "404.html" else output_content
