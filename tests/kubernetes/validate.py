"""Validates rendered Kubernetes manifests, and prints them as JSON.

    python validate.py VERSION... < manifests.yaml

Reads YAML documents from standard input. Kinds of Kubernetes are validated with their schema in each VERSION, such as
1.30.0, without unknown fields; KEDA's ScaledObject with the models made from its CRD. Prints
`{"documents": [...], "problems": ["Kind/name: what is wrong", ...]}`.
"""

import json
import sys

import kubernetes_validate
import yaml
from cloudcoil.models.keda.v1alpha1 import ScaledObject
from pydantic import ValidationError


def problems_of_scaled_object(document):
    try:
        known = ScaledObject.model_validate(document).model_dump(by_alias=True, exclude_unset=True, mode="json")
    except ValidationError as error:
        return [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors()]
    return [f"{path} is not a field" for path in unknown_fields(document, known, "")]


def unknown_fields(given, known, path):
    """Models ignore fields that they do not have, so what they read back is compared with what was given."""
    if isinstance(given, dict) and isinstance(known, dict):
        for key, value in given.items():
            if key not in known:
                yield f"{path}{key}"
            else:
                yield from unknown_fields(value, known[key], f"{path}{key}.")
    elif isinstance(given, list) and isinstance(known, list):
        for index, value in enumerate(given):
            yield from unknown_fields(value, known[index], f"{path}{index}.")


def problems_of(document, versions):
    if document["apiVersion"].startswith("keda.sh/"):
        return problems_of_scaled_object(document)
    found = []
    for version in versions:
        try:
            kubernetes_validate.validate(document, version, strict=True)
        except kubernetes_validate.ValidationError as error:
            found.append(f"{'.'.join(map(str, error.path))}: {error.message} (Kubernetes {version})")
        except kubernetes_validate.SchemaNotFoundError as error:
            found.append(error.message)
    return found


documents = [each for each in yaml.safe_load_all(sys.stdin) if each is not None]
problems = [
    f"{document['kind']}/{document['metadata']['name']}: {problem}"
    for document in documents
    for problem in problems_of(document, sys.argv[1:])
]
json.dump({"documents": documents, "problems": problems}, sys.stdout)
