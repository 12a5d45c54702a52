"""Says of each storage root, a folder or s3:// address a line on standard input, whether ocfl-py takes it and each of its objects for valid."""
import json
import logging
import sys

import ocfl

logging.disable(logging.CRITICAL)
for line in sys.stdin:
    root = line.rstrip("\n")
    if root.startswith("s3://"):
        # It keeps listings otherwise, of files that have changed since.
        import s3fs

        s3fs.S3FileSystem.clear_instance_cache()
    store = ocfl.StorageRoot(root=root)
    try:
        is_valid = store.validate() and store.good_objects == store.num_objects
        says = [str(store.log)] + [" ".join(error) for error in store.errors]
        verdict = {"valid": is_valid, "objects": store.num_objects, "says": [] if is_valid else says}
    except Exception as error:
        verdict = {"valid": False, "objects": 0, "says": [type(error).__name__ + ": " + str(error)]}
    print(json.dumps(verdict), flush=True)
