"""Says of each storage root, a folder a line on standard input, whether ocfl-py takes it and each of its objects for valid."""
import json
import logging
import sys

import ocfl

logging.disable(logging.CRITICAL)
for line in sys.stdin:
    store = ocfl.StorageRoot(root=line.rstrip("\n"))
    try:
        is_valid = store.validate() and store.good_objects == store.num_objects
        says = [str(store.log)] + [" ".join(error) for error in store.errors]
        verdict = {"valid": is_valid, "objects": store.num_objects, "says": [] if is_valid else says}
    except Exception as error:
        verdict = {"valid": False, "objects": 0, "says": [type(error).__name__ + ": " + str(error)]}
    print(json.dumps(verdict), flush=True)
