"""Says of each bag, a folder a line on standard input, whether bagit.py takes it for valid."""
import logging
import sys

import bagit

logging.disable(logging.CRITICAL)
for line in sys.stdin:
    folder = line.rstrip("\n")
    try:
        bagit.Bag(folder).validate()
        print("valid", flush=True)
    except Exception as error:
        print(type(error).__name__ + ": " + str(error).replace("\n", " "), flush=True)
