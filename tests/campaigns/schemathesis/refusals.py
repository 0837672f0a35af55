"""A check that a request which the document allows is not refused, except by a rule that no JSON schema can express.

A plan, a role, another's id, a state or a limit of so many requests may refuse any request. So may what nobody can
guess: tokens, cursors, signatures and ids that the server gave.
"""

import schemathesis

# Whatever the request is.
STATUSES = {401, 402, 403, 404, 409, 410, 429}

# What only a server, an authenticator or a person can give, and files that are not what they are said to be.
CODES = {
    "TOKEN_INVALID",
    "BAD_SIGNATURE",
    "PASSKEY_NOT_ADDED",
    "PASSWORD_COMMON",
    "PASSWORD_REUSED",
    "TYPE_UNSUPPORTED",
    "IMAGE_CORRUPT",
    "IMAGE_TOO_SMALL",
    "PROMPT_INVALID",
    "FILE_EMPTY",
}

# By the end of the field: characters that are not text, of names and of passwords, pairs, lists and ids.
FIELDS = {
    # Control characters, and text that nobody sees.
    "name", "message", "productName", "sku", "negativePrompt", "scene", "pattern", "q", "code", "reason", "text",
    "instruction", "prompt",
    # Names without links, addresses and digits, and passwords with a capital letter, a digit and another character.
    "fullName", "email", "password", "newPassword", "sender",
    # A width and a height that are not one of the sizes; a crop that leaves the image; marks or a mask.
    "width", "height", "crop", "mask", "marks",
    # Ids and places that the server gave.
    "cursor", "coverId", "pictureOf", "projectId", "before", "images", "presets", "until",
}


@schemathesis.check
def valid_request_is_accepted(ctx, response, case):
    generation = case.meta.generation if case.meta else None
    if generation is None or not generation.mode.is_positive:
        return
    if response.status_code < 400 or response.status_code >= 500 or response.status_code in STATUSES:
        return
    error = response.json()["error"]
    # `images.0` and `rows.3.width` are about the list, and about the width.
    parts = [part for part in error.get("field", "").split(".") if not part.isdigit()]
    if error["code"] in CODES or (parts and parts[-1] in FIELDS):
        return
    raise AssertionError(f"refused although the document allows it: {error}")
