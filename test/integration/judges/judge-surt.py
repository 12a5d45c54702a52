"""Says of each URL, a line of JSON on standard input, the key that `surt` gives it; or {"error": …}. An array is the bytes of a URL."""
import json
import sys

from surt import surt

for line in sys.stdin:
    url = json.loads(line)
    try:
        key = surt(bytes(url)).decode() if isinstance(url, list) else surt(url)
    except Exception as error:
        key = {"error": type(error).__name__ + ": " + str(error)}
    sys.stdout.write(json.dumps(key) + "\n")
