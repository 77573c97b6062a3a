"""Imports every module of a generated client, and prints the type of each operation's answer as JSON."""

import importlib
import inspect
import json
import pkgutil
import sys
import typing

failures = {"Error", "HTTPValidationError", "NotFound", "Problem"}


def text_of(answer: object) -> str:
    if typing.get_origin(answer) is list:
        return f"{text_of(typing.get_args(answer)[0])}[]"
    return getattr(answer, "__name__", str(answer))


def answers_of(function: typing.Callable[..., object]) -> list[str]:
    returned = typing.get_type_hints(function)["return"]
    # One generator answers `Response[Role | Error]`, the other `Role`.
    if text_of(typing.get_origin(returned)) == "Response":
        returned = typing.get_args(returned)[0]
    is_union = text_of(type(returned)) in ("Union", "UnionType", "_UnionGenericAlias")
    choices = typing.get_args(returned) if is_union else (returned,)
    return sorted({text_of(choice) for choice in choices} - failures)


def modules_of(package: str) -> list[typing.Any]:
    found = importlib.import_module(package)
    return [importlib.import_module(each.name) for each in pkgutil.walk_packages(found.__path__, f"{package}.")]


def operations() -> typing.Iterator[tuple[str, typing.Callable[..., object]]]:
    for module in modules_of(sys.argv[1]):
        name = module.__name__.rsplit(".", 1)[1]
        if hasattr(module, "sync_detailed"):
            yield name, module.sync_detailed
        for _, api in inspect.getmembers(module, inspect.isclass):
            if api.__module__ == module.__name__ and name.endswith("_api"):
                methods = inspect.getmembers(api, inspect.isfunction)
                yield from ((each, method) for each, method in methods if hasattr(api, f"{each}_with_http_info"))


print(json.dumps({name: answers_of(function) for name, function in operations()}))
