"""Reference pages from docstrings: a page for each public module, with what its `__all__` names."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import griffe

folder = Path("docs/reference")
package = "aiplatform_sdk"
frameworks = ("huggingface", "keras", "lightgbm", "lightning", "sklearn", "torch", "xgboost")
modules = ("", "aio", "sweeps", *frameworks)
note = "<!-- Generated from docstrings by `python scripts/generate.py`. Do not edit. -->\n"


def reference_files() -> Iterator[tuple[Path, str]]:
    """Each page: its path in the SDK's folder, and its text."""
    loaded = griffe.load(package, search_paths=["src"], resolve_aliases=True)
    assert isinstance(loaded, griffe.Module)
    pages = {name: loaded[name] if name else loaded for name in modules}
    yield folder / "README.md", _index(pages)
    for name, module in pages.items():
        yield folder / _file_of(name), _page(module)


def _file_of(name: str) -> str:
    return f"{name or package}.md"


def _index(pages: dict[str, griffe.Module]) -> str:
    rows = [f"| [{module.path}]({_file_of(name)}) | {_first_line(module)} |" for name, module in pages.items()]
    return "\n".join([note + "# Reference of the Python SDK", "", "| module | is |", "| --- | --- |", *rows, ""])


def _page(module: griffe.Module) -> str:
    parts = [note + f"# {module.path}", _text_of(module)]
    for member in _public(module):
        parts.extend(_class(member) if isinstance(member, griffe.Class) else _callable(member, "##"))
    return "\n\n".join(part for part in parts if part) + "\n"


def _public(module: griffe.Module) -> Iterator[griffe.Object]:
    """In the order of `__all__`, or of the source where there is none."""
    names = module.exports or [name for name, each in module.members.items() if _is_own(name, each)]
    for name in names:
        member = module[str(name)]
        target = member.final_target if isinstance(member, griffe.Alias) else member
        if isinstance(target, griffe.Class | griffe.Function):
            yield target


def _is_own(name: str, member: griffe.Object | griffe.Alias) -> bool:
    return not name.startswith("_") and not isinstance(member, griffe.Alias) and member.has_docstring


def _class(shown: griffe.Class) -> Iterator[str]:
    bases = ", ".join(str(base) for base in shown.bases)
    yield f"## {shown.name}"
    if bases:
        yield f"```python\nclass {shown.name}({bases})\n```"
    yield _text_of(shown)
    init = shown.members.get("__init__")
    given = set[str]()
    if isinstance(init, griffe.Function):
        given = {each.name for each in init.parameters}
        yield _signature(init, shown.name)
        yield _text_of(init)
    fields = [_field(each) for each in shown.members.values() if _is_field(each, given)]
    if fields:
        yield "\n".join(["| field | is |", "| --- | --- |", *fields])
    for name, member in shown.members.items():
        if isinstance(member, griffe.Function) and not name.startswith("_"):
            yield from _callable(member, "###")


def _is_field(member: griffe.Object | griffe.Alias, given: set[str]) -> bool:
    """Whether a reader learns of it here: an argument of the same name says as much, unless there is more to say."""
    if not isinstance(member, griffe.Attribute) or member.name.startswith("_"):
        return False
    is_declared = "property" in member.labels or member.annotation is not None
    return member.has_docstring or (is_declared and member.name not in given)


def _field(member: griffe.Object | griffe.Alias) -> str:
    assert isinstance(member, griffe.Attribute)
    annotation = f": {member.annotation}" if member.annotation is not None else ""
    declared = f"{member.name}{annotation}".replace("|", "\\|")
    return f"| `{declared}` | {_text_of(member).replace(chr(10), ' ')} |"


def _callable(member: griffe.Object, heading: str) -> Iterator[str]:
    assert isinstance(member, griffe.Function)
    yield f"{heading} {member.name}"
    yield _signature(member, member.name)
    yield _text_of(member)


def _signature(function: griffe.Function, name: str) -> str:
    """As it is written, formatted by Python's own printer; `self` and `cls` are left out."""
    parameters = [each for each in function.parameters if each.name not in ("self", "cls")]
    written, has_star = list[str](), False
    for each in parameters:
        if each.kind is griffe.ParameterKind.keyword_only and not has_star:
            written.append("*")
            has_star = True
        has_star = has_star or each.kind is griffe.ParameterKind.var_positional
        written.append(_parameter(each))
    returned = f" -> {function.returns}" if function.returns is not None else ""
    prefix = "async def " if "async" in function.labels else "def " if function.name != "__init__" else ""
    line = f"{prefix}{name}({', '.join(written)}){returned if function.name != '__init__' else ''}"
    if len(line) > 100 and written:
        line = line.replace("(" + ", ".join(written) + ")", "(\n    " + ",\n    ".join(written) + ",\n)", 1)
    return f"```python\n{line}\n```"


def _parameter(parameter: griffe.Parameter) -> str:
    stars = {griffe.ParameterKind.var_positional: "*", griffe.ParameterKind.var_keyword: "**"}
    annotation = f": {parameter.annotation}" if parameter.annotation is not None else ""
    has_default = parameter.default is not None and parameter.kind not in stars
    default = f"{' = ' if annotation else '='}{_literal(str(parameter.default))}" if has_default else ""
    return f"{stars.get(parameter.kind, '') if parameter.kind else ''}{parameter.name}{annotation}{default}"


def _literal(default: str) -> str:
    """Texts are quoted as in the sources, whatever the source of the page was."""
    try:
        value = ast.literal_eval(default)
    except (ValueError, SyntaxError):
        return default
    return f'"{value}"' if isinstance(value, str) else default


def _text_of(shown: griffe.Object | griffe.Alias) -> str:
    return shown.docstring.value if shown.docstring is not None else ""


def _first_line(module: griffe.Module) -> str:
    return _text_of(module).split("\n", 1)[0]
