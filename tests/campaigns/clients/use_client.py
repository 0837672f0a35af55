"""Uses a generated client as a program of a seller would. Ends with an error if anything is not as it should be.

Arguments: address of the server, address and password of the seller, photo, prompt.
"""

import sys
import time
from pathlib import Path

from packshot_client import AuthenticatedClient, Client
from packshot_client.api.account import sign_in
from packshot_client.api.generations import create_generations, get_generation, list_generations
from packshot_client.api.images import download_image
from packshot_client.models import CreateGenerationsBody, ErrorReply, SignIn
from packshot_client.types import File

url, email, password, photo, prompt = sys.argv[1:]

session = sign_in.sync(client=Client(base_url=url), body=SignIn(email=email, password=password))
print("signed in as", session.user.full_name)
client = AuthenticatedClient(base_url=url, token=session.token)

with Path(photo).open("rb") as file:
    images = [File(payload=file, file_name=Path(photo).name, mime_type="image/png")]
    body = CreateGenerationsBody(images=images, prompt=prompt, product_name="Cup")
    submitted = create_generations.sync(client=client, body=body, idempotency_key="client-1")
[generation] = submitted.generations
print("submitted", generation.id)

until = time.monotonic() + 120
while generation.state not in ("succeeded", "failed", "cancelled"):
    assert time.monotonic() < until, f"still {generation.state}"
    time.sleep(0.5)
    generation = get_generation.sync(generation.id, client=client)
assert generation.state == "succeeded", generation.state
assert generation.product_name == "Cup"

listed = list_generations.sync(client=client, limit=5)
assert [each.id for each in listed.generations] == [generation.id]

image = download_image.sync(generation.id, "image", client=client).payload.read()
assert image.startswith(b"\x89PNG\r\n\x1a\n"), image[:8]
print("downloaded a PNG of", len(image), "bytes")

missing = get_generation.sync("nothing", client=client)
assert isinstance(missing, ErrorReply) and missing.error.code == "NOT_FOUND", missing
refused = sign_in.sync(client=Client(base_url=url), body=SignIn(email=email, password="wrong"))
assert isinstance(refused, ErrorReply) and refused.error.code == "BAD_CREDENTIALS", refused
print("errors are read")
