"""Compares answers with the reference's: one request a line on standard input, one verdict a line on standard output.

A request is {"method", "target", "headers", "body" (base64), "status", "answer"}; the last two are another program's
answer. A verdict is {"same", "status", "answer"}, the reference's own.
"""
import asyncio
import base64
import json
import sys
from urllib.parse import unquote

from reference_app import app


async def answer(request):
    path, _, query = request["target"].partition("?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": request["method"],
        "scheme": "http",
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in request["headers"]],
    }
    sent = []
    body = base64.b64decode(request["body"])

    async def receive():
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message):
        sent.append(message)

    try:
        await app(scope, receive, send)
    except Exception:
        # What it cannot decode it cannot echo.
        return 500, ""
    status = sent[0]["status"]
    text = b"".join(message.get("body", b"") for message in sent[1:]).decode()
    return status, text


def is_same(request, status, text):
    if status in (200, 201):
        return request["status"] in (200, 201)
    if status == 500:
        return request["status"] == 400
    if status == 422 and request["status"] == 422:
        # As texts, for in Python 1, 1.0 and True are equal; the order of the members counts, too.
        return json.dumps(json.loads(text)) == json.dumps(json.loads(request["answer"]))
    return status == request["status"]


loop = asyncio.new_event_loop()
for line in sys.stdin:
    request = json.loads(line)
    status, text = loop.run_until_complete(answer(request))
    print(json.dumps({"same": is_same(request, status, text), "status": status, "answer": text}), flush=True)
