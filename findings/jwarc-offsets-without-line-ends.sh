#!/usr/bin/env bash
# Package:  jwarc 0.36.0 (Maven Central), Java 17
# Guess:    `jwarc cdx` gives for each record of a .warc.gz or .arc.gz the offset and the length of its gzip member
# Seen:     not behind a record that lacks the line ends of its format (CR LF CR LF in WARC, LF in ARC), though its
#           Content-Length is right and each member is whole. jwarc looks for them in the next member: the record gets
#           the length of both members, and the next one the offset behind itself, and the length 0.
# Seen too: it warns of an "invalid record trailer" on stderr, prints the wrong lines all the same, and exits with 0.
#           Nothing compressed, the same records have the right places. warcio 1.8.1 has the right places in both.
# Run:      findings/jwarc-offsets-without-line-ends.sh (wants Maven and Python; fails if the behaviour changes)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mvn --quiet dependency:copy -Dartifact=org.netpreserve:jwarc:0.36.0 -DoutputDirectory=. -Dmdep.stripVersion=true
python3 - <<'PY'
import gzip

def record(n, ends):
    block = b'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>page</p>'
    head = (f'WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://example.org/{n}\r\nWARC-Date: 2026-01-31T12:00:00Z\r\n'
            f'WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{n:012d}>\r\n'
            f'Content-Type: application/http; msgtype=response\r\nContent-Length: {len(block)}\r\n\r\n')
    return head.encode() + block + ends

records = [record(1, b''), record(2, b'\r\n\r\n')]
members = [gzip.compress(one, mtime=0) for one in records]
open('plain.warc', 'wb').write(b''.join(records))
open('packed.warc.gz', 'wb').write(b''.join(members))
first, second = map(len, members)
plain = len(records[0])
open('expected', 'w').write(
    f'plain.warc 0 {plain}\nplain.warc {plain} {len(records[1])}\n'
    f'packed.warc.gz 0 {first + second}\npacked.warc.gz {first + second} 0\nexit 0\n')
print(f'the members of packed.warc.gz: 0 +{first}, {first} +{second}')
PY
code=0
java -jar jwarc.jar cdx --no-header plain.warc packed.warc.gz >lines 2>warnings || code=$?
# Columns: key, date, URL, type, status, digest, redirect, tags, length, offset, file.
{ awk '{ print $11, $10, $9 }' lines; echo "exit $code"; } >seen
cat seen
diff expected seen >&2 || { echo changed >&2; exit 1; }
