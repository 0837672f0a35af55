"""A check that a request which the document allows is not refused, except by a rule that no JSON schema can express.

Each rule is named with its reason. Besides, it counts which operations accepted a valid request: main.ts reads that.
"""

import atexit
import json
import os
import unicodedata
from collections import Counter, defaultdict

import schemathesis

from known import is_valid, operation_of

# What a schema does not know: plans and payments, roles, ids, states, limits of so many requests or rows.
STATUSES = {402, 403, 404, 409, 410, 429}

CODES = {
    # Only a mail has the token, only Stripe signs its events, and only an authenticator makes a passkey.
    "TOKEN_INVALID", "BAD_SIGNATURE", "PASSKEY_NOT_ADDED", "PASSKEY_REFUSED",
    # What is right is known to one person.
    "BAD_CREDENTIALS", "CODE_REQUIRED", "CODE_INVALID", "PASSWORD_REQUIRED",
    # Lists of passwords, and the password before.
    "PASSWORD_COMMON", "PASSWORD_REUSED",
}

# The session ends with the first request that is accepted.
ENDS_SESSION = {"signOut", "endSession", "endAllSessions", "deleteAccount"}

SIZES = {(1024, 1024), (1024, 1536), (1536, 1024), (2048, 2048)}


def is_unseen(text):
    return any(unicodedata.category(character)[0] == "C" for character in text)


def is_weak(password):
    kinds = {unicodedata.category(character) for character in password}
    return not ({"Lu", "Ll"} <= kinds and any(c in "0123456789" for c in password) and any(k[0] not in "LN" for k in kinds))


def is_no_size(row):
    return (row.get("width", 1024), row.get("height", 1024)) not in SIZES


def leaves_image(crop):
    return crop["left"] + crop["width"] > 1 or crop["top"] + crop["height"] > 1


def is_repeated(items):
    return len(set(items.split(","))) < len(items.split(","))


def is_inside(mark):
    """Whether a mark covers a whole pixel for certain: a thin line or a small dot may lie between some."""
    if mark["kind"] == "stroke" and mark["width"] < 4:
        return False
    if mark["kind"] == "rectangle" and min(mark["width"], mark["height"]) < 2:
        return False
    corners = mark["points"] if mark["kind"] == "stroke" else [{"x": mark["left"], "y": mark["top"]}]
    return any(0 <= corner["x"] <= 1000 and 0 <= corner["y"] <= 1000 for corner in corners)


# By the end of the field: whether a value, or what it is in, breaks the rule.
RULES = {
    # Text from the server.
    "cursor": lambda value, _: True,
    # Two fields that go together.
    "width": lambda _, row: is_no_size(row),
    "height": lambda _, row: is_no_size(row),
    "crop": lambda value, _: leaves_image(value),
    # Each once, in a list that is a text.
    "presets": lambda value, _: is_repeated(value),
    "images": lambda value, _: is_repeated(value),
    # Marks beside the image.
    "marks": lambda value, _: not any(is_inside(mark) for mark in value),
    # The address of the account that an operator deletes, typed once more.
    "email": lambda _, row: "when" in row,
    # A picture as text.
    "mask": lambda value, _: not value.startswith("iVBOR"),
    # The kinds of characters, which not every kind of regular expression knows.
    "password": lambda value, _: is_weak(value),
    "newPassword": lambda value, _: is_weak(value),
    "name": lambda value, _: is_unseen(value),
    # What looks like an address or a telephone number: names of two letters or more do not.
    "fullName": lambda value, _: not (value.isalpha() and value.isascii() and len(value) > 1),
}


def is_too_long(value):
    """Lengths are counted in UTF-16, as JavaScript does, and in a schema in code points."""
    return isinstance(value, str) and len(value.encode("utf-16-le")) // 2 > max(len(value), 60)


def breaks_rule(case, field):
    parts = field.split(".")
    owner, value = None, case.body if isinstance(case.body, dict) else case.query
    for part in parts:
        owner, value = value, value[int(part)] if part.isdigit() else (value or {}).get(part)
    rule = RULES.get(parts[-1])
    return is_too_long(value) or (rule is not None and rule(value, owner))


answers = defaultdict(Counter)


@schemathesis.check
def valid_request_is_accepted(ctx, response, case):
    if not is_valid(case):
        return
    operation, status = operation_of(case), response.status_code
    if status < 400:
        answers[operation]["accepted"] += 1
        return
    error = response.json()["error"]
    code = error["code"]
    answers[operation][code] += 1
    if code == "UNAUTHENTICATED" and operation not in ENDS_SESSION:
        raise AssertionError("the session has ended, so that nothing is tried any more")
    if status >= 500 or status in STATUSES or code in CODES or code == "UNAUTHENTICATED":
        return
    if not breaks_rule(case, error.get("field", "")):
        raise AssertionError(f"refused although the document allows it: {error}")


@atexit.register
def write_answers():
    with open(os.environ["PACKSHOT_ANSWERS"], "w") as file:
        json.dump(answers, file)
