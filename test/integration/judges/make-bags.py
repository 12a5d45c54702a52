"""Makes bags with bagit.py. JSON on standard input: a list of folder, names of files, algorithms. Says whether each is valid to it."""
import json
import logging
import os
import sys

import bagit

logging.disable(logging.CRITICAL)
for bag in json.load(sys.stdin):
    folder = bag["folder"]
    for name in bag["names"]:
        os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
        with open(os.path.join(folder, name), "w") as file:
            file.write(name)
    try:
        bagit.make_bag(folder, checksums=bag["algorithms"])
        bagit.Bag(folder).validate()
        print("valid", flush=True)
    except bagit.BagError:
        print("refused", flush=True)
