"""Drives a log with EventStoreDB's Python client: one line a step, the same in every language (see gateway-clients)."""
import sys
from uuid import uuid4

from esdbclient import EventStoreDBClient, NewEvent, StreamState
from esdbclient.exceptions import NotFound, StreamIsDeleted, WrongCurrentVersion

client = EventStoreDBClient(sys.argv[1])
stream = f"{sys.argv[2]}-1"


def some(count, data=b"{}"):
    return [NewEvent(type="Tested", data=data) for _ in range(count)]


def refused(error, work):
    try:
        work()
    except error:
        return error.__name__
    return "accepted"


def revisions(events):
    return ",".join(str(event.stream_position) for event in events)


def say(*words):
    print(*words, flush=True)


def read(**options):
    return revisions(client.get_stream(stream, **options))


client.append_to_stream(stream, current_version=StreamState.NO_STREAM, events=some(3))
say("appended", client.get_current_version(stream))
again = refused(WrongCurrentVersion, lambda: client.append_to_stream(stream, current_version=StreamState.NO_STREAM, events=some(1)))
say("again", "conflict" if again == "WrongCurrentVersion" else again)
say("read", read())
say("back", read(backwards=True, limit=2))
say("beyond", read(stream_position=99) or "none")
say("missing", "not found" if refused(NotFound, lambda: client.get_stream(f"{stream}{uuid4()}")) == "NotFound" else "found")

with client.subscribe_to_stream(stream) as subscription:
    seen = [next(subscription) for _ in range(3)]
    client.append_to_stream(stream, current_version=2, events=some(1))
    say("subscribed", revisions([*seen, next(subscription)]))
with client.subscribe_to_all(filter_include=[rf"{sys.argv[2]}-\d+"], filter_by_stream_name=True) as subscription:
    say("filtered", revisions(next(subscription) for _ in range(4)))

client.set_stream_metadata(stream, metadata={"$maxCount": 2}, current_version=StreamState.NO_STREAM)
say("kept", read())
client.delete_stream(stream, current_version=3)
say("deleted", "not found" if refused(NotFound, read) == "NotFound" else "found")
client.append_to_stream(stream, current_version=StreamState.NO_STREAM, events=some(1))
say("revived", read())
too_large = refused(Exception, lambda: client.append_to_stream(stream, current_version=4, events=some(1, b'"' + b"x" * 2_000_000 + b'"')))
say("too large", "accepted" if too_large == "accepted" else "refused")
client.tombstone_stream(stream, current_version=4)
gone = refused(StreamIsDeleted, lambda: client.append_to_stream(stream, current_version=StreamState.ANY, events=some(1)))
say("tombstoned", "deleted" if gone == "StreamIsDeleted" else gone)
client.close()
