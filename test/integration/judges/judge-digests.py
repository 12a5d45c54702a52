"""Digests standard input by all that hashlib has: a line for each, of name and hex digits."""
import hashlib
import sys

content = sys.stdin.buffer.read()
for name in sorted(hashlib.algorithms_available):
    digest = hashlib.new(name, content)
    if digest.digest_size > 0:
        print(name, digest.hexdigest())
    else:
        for length in (16, 32) if name == "shake_128" else (32, 64):
            print(name, digest.hexdigest(length))
for family, lengths in (("blake2b", (20, 32, 48, 64)), ("blake2s", (16, 20, 28, 32))):
    for length in lengths:
        print(family, getattr(hashlib, family)(content, digest_size=length).hexdigest())
