#!/usr/bin/env bash
# Package:  versitygw 1.8.0 (Go), ocfl-py 2.1.0 (PyPI)
# Guess:    in a bucket with versions, an OCFL object whose keys were all deleted is gone for a validator, as for every listing of keys
# Seen:     the keys are no longer listed, but their common prefix is, and so is every "folder" below it. ocfl-py walks by prefixes:
#           it finds an object without an inventory, and calls the storage root invalid. Deletion of each version, and of the marker
#           last, makes the root valid again. The posix backend keeps a folder for its delete markers. moto 5.2.5 lists such prefixes, too.
# Run:      findings/versitygw-ghost-prefixes.sh (builds the server in a temporary folder, minutes; fails if the behaviour changes)
set -euo pipefail
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
unset AWS_CA_BUNDLE
GOBIN=$folder GOFLAGS=-modcacherw go install github.com/versity/versitygw/cmd/versitygw@v1.8.0
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check ocfl-py==2.1.0 boto3==1.43.117 s3fs==2026.9.0
mkdir "$folder/data" "$folder/versions"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
export AWS_ACCESS_KEY_ID=ada AWS_SECRET_ACCESS_KEY=letters-and-papers AWS_ENDPOINT_URL=http://127.0.0.1:$port
ROOT_ACCESS_KEY=$AWS_ACCESS_KEY_ID ROOT_SECRET_KEY=$AWS_SECRET_ACCESS_KEY "$folder/versitygw" --quiet --port "127.0.0.1:$port" \
  posix --versioning-dir "$folder/versions" "$folder/data" >"$folder/log" 2>&1 &
server=$!
for _ in $(seq 100); do curl --silent --output /dev/null "$AWS_ENDPOINT_URL" && break || sleep 0.1; done
cat >"$folder/try.py" <<'PY'
import boto3, hashlib, json, sys

s3 = boto3.client("s3", region_name="us-east-1")
bucket, step = "archive", sys.argv[1]


def an_object(name):
    letter = "letter\n"
    digest = hashlib.sha512(letter.encode()).hexdigest()
    version = {"created": "2026-01-31T12:00:00Z", "message": "first", "user": {"name": "Ada", "address": "mailto:ada@example.org"}}
    inventory = json.dumps({
        "id": "info:" + name, "type": "https://ocfl.io/1.1/spec/#inventory", "digestAlgorithm": "sha512", "head": "v1",
        "manifest": {digest: ["v1/content/letter.txt"]},
        "versions": {"v1": {**version, "state": {digest: ["letter.txt"]}}},
    })
    sidecar = hashlib.sha512(inventory.encode()).hexdigest() + " inventory.json\n"
    texts = {"0=ocfl_object_1.1": "ocfl_object_1.1\n", "v1/content/letter.txt": letter}
    for at in ["", "v1/"]:
        texts |= {at + "inventory.json": inventory, at + "inventory.json.sha512": sidecar}
    return {f"root/{name}/{path}": text for path, text in texts.items()}


if step == "make":
    s3.create_bucket(Bucket=bucket)
    s3.put_bucket_versioning(Bucket=bucket, VersioningConfiguration={"Status": "Enabled"})
    for key, text in {"root/0=ocfl_1.1": "ocfl_1.1\n", **an_object("one"), **an_object("two")}.items():
        s3.put_object(Bucket=bucket, Key=key, Body=text.encode())
if step == "delete":
    for key in an_object("two"):
        s3.delete_object(Bucket=bucket, Key=key)
if step == "purge":
    found = s3.list_object_versions(Bucket=bucket, Prefix="root/two/")
    for one in found.get("Versions", []) + found.get("DeleteMarkers", []):
        s3.delete_object(Bucket=bucket, Key=one["Key"], VersionId=one["VersionId"])
keys = s3.list_objects_v2(Bucket=bucket, Prefix="root/two/").get("KeyCount", 0)
tops = s3.list_objects_v2(Bucket=bucket, Prefix="root/", Delimiter="/").get("CommonPrefixes", [])
print(f"{step}: {keys} keys of two; prefixes {' '.join(top['Prefix'] for top in tops)}")
PY
seen=$(for step in make delete purge; do
  "$folder/venv/bin/python" "$folder/try.py" "$step"
  "$folder/venv/bin/ocfl-validate.py" --quiet s3://archive/root >"$folder/verdict" 2>&1 && echo valid || echo invalid
done)
echo "$seen"
expected="make: 6 keys of two; prefixes root/one/ root/two/
valid
delete: 0 keys of two; prefixes root/one/ root/two/
invalid
purge: 0 keys of two; prefixes root/one/
valid"
[ "$seen" = "$expected" ] || { cat "$folder/verdict" >&2; echo "changed: expected $expected" >&2; exit 1; }
