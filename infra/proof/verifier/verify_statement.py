#!/usr/bin/env python3
"""Checks a file in which an archive states something: the rows of a view, or a report, with Python's standard library alone.

    python3 verify_statement.py FILE --policy F     believes the keys in F

FILE is a .view-proof.json, or a report in HTML that carries its proof. verify.py must lie beside this program. An archive writes
what it states as an event of its history: how many rows a view has, or how many lines a report, and the root of a Merkle tree
(RFC 6962) whose leaves they are. The event is a leaf of the tree that the archive signs.

Exit code: 0 what was checked holds, 1 something does not hold, 2 the file cannot be read: nothing is proven.
"""

import argparse
import base64
import json
import re
import sys
from datetime import datetime, timedelta

from verify import GrowingRoot, Policy, Report, Unreadable, bundles, check_checkpoint, clean, fields_of, from_base64, is_included, leaf_hash, need, parse_entry, read_json, sha256, text_of


def time_of(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


class Removed:
    """Events without bytes, told apart: those that an event in the export says were removed by a policy, and the others."""

    TYPES = ("RetentionSet", "RetentionLifted", "EventsRemoved")

    def __init__(self, is_part):
        # The policies in force, as the events before say, in their order. A part of a log may lack the event that set one.
        self.absent, self.named, self.policies, self.is_part = [], {}, {}, is_part

    def told(self, index, fields, text):
        """An event of a policy, whose data are those of its entry."""
        try:
            self.add(index, fields, read_json(text))
        except (AttributeError, KeyError, OverflowError, TypeError, ValueError):
            pass  # not of its form: it says nothing

    def add(self, index, fields, data):
        category = data["category"]
        if fields["stream"] != f"retention-{category}":
            return
        if fields["type"] != "EventsRemoved":
            self.policies[category] = data if fields["type"] == "RetentionSet" else None
            return
        policy, older_than = data["policy"], data["olderThan"]
        in_force = self.policies.get(category, policy if self.is_part else None)
        if in_force is None or any(in_force[name] != policy[name] for name in ("days", "actor", "reason", "at")):
            return
        # It names no more than the policy allowed then; clocks may differ by a day.
        if time_of(older_than) > time_of(fields["recorded"]) - timedelta(days=policy["days"] - 1):
            return
        says = f"leaf {index}, revision {fields['revision']} of {fields['stream']}, says were removed after {policy['days']} days, by {policy['actor']}: {policy['reason']}"
        parts = [(part["stream"], int(part["before"])) for part in data["streams"]]
        for stream, before in parts:
            if stream.split("-", 1)[0] == category:
                self.named.setdefault(stream, []).append((before, older_than, says))

    def end(self, report):
        counts = {}
        for index, stream, revision, recorded in self.absent:
            told = [says for before, older_than, says in self.named.get(stream, []) if revision < before and recorded < older_than]
            if told:
                counts[told[0]] = counts.get(told[0], 0) + 1
                continue
            for part in ("data", "metadata"):
                report.unchecked(f"leaf {index}, revision {revision} of {stream}: its {part} are not in the export")
        for says, count in counts.items():
            report.unchecked(f"the data and metadata of {count} events, which {says}")


def check_rest(leaves, first, before):
    """The entries behind a leaf, with the hashes before it, have the signed root: so they are all that there are."""
    is_possible = 0 <= first < leaves.size and first % 256 == 0 and bin(first).count("1") == len(before)
    need(is_possible and all(one and len(one) == 32 for one in before), "export.json does not say where its rest begins")
    stated, condition = {}, ""
    if "stated" in leaves.rest:
        stated, condition = check_streams(leaves.rest["stated"], first, leaves)
    for stream, (index, _) in leaves.last.items():
        if int(index) < first - 1 and stated.get(stream) != int(index):
            leaves.report.fails(f"of {stream} nothing is shown between its last event and leaf {first}{stated and f': leaf {index} is not the one that was stated' or ''}")
    tree = GrowingRoot(first, before)
    for entry in bundles(leaves.folder, leaves.size, first // 256):
        fields = fields_of(entry)
        if fields and fields["stream"] in leaves.streams and tree.size not in leaves.seen:
            leaves.report.fails(f"leaf {tree.size} of {fields['stream']}: this event was left out of events.ndjson")
        tree.append(leaf_hash(entry))
    if tree.root() != leaves.root:
        leaves.report.fails(f"the entries from leaf {first} on are not those that were signed")
    elif not leaves.report.failures:
        leaves.report.holds(f"{', '.join(sorted(leaves.streams))} had {len(leaves.seen) - leaves.others} events and no other when {leaves.size} leaves were signed{condition}")


def parse_proof(text):
    """The entry, index, hashes and checkpoint of a c2sp.org/tlog-proof."""
    head, _, checkpoint = text.partition("\n\n")
    first, *lines = head.split("\n")
    if first != "c2sp.org/tlog-proof@v1" or len(lines) < 2 or not re.fullmatch(r"index (0|[1-9]\d{0,18})", lines[1]):
        raise Unreadable("the statement has no proof of the form c2sp.org/tlog-proof@v1")
    entry = from_base64(lines[0][len("extra ") :]) if lines[0].startswith("extra ") else None
    hashes = [from_base64(line) for line in lines[2:]]
    if entry is None or any(one is None or len(one) != 32 for one in hashes):
        raise Unreadable("the proof of the statement has no entry, or a line that is no hash")
    return entry, int(lines[1][len("index ") :]), hashes, checkpoint


def check_statement(statement, kind, stream_of, policy, report):
    """The data of the event, if the signed tree has it in the stream in which the archive states such; else None."""
    entry, index, hashes, checkpoint = parse_proof(statement["proof"])
    head = check_checkpoint(checkpoint, policy, report)
    if head is None:
        return None
    size, root = head
    if not is_included(leaf_hash(entry), index, size, hashes, root):
        report.fails(f"the entry of the statement is not leaf {index} of the {size} that were signed")
        return None
    fields = parse_entry(entry.decode())
    if fields is None or fields["type"] != kind:
        report.fails(f"leaf {index} is no event {kind}")
        return None
    found = base64.b64encode(sha256(statement["data"].encode())).decode()
    if found != fields["data"]:
        report.fails(f"the statement was changed: SHA-256 {found}, the entry has {fields['data']}")
        return None
    data = read_json(statement["data"])
    if fields["stream"] != stream_of(data):
        report.fails(f"leaf {index} is in {fields['stream']}, where the archive states nothing of the kind")
        return None
    report.holds(f"leaf {index} of {size} is {kind}, revision {fields['revision']} of {fields['stream']}, recorded at {fields['recorded']}")
    return data


def check_view(text, policy, report):
    proof = read_json(text)
    if proof["form"] != "fonds.view-proof/v1":
        raise Unreadable("the file is not of the form fonds.view-proof/v1")
    sealed = check_statement(proof["statement"], "ViewSealed", lambda data: "proof-view-" + data["view"], policy, report)
    if sealed is None:
        return
    view, rows = sealed["view"], sealed["rows"]
    report.holds(f"the archive stated that {view} had {rows} rows, folded up to position {sealed['position']} of its log")
    if "row" in proof:
        row = proof["row"]
        index, entry, lines = row["index"], row["entry"], row["entry"].split("\n")
        if type(index) is not int:
            raise Unreadable("the row has no index")
        hashes = [from_base64(one) for one in row["proof"]]
        if type(index) is not int:
            raise Unreadable("the file has a row at no index")
        is_there = len(lines) == 4 and lines[0] == "fonds.row/v1" and json.loads(lines[1]) == view and None not in hashes
        if is_there and is_included(leaf_hash(entry.encode()), index, rows, hashes, from_base64(sealed["root"])):
            report.holds(f"row {index} of them, counted from 0, is {lines[2]}")
        else:
            report.fails(f"the row is not row {index} of the {rows} of {view} that were stated")
    report.unchecked(f"that the rows follow from the events: the program (digest {sealed['program']['digest']}) folds them again")


def leaf_of(part, size, root):
    """Whether an entry is at its place in a tree, by the hashes beside it."""
    if type(part["index"]) is not int:
        raise Unreadable("export.json has an entry at no index")
    hashes = [from_base64(one) for one in part["proof"]]
    return None not in hashes and is_included(leaf_hash(part["entry"].encode()), part["index"], size, hashes, root)


def row_of(entry):
    """The stream and the leaf of a row, form fonds.stream/v1."""
    form, line, leaf, *end = entry.split("\n")
    is_name = line.startswith(('"', "sha256:", "commitment:"))
    if form != "fonds.stream/v1" or end != [""] or not is_name or not re.fullmatch(r"0|[1-9][0-9]{0,18}", leaf):
        raise Unreadable("export.json has a row of a stream that is none")
    return json.loads(line) if line.startswith('"') else line, int(leaf)


def check_streams(stated, first, export):
    """What an export (as verify.py has it) shows of the last leaves of its streams, and under which condition that is right.

    The archive stated, in a leaf, the newest leaf of each stream among the leaves before it; the entries behind are in the export.
    """
    report, index = export.report, stated["index"]
    fields = parse_entry(stated["entry"])
    is_statement = fields is not None and (fields["type"], fields["stream"]) == ("StreamsSealed", "proof-streams")
    if not leaf_of(stated, export.size, export.root) or not is_statement:
        report.fails(f"the statement on streams is not leaf {index} of the tree")
        return {}, ""
    if base64.b64encode(sha256(stated["data"].encode())).decode() != fields["data"]:
        report.fails(f"the statement on streams in leaf {index} was changed")
        return {}, ""
    data = json.loads(stated["data"])
    size, count, root = int(data["size"]), data["streams"], from_base64(data["root"])
    if data["origin"] != text_of(f"{export.folder}/checkpoint").split("\n")[0] or size > index or first > size:
        report.fails(f"leaf {index} states {size} leaves of {data['origin']}: not those before leaf {first} of this tree, and before itself")
        return {}, ""
    leaves = {}
    for row in stated["rows"]:
        stream, leaf = row_of(row["entry"])
        if leaf_of(row, count, root):
            leaves[stream] = leaf
        else:
            report.fails(f"the row of {stream} is not row {row['index']} of the {count} that leaf {index} states")
    shown = "".join(f"; of {stream} it is leaf {leaf}" for stream, leaf in leaves.items())
    report.holds(f"leaf {index}, recorded at {fields['recorded']}, states the newest leaves of {count} streams among the first {size}{shown}")
    report.unchecked(f"that leaf {index} states it rightly: it is the archive's own word, and whoever has all entries computes it again")
    return leaves, f", if what leaf {index} states of the first {size} is right"


# A report is lines of HTML, one paragraph with its root, and a comment with its proof.
REPORT = re.compile(
    r"(.*\n)<p>Sealed: <code>([A-Za-z0-9+/]{43}=)</code> is the root of the lines above\.</p>\n"
    r"<!-- fonds\.report-proof/v1 ([A-Za-z0-9+/]+={0,2}) -->\n",
    re.DOTALL,
)


def check_report(text, policy, report):
    match = REPORT.fullmatch(text)
    if not match:
        raise Unreadable("the file is no report that carries its proof, or something stands behind it")
    body, shown, proof = match.groups()
    sealed = check_statement(json.loads(from_base64(proof).decode()), "ReportSealed", lambda _: "proof-reports", policy, report)
    if sealed is None:
        return
    tree = GrowingRoot()
    for line in body.split("\n")[:-1]:
        tree.append(leaf_hash(line.encode()))
    root = base64.b64encode(tree.root()).decode()
    if root == sealed["root"] == shown and tree.size == sealed["lines"]:
        report.holds(f"the report is the one that was sealed, to the letter: {tree.size} lines that answer {sealed['question']}")
        report.holds(f"it was made at the head of {sealed['head']['size']} leaves")
        report.unchecked("that what it shows follows from the events: whoever has the log asks again")
    else:
        report.fails(f"the report was changed: the root of its {tree.size} lines is {root}, sealed were {sealed['lines']} with {sealed['root']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--policy", required=True, help="a file with the keys that are believed")
    given, report = parser.parse_args(), Report()
    sys.stdout.reconfigure(errors="replace")
    try:
        text, policy = text_of(given.file), Policy(text_of(given.policy))
        (check_view if text.startswith("{") else check_report)(text, policy, report)
    except Exception as error:  # whatever is in the file: nothing is proven by what cannot be read
        print(f"{given.file} cannot be checked: {clean(str(error))}", file=sys.stderr)
        return 2
    print("NOT ALL OF IT HOLDS" if report.failures else f"What was checked holds; {report.left} things were not checked.")
    return 1 if report.failures else 0


if __name__ == "__main__":
    sys.exit(main())
