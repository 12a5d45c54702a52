#!/usr/bin/env bash
# Package:  bagit 1.9.0 (PyPI), Python 3.11
# Guess:    a bag that bagit.py makes is valid to bagit.py: it encodes the line ends in names, as RFC 8493 §2.1.3 wants it
# Seen:     it encodes CR and LF, and reads manifests by codecs.open, whose lines also end at U+000B, U+000C, U+001C to
#           U+001E, U+0085, U+2028 and U+2029. A file with one of them in its name makes a bag that is "incomplete" at once:
#           half a name is missing, and the whole one is not listed.
# Seen too: a name that ends in a blank is read without it, and a file that is called a%0Ab is looked for as one with a line
#           feed: percent signs are decoded, and were not encoded. `a%0ab` is not decoded. Two such names in one bag make
#           make_bag itself fail, when the files have been moved.
# Run:      findings/bagit-py-own-bags.sh (installs the package in a temporary folder; fails if the behaviour changes)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check bagit==1.9.0
cat >"$folder/try.py" <<'PY'
import logging, os, sys, bagit

logging.disable(logging.CRITICAL)
names = ["plain", "two\nlines", "cr\rcr", "50%", "%0a", "a\u2028b", "a\u0085b", "a\x0bb", "a\x0cb", "a\x1cb", "blank ", "a%0Ab"]
for i, name in enumerate(names):
    folder = os.path.join(sys.argv[1], str(i))
    os.mkdir(folder)
    open(os.path.join(folder, name), "w").close()
    bagit.make_bag(folder, checksums=["sha256"])
    try:
        bagit.Bag(folder).validate()
        print(ascii(name), "valid")
    except bagit.BagValidationError:
        print(ascii(name), "incomplete")
PY
seen=$("$folder/venv/bin/python" "$folder/try.py" "$folder")
echo "$seen"
expected="'plain' valid
'two\\nlines' valid
'cr\\rcr' valid
'50%' valid
'%0a' valid
'a\\u2028b' incomplete
'a\\x85b' incomplete
'a\\x0bb' incomplete
'a\\x0cb' incomplete
'a\\x1cb' incomplete
'blank ' incomplete
'a%0Ab' incomplete"
[ "$seen" = "$expected" ] || { echo "changed: expected $expected" >&2; exit 1; }
