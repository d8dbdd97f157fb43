"""Makes one call of the Python client, read as JSON, and prints the answer or the error as JSON."""

import dataclasses
import json
import re
import sys
import traceback
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parents[4] / "clients/python/src"))
import railyard


def snake(name):
    return re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name)


def camel(name):
    return re.sub("_([a-z])", lambda letter: letter[1].upper(), name)


def with_names(rename, values):
    return {rename(name): value for name, value in values.items()}


given = json.loads(sys.stdin.buffer.read())
try:
    if given["call"] == "signRequest":
        said = {"answer": [railyard.sign_request(*each) for each in given["args"]]}
    else:
        client = railyard.Client(**with_names(snake, given["client"]))
        call = getattr(client, snake(given["call"]))
        said = {"answer": call(*given["args"], **with_names(snake, given["named"]))}
except railyard.RailyardError as error:
    fields = {**with_names(camel, vars(error)), "kind": error.kind, "message": str(error)}
    said = {"error": fields, "shown": "".join(traceback.format_exception(error))}
except (TypeError, ValueError) as wrong:
    said = {"wrong": str(wrong), "shown": "".join(traceback.format_exception(wrong))}
print(json.dumps(said, default=dataclasses.asdict))
