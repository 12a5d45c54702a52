#!/usr/bin/env python3
"""Checks what an archive exported of its history, with Python's standard library alone.

    python3 verify.py FOLDER             checks the export in FOLDER
    python3 verify.py FOLDER --policy F  believes the keys in F, in the place of the folder's own policy

An archive writes each event of its history as a leaf of a Merkle tree, and signs the size and the root of that tree. Witnesses,
who are other people, sign them too, and refuse a second history. This program believes the public keys of the policy and
nothing else. It shares no line with the software that made the export. Formats: RFC 6962, RFC 8032, c2sp.org/signed-note,
tlog-checkpoint, tlog-cosignature, tlog-tiles, tlog-policy.

Exit code: 0 what was checked holds, 1 something does not hold, 2 the export cannot be read: nothing is proven.
"""

import argparse, base64, hashlib, json, os, re, sys, time

# Ed25519, as RFC 8032 has it, section 5.1

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)

def recover_x(y, sign):
    """The x of a point of the curve, by its y; None if there is none."""
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    if square == 0:
        return None if sign else 0
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P != 0:
        x = x * ROOT_OF_MINUS_ONE % P
    if (x * x - square) % P != 0:
        return None
    return P - x if x & 1 != sign else x

def decompress(data):
    """A point in extended coordinates, or None."""
    number = int.from_bytes(data, "little")
    y, sign = number & ((1 << 255) - 1), number >> 255
    x = recover_x(y, sign)
    return None if x is None else (x, y, 1, x * y % P)

def add(p, q):
    a = (p[1] - p[0]) * (q[1] - q[0]) % P
    b = (p[1] + p[0]) * (q[1] + q[0]) % P
    c = 2 * p[3] * q[3] * D % P
    d = 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)

def multiply(number, point):
    result = (0, 1, 1, 0)
    for bit in f"{number:b}":
        result = add(result, result)
        result = add(result, point) if bit == "1" else result
    return result

BASE_Y = 4 * pow(5, P - 2, P) % P
BASE = (recover_x(BASE_Y, 0), BASE_Y, 1, recover_x(BASE_Y, 0) * BASE_Y % P)

def ed25519_holds(public_key, message, signature):
    """Whether a signature of 64 bytes is by the key of 32."""
    if len(public_key) != 32 or len(signature) != 64:
        return False
    key, r = decompress(public_key), decompress(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if key is None or r is None or s >= L:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + public_key + message).digest(), "little") % L
    p, q = multiply(s, BASE), add(r, multiply(k, key))
    return (p[0] * q[2] - q[0] * p[2]) % P == 0 and (p[1] * q[2] - q[1] * p[2]) % P == 0

# Merkle tree, as RFC 6962 has it, section 2.1

def sha256(data):
    return hashlib.sha256(data).digest()

def leaf_hash(entry):
    return sha256(b"\x00" + entry)

def node_hash(left, right):
    return sha256(b"\x01" + left + right)

class GrowingRoot:
    """The root of leaves that come one after the other, behind those whose hashes are given. It holds one hash a level."""

    def __init__(self, size=0, stack=()):
        self.size, self.stack = size, list(stack)

    def append(self, leaf):
        self.size += 1
        self.stack.append(leaf)
        size = self.size
        while size % 2 == 0:
            right, left = self.stack.pop(), self.stack.pop()
            self.stack.append(node_hash(left, right))
            size //= 2

    def root(self):
        result, *others = reversed(self.stack or [sha256(b"")])
        for left in others:
            result = node_hash(left, result)
        return result

def is_included(leaf, index, size, proof, root):
    """RFC 9162, section 2.1.3.2."""
    node, last, result = index, size - 1, leaf
    if not 0 <= index < size:
        return False
    for sibling in proof:
        if last == 0:
            return False
        if node % 2 == 1 or node == last:
            result = node_hash(sibling, result)
            while node % 2 == 0 and node != 0:
                node, last = node >> 1, last >> 1
        else:
            result = node_hash(result, sibling)
        node, last = node >> 1, last >> 1
    return last == 0 and result == root

# Notes, keys, checkpoints, policies

class Unreadable(ValueError): ...

def need(holds, sentence):
    if not holds:
        raise Unreadable(sentence)

def read_json(text):
    """As other readers do: no NaN, no half of a surrogate pair; 100.0 is the whole number 100."""
    value = json.loads(text, parse_constant=int, parse_float=lambda one: int(float(one)) if float(one).is_integer() else float(one))
    if "\\u" in text:
        json.dumps(value, ensure_ascii=False).encode()
    return value

def are(kind, values):
    return isinstance(values, list) and all(type(one) is kind for one in values)

def from_base64(text):
    """Bytes of standard base64 in its one form; None for any other text."""
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        return None
    return data if base64.b64encode(data).decode() == text else None

ED25519, COSIGNATURE = 1, 4

class Key:
    """A public key as people hand it on: NAME+ID+BASE64."""

    def __init__(self, text):
        parts = text.split("+", 2)
        data = from_base64(parts[2]) if len(parts) == 3 else None
        need(data, f"{text} is no verifier key")
        self.name, self.type, self.bytes = parts[0], data[0], data[1:]
        self.id = sha256(self.name.encode() + b"\n" + data)[:4]
        need(self.id.hex() == parts[1].lower(), f"the key {text} has an id that is not its own")

def parse_note(text):
    """The text of a note, and its signatures as (name, id, bytes). Strict, as x/mod's reader is."""
    need(not re.search(r"[\x00-\x09\x0b-\x1f]", text), "the checkpoint has control characters")
    end = text.rfind("\n\n")
    *lines, last = text[end + 2 :].split("\n")
    need(end >= 0 and last == "" and 1 <= len(lines) <= 100, "the checkpoint has no signatures, or too many, or does not end in a line feed")
    signatures = []
    for line in lines:
        match = re.fullmatch("\u2014 ([^\\s+]+) (\\S+)", line)
        data = from_base64(match[2]) if match else None
        need(data is not None and len(data) >= 5, f"the checkpoint has a line among its signatures that is none: {line}")
        signatures.append((match[1], data[:4], data[4:]))
    return text[: end + 1], signatures

def parse_checkpoint(text):
    lines = text.split("\n")
    need(len(lines) >= 4 and re.fullmatch(r"0|[1-9]\d{0,18}", lines[1]), "the checkpoint has no origin, size and root")
    need(len(from_base64(lines[2]) or b"") == 32, "the checkpoint has no root in its third line")
    return lines[0], int(lines[1]), from_base64(lines[2])

def signature_holds(key, text, signature):
    """True, False, or None if this program cannot check signatures of that type."""
    if key.type == ED25519:
        return ed25519_holds(key.bytes, text.encode(), signature)
    if key.type == COSIGNATURE and len(signature) == 72:
        message = f"cosignature/v1\ntime {int.from_bytes(signature[:8], 'big')}\n{text}"
        return ed25519_holds(key.bytes, message.encode(), signature[8:])
    return False if key.type == COSIGNATURE else None

class Policy:
    """Whom the reader believes: c2sp.org/tlog-policy."""

    def __init__(self, text):
        self.logs, self.retired, self.witnesses, self.groups, self.quorum = [], [], {}, {}, None
        need(not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", text), "the policy has control characters; a line feed alone ends a line")
        for number, line in enumerate(text.split("\n"), 1):
            if not re.match(r"[ \t]*(#retired[ \t]|[^# \t])", line):
                continue
            try:
                self.take(*re.findall(r"[^ \t]+", line))
            except (TypeError, ValueError, KeyError, IndexError) as error:
                raise Unreadable(f"line {number} of the policy is wrong: {line}") from error
        need(self.quorum is not None, "the policy has no quorum")

    def take(self, word, *rest):
        if word == "log" and len(rest) <= 2:
            self.logs.append(Key(rest[0]))
        elif word == "#retired":  # a key that was replaced, and the largest head of which it is believed
            self.retired.append((Key(rest[0]), int(rest[1])))
        elif word == "witness" and len(rest) <= 3:
            key = Key(rest[1])
            need(all(other.bytes != key.bytes for other in self.witnesses.values()), "one key under two names")
            self.witnesses[self.fresh(rest[0])] = key
        elif word == "group":
            name, least, *members = rest
            need(all(member in (*self.witnesses, *self.groups) for member in members), "a member is defined nowhere before")
            count = {"any": 1, "all": len(members)}.get(least) or int(re.fullmatch(r"[1-9][0-9]*", least)[0])
            need(1 <= count <= len(set(members)) == len(members), least)
            self.groups[self.fresh(name)] = (count, members)
        elif word == "quorum" and self.quorum is None:
            (self.quorum,) = rest
            need(self.quorum in ("none", *self.witnesses, *self.groups), self.quorum)
        else:
            raise ValueError(word)

    def fresh(self, name):
        need(name not in ("none", *self.witnesses, *self.groups), name)
        return name

    def is_enough(self, cosigned, name=None):
        name = name or self.quorum
        if name in self.groups:
            count, members = self.groups[name]
            return sum(self.is_enough(cosigned, member) for member in members) >= count
        return name == "none" or name in cosigned

FIELDS = ["stream", "revision", "id", "type", "recorded", "data", "metadata", "previous"]

def parse_entry(entry):
    """Fields of an event's entry (form fonds.event/v1), as text; None for an entry of another form."""
    form, *lines = entry.split("\n")
    if form != "fonds.event/v1":
        return None
    need(len(lines) == len(FIELDS) + 1 and lines[-1] == "", "an entry does not have its lines")
    return {name: json.loads(line) if line.startswith('"') else line for name, line in zip(FIELDS, lines)}

def fields_of(entry):
    """Fields of an entry's bytes; None for what is no event, or was changed so that it is none: the root tells."""
    try:
        return parse_entry(entry.decode())
    except ValueError:
        return None

def clean(text):
    """Without what a terminal would take for orders."""
    return "".join(one if one.isprintable() else "?" for one in text)

def text_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()

class Report:
    failures, left = 0, 0

    def holds(self, sentence):
        print(f"  holds      {clean(sentence)}")

    def fails(self, sentence):
        self.failures += 1
        print(f"  FAILS      {clean(sentence)}")

    def unchecked(self, sentence):
        self.left += 1
        print(f"  unchecked  {clean(sentence)}")

def check_checkpoint(note, policy, report):
    """Its size and root, if a log of the policy signed them; else None."""
    text, signatures = parse_note(note)
    origin, size, root = parse_checkpoint(text)
    print(clean(f"The checkpoint of {origin}, {size} leaves"))
    first = {(name, key_id): data for name, key_id, data in reversed(signatures)}

    def signed_by(key, who):
        data = first.get((key.name, key.id))
        if data is None:
            return False, None
        holds = signature_holds(key, text, data)
        if holds is None:
            report.unchecked(f"the signature of {who}, of a type (ML-DSA-44) that the standard library does not know")
        elif not holds:
            report.fails(f"the signature of {who} is not by its key")
        return holds, data

    retired = [key for key, until in policy.retired if size <= until]
    signed = [key for key in policy.logs + retired if key.name == origin and signed_by(key, f"the log {origin}")[0]]
    if signed:
        if all(key in retired for key in signed):
            report.unchecked("that nobody else had the key when it signed: another one took its place since")
        report.holds(f"the log signed it; its key is one that the policy names for {origin}")
    else:
        report.fails(f"no key that the policy names for {origin} signed it, as far as can be seen: nothing else is looked at")
        return None
    cosigned, unknown = set(), set()
    for name, key in policy.witnesses.items():
        holds, data = signed_by(key, f"the witness {name}")
        if holds is None:
            unknown.add(name)
        if holds:
            cosigned.add(name)
            seconds = int.from_bytes(data[:8], "big") if key.type == COSIGNATURE else 0
            at = time.strftime(" at %Y-%m-%dT%H:%M:%SZ by its own clock", time.gmtime(seconds)) if 0 < seconds < 2**37 else ""
            report.holds(f"the witness {name} saw it{at}")
    if policy.quorum == "none":
        report.unchecked("that everybody sees the same history: the policy wants no witness")
    elif policy.is_enough(cosigned):
        report.holds(f"these witnesses are enough for the policy ({policy.quorum})")
    elif policy.is_enough(cosigned | unknown):
        report.unchecked(f"whether these witnesses are enough for the policy ({policy.quorum})")
    else:
        report.fails(f"these witnesses are not enough for the policy ({policy.quorum})")
    return size, root

def tile_index(number, mark=""):
    """A number in groups of three digits, as paths of tiles have it."""
    return (tile_index(number // 1000, "x") + "/" if number >= 1000 else "") + f"{mark}{number % 1000:03}"

def bundles(folder, size, first=0):
    """All entries of the tree, out of the bundles of 256, from a bundle on."""
    for number in range(first, (size + 255) // 256):
        width = min(256, size - 256 * number)
        path = os.path.join(folder, "tile", "entries", tile_index(number) + ("" if width == 256 else f".p/{width}"))
        with open(path, "rb") as file:
            data = file.read()
        at, entries = 0, []
        while at < len(data):
            end = at + 2 + int.from_bytes(data[at : at + 2], "big")
            entries.append(data[at + 2 : end])
            at = end
        need(at == len(data) and len(entries) == width, f"{path} does not have {width} entries")
        yield from entries

class ByTree:
    """Leaves looked up in the order of the tree while its root is computed again from all entries. Memory stays flat."""

    def __init__(self, folder, size, report):
        self.entries, self.tree, self.report = bundles(folder, size), GrowingRoot(), report

    def holds(self, line, leaf, first):
        """Whether a leaf stands at its place. No event between `first` and it may have been passed over."""
        need(line["index"] >= self.tree.size, "events.ndjson is not in the order of the leaves, or names one twice")
        while self.tree.size < line["index"]:
            self.pass_over(first)
        return self.take() == leaf

    def follow(self, *_): ...

    def take(self):
        self.entry = next(self.entries, None)
        need(self.entry is not None, "events.ndjson names a leaf beyond the tree, or is not in the order of the leaves")
        self.tree.append(leaf_hash(self.entry))
        return leaf_hash(self.entry)

    def pass_over(self, first):
        index, _ = self.tree.size, self.take()
        if index >= first and fields_of(self.entry) is not None:
            self.report.fails(f"leaf {index}: this event was left out of events.ndjson")

    def end(self, size, root, first):
        while self.tree.size < size:
            self.pass_over(first)
        if self.tree.root() == root:
            self.report.holds(f"the root, computed again from all {size} entries, is the signed one")
        else:
            self.report.fails(f"the root of all entries is {self.tree.root().hex()}, the signed one is {root.hex()}")

class ByProofs:
    """Leaves looked up by the hashes that stand beside each. `of` says which streams must have all of their events here."""

    def __init__(self, folder, size, root, scope, report):
        self.folder, self.size, self.root, self.rest, self.report = folder, size, root, scope.get("rest"), report
        self.streams = {stream for thing in scope["things"] for stream in thing["streams"]}
        self.last, self.seen, self.others = {}, set(), 0

    def holds(self, line, leaf, _):
        proof = [from_base64(text) for text in line.get("proof", [])]
        return None not in proof and is_included(leaf, line["index"], self.size, proof, self.root)

    def follow(self, index, fields):
        """Each event names the leaf of the event before it in its stream."""
        self.seen.add(index)
        stream, revision, previous = fields["stream"], int(fields["revision"]), fields["previous"]
        if stream not in self.streams:
            self.others += 1
            return
        (before, number), self.last[stream] = self.last.get(stream, ("none", -1)), (str(index), revision)
        if previous != before or (before != "none" and revision != number + 1):
            self.report.fails(f"leaf {index} of {stream} follows leaf {previous}, not leaf {before}: events were left out")
        elif before == "none" and revision > 0:
            self.report.unchecked(f"what happened in {stream} before leaf {index}: the tree begins with it, its stream does not")

    def end(self, *_):
        for stream in self.streams - set(self.last):
            self.report.fails(f"of {stream} there is no event, and export.json names it")
        if self.rest is None:
            self.report.unchecked("that nothing happened behind the last of these events: the entries that would show it are not here")
        else:
            from verify_statement import check_rest
            check_rest(self, self.rest["from"], [from_base64(text) for text in self.rest["before"]])
        self.report.unchecked(f"that {', '.join(sorted(self.streams))} are all streams of these things, and {self.others} events of others all that name them")

def check_event(line, leaves, first, report, removed):
    """One line of events.ndjson. Returns the fields of its entry."""
    index, entry = line["index"], line["entry"]
    if not leaves.holds(line, leaf_hash(entry.encode()), first):
        report.fails(f"leaf {index}: this entry is not in the tree at this place")
    fields = parse_entry(entry)
    if fields is None:
        return None
    if "data" not in line and "metadata" not in line:
        removed.absent.append((index, fields["stream"], int(fields["revision"]), fields["recorded"]))
        return fields
    name, failures = f"leaf {index}, revision {fields['revision']} of {fields['stream']}", report.failures
    for part in ("data", "metadata"):
        if part not in line:
            report.unchecked(f"{name}: its {part} are not in the export")
            continue
        # A text, or base64 where the bytes are none.
        stored = from_base64(line[part]["base64"]) if isinstance(line[part], dict) else line[part].encode()
        found = base64.b64encode(sha256(stored)).decode()
        if found != fields[part]:
            report.fails(f"{name}: its {part} were changed: SHA-256 {found}, the entry has {fields[part]}")
    if fields["type"] in removed.TYPES and report.failures == failures and "data" in line:
        removed.told(index, fields, line["data"])
    return fields

def check_events(folder, size, root, report):
    print("Its events")
    scope = read_json(text_of(os.path.join(folder, "export.json")))
    need(scope["form"] == "fonds.export/v1", f"export.json has the form {scope['form']}, this program knows fonds.export/v1")
    is_log, things, rest = scope["of"] == "log", scope.get("things"), scope.get("rest", {"from": 0, "before": []})
    is_things = scope["of"] == "things" and are(dict, things) and type(rest["from"]) is int and are(str, rest["before"])
    is_things = is_things and all(type(one["thing"]) is str and are(str, one["streams"]) for one in things)
    need(is_things and any(one["streams"] for one in things) or is_log and type(scope["from"]) is int, "export.json does not say what it is of")
    first = scope["from"] if is_log else 0
    need(not is_log or size == 0 or os.path.isdir(os.path.join(folder, "tile", "entries")), "the export is of the log, and has no tile/entries")
    leaves = ByTree(folder, size, report) if is_log else ByProofs(folder, size, root, scope, report)
    count, whole, sys.dont_write_bytecode = 0, 0, True  # the folder stays as it is
    from verify_statement import Removed
    removed = Removed(first > 0 or not is_log)
    with open(os.path.join(folder, "events.ndjson"), encoding="utf-8", newline="\n") as file:
        for text in file:
            line = read_json(text)
            need(are(int, [line["index"]]) and are(str, line.get("proof", [])), "a line of events.ndjson is not of its form")
            fields = check_event(line, leaves, first, report, removed)
            count, whole = count + 1, whole + ("data" in line and "metadata" in line)
            if fields is not None:
                leaves.follow(line["index"], fields)
    leaves.end(size, root, first)
    removed.end(report)
    print(f"  {count} events were looked at: the place of each in the tree, and of {whole} their data and metadata")
    if first > 0:
        report.unchecked(f"what the events before leaf {first} hold: they are not in this export")

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--policy", help="a file with the keys that are believed")
    given, report = parser.parse_args(), Report()
    sys.stdout.reconfigure(errors="replace")
    try:
        policy = Policy(text_of(given.policy or os.path.join(given.folder, "policy")))
        if given.policy is None:
            report.unchecked("that the keys are the right ones: they are the export's own. Compare them, or give --policy")
        head = check_checkpoint(text_of(os.path.join(given.folder, "checkpoint")), policy, report)
        if head:
            check_events(given.folder, *head, report)
    except Exception as error:  # whatever is in the folder: nothing is proven by what cannot be read
        print(f"{given.folder} cannot be checked: {clean(str(error))}", file=sys.stderr)
        return 2
    print("NOT ALL OF IT HOLDS" if report.failures else f"What was checked holds; {report.left} things were not checked.")
    return 1 if report.failures else 0

if __name__ == "__main__":
    sys.exit(main())
