"""What Schemathesis finds and is none, each with its reason: no check is off, and nothing else passes.

A schema describes each value by itself. The interface fixes rules beyond that (docs/api) and readings that are
wider than the words of a schema (pydantic's, which the 422 answers follow).
"""

import json
import os
from datetime import datetime
from uuid import UUID

import jsonschema_rs
import schemathesis
from pydantic import TypeAdapter, ValidationError

# Why a request that fits its schemas may be answered 422: by type of the problem, all of an answer must be here.
RULES_BEYOND_SCHEMA = {
    # What was answered or sent before.
    "cursor_invalid": "a cursor is whatever the list has answered",
    "idempotency_key_reused": "the key stands for a request that was made before",
    "unknown_checkpoint": "the checkpoints of a job were recorded before",
    "primary_metric_missing": "the job was declared before",
    "unknown_event_id": "an event's id is whatever the stream has answered",
    "expiry_in_past": "the time goes on",
    "expiry_out_of_range": "the time goes on",
    "environment_unknown": "environments are a setting of the installation",
    "asset_unknown": "what uses a feature was created before",
    "location_unknown": "locations are a setting of the installation",
    "endpoint_unknown": "endpoints are a setting of the installation",
    "model_unknown": "the models of an endpoint are a setting of the installation",
    "unknown_event": "the events that start runs grow with the platform",
    "slug_not_confirmed": "the slug of an organisation that was created before",
    # What the description leaves open, because operations that ignore it share its schemas.
    "extra_forbidden": "names that no schema has",
    # A language of its own.
    "filter_invalid": "a filter has a grammar, and the fields of its list",
    "order_by_invalid": "an order has a grammar, and the fields of its list",
    "query_invalid": "a query has a grammar, and the views that it names",
    "cron_invalid": "a cron expression has a grammar of its own",
    "schedule_never_due": "a cron expression may name a day that there is not",
    "time_zone_unknown": "the names of time zones are the machine's",
    # Fields and items that belong together.
    "alias_repeated": "items of a list differ by one field",
    "asset_repeated": "items of a list differ by one field",
    "draft_id_repeated": "items of a list differ by one field",
    "duplicate_key": "items of a list differ by one field",
    "duplicate_label": "items of a list differ by one field",
    "duplicate_name": "items of a list differ by one field",
    "name_repeated": "items of a list differ by one field",
    "path_repeated": "items of a list differ by one field",
    "artifact_undeclared": "two lists belong together by name",
    "content_missing": "two lists belong together by name",
    "handler_missing": "two lists belong together by name",
    "model_ambiguous": "two lists belong together by what they hold",
    "self_loop": "transitions lead between different steps of the list",
    "unknown_step": "transitions lead between the steps of the list",
    "unreachable_step": "the graph of steps as a whole",
    "seed_asset_absent": "the seed is one of the assets",
    "replaces_itself": "the key in the body is not that of the path",
    "media_invalid": "the kind says which content there is, and lists of it have lengths that belong together",
    "exactly_one": "one of two fields",
    "source_missing": "one of three fields",
    "not_together": "one of three fields",
    "subject_incomplete": "one of two fields is nothing without the other",
    "supervision_id_missing": "one of two fields is nothing without the other",
    "supervision_lease_token_missing": "one of two fields is nothing without the other",
    "when_required": "one of two fields is nothing without the other",
    "checkpoint_id_must_be_null": "what an action takes",
    "runtime_overrides_must_be_empty": "what an action takes",
    # Sizes of what is counted as a whole, and texts in languages of their own.
    "annotations_too_long": "counted as JSON text",
    "assets_too_many": "counted over several lists",
    "input_too_large": "counted as JSON text",
    "runtime_overrides_too_long": "counted as JSON text",
    "version_too_large": "counted over several lists",
    "content_invalid": "a text of base64 or a digest, inside free-form JSON",
    "jupyter_permissions_invalid": "a text that holds JSON",
    "return_path_invalid": "a path is read as browsers read it",
    "path_invalid": "parts of a path are counted in bytes",
    "sample_unreadable": "the bytes are a file of the format",
    "template_invalid": "a text in the language of templates",
}

# Fields of free-form JSON whose content is checked all the same.
FREE_FORM = {
    "prompt_template": "what a step needs depends on its type",
    "serverless_run_config": "keys of this object are limits, any other is kept",
    "interface": "holds JSON Schemas",
}

# Statuses that refuse a request which fits its schemas, beyond 401, 403, 404, 409, 429 and 5xx.
REFUSALS_BEYOND_SCHEMA = {
    412: "If-Match names a version that the thing does not have",
    428: "If-Match is needed to publish; an empty one counts as missing, which has a status of its own",
    413: "many values, each within its bounds, are more than a body may have",
}

# Statuses that refuse a request which does not fit, beyond those that Schemathesis knows as refusals.
OTHER_REFUSALS = {
    412: "If-Match is looked at as soon as it can be",
    428: "If-Match is looked at as soon as it can be",
    413: "a body is refused by its size before it is read",
    415: "a body is refused by its type before it is read",
    431: "a URL is refused by its size before it is read",
}

with open(os.environ["OPENAPI_DOCUMENT"], encoding="utf-8") as file:
    DOCUMENT = json.load(file)


@schemathesis.hook
def filter_failure(context, failure, case, response):
    if case.operation.path == "/platform/external-oauth/callback" and response.status_code == 400:
        # A page for the person whom the provider sends back; its state and code are the provider's.
        return type(failure).__name__ != "RejectedPositiveData"
    name = type(failure).__name__
    if name == "RejectedPositiveData":
        return not (response.status_code in REFUSALS_BEYOND_SCHEMA or breaks_rules_only(response))
    if name == "AcceptedNegativeData":
        return not (response.status_code in OTHER_REFUSALS or (response.status_code < 300 and reads_as_valid(case)))
    return True


def breaks_rules_only(response):
    """Whether every problem of a 422 is one that no schema can say."""
    if response.status_code != 422:
        return False
    answer = response.json()
    # Clients of another API are told no types.
    if "error_code" in answer:
        return True
    return all(
        problem["type"] in RULES_BEYOND_SCHEMA or not FREE_FORM.keys().isdisjoint(problem["loc"])
        for problem in answer["detail"]
    )


READINGS = {
    "boolean": TypeAdapter(bool),
    "integer": TypeAdapter(int),
    "number": TypeAdapter(float),
    "date-time": TypeAdapter(datetime),
    "uuid": TypeAdapter(UUID),
}


def reads_as_valid(case):
    """Whether the request fits its schemas once each value is read as pydantic reads it: 1 as true, "7" as 7."""
    operation = DOCUMENT["paths"][case.operation.path][case.operation.method.lower()]
    places = {"path": case.path_parameters, "query": case.query, "header": case.headers}
    for parameter in operation.get("parameters", []):
        values = places[parameter["in"]] or {}
        if parameter["name"] in values and not fits(parameter["schema"], values[parameter["name"]]):
            return False
        if parameter["required"] and parameter["name"] not in values:
            return False
    if "requestBody" not in operation:
        return True
    return fits(operation["requestBody"]["content"]["application/json"]["schema"], case.body)


def fits(schema, value):
    whole = {"components": DOCUMENT["components"], "allOf": [schema]}
    return jsonschema_rs.is_valid(whole, read(schema, value), validate_formats=True)


def read(schema, value):
    """The value as pydantic reads it; as it is where that fails, so that the schema refuses it."""
    while "$ref" in schema:
        schema = DOCUMENT["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    choices = [choice for choice in schema.get("anyOf", []) if choice.get("type") != "null"]
    if choices:
        return None if value is None else read(choices[0], value)
    kind = schema.get("format", schema.get("type"))
    if kind in READINGS:
        return read_as(kind, value)
    if kind == "array" and isinstance(value, list):
        return [read(schema["items"], item) for item in value]
    if kind == "object" and isinstance(value, dict):
        properties = schema.get("properties", {})
        return {key: read(properties[key], item) if key in properties else item for key, item in value.items()}
    return value


def read_as(kind, value):
    try:
        result = READINGS[kind].validate_python(value)
    except (ValidationError, OverflowError):
        return value
    return result.isoformat() if kind == "date-time" else str(result) if kind == "uuid" else result
