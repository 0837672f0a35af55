"""Gives valid requests what nobody can guess, so that they reach what they ask for.

`PACKSHOT_KNOWN` is a file with what known.ts has made for each operation: accounts of its own, and rows in them.
"""

import json
import os
from collections import Counter

import schemathesis
from hypothesis import strategies

with open(os.environ["PACKSHOT_KNOWN"]) as file:
    KNOWN = json.load(file)

with open(KNOWN["photoFile"], "rb") as file:
    PHOTO = file.read()

CV = b"%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\n%%EOF\n"

schemathesis.openapi.media_type("image/png", strategies.just(PHOTO))
schemathesis.openapi.media_type("application/pdf", strategies.just(CV))
schemathesis.openapi.format("password", strategies.text(max_size=100).map(lambda text: f"Walnut-Table-1{text}"))

sent = Counter()


def operation_of(case):
    return case.operation.definition.raw["operationId"]


def is_valid(case):
    """Whether the document allows a request."""
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return False
    # Schemathesis leaves the other fields of a form with a file empty while it tries kinds of files.
    return case.media_type != "multipart/form-data" or case.meta.phase.name.value != "coverage"


@schemathesis.hook
def before_call(context, case, kwargs):
    operation = operation_of(case)
    number = sent[operation]
    sent[operation] += 1
    accounts = KNOWN["operations"][operation]
    known = accounts[number % len(accounts)]
    case.headers["Authorization"] = known["authorization"]
    if not is_valid(case):
        return
    # One of four asks for what does not exist.
    if number % 4 != 3:
        replace(case.path_parameters, known["path"])
        if case.query:
            case.query.pop("cursor", None)
    replace(case.query, known["query"])
    if isinstance(case.body, dict):
        replace(case.body, known["body"])


def replace(fields, known):
    """Replaces the fields that are there."""
    for name in known.keys() & (fields or {}).keys():
        if fields[name] is not None:
            fields[name] = known[name]
