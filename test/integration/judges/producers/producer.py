"""Sends two events with the SDK for Python over HTTP, in each mode, and prints what it would send to Kafka. Takes 1.x and 2.x."""

import base64
import http.client
import json
import sys
from datetime import datetime
from urllib.parse import urlsplit

url, data = urlsplit(sys.argv[1]), json.loads(sys.argv[2])
bare = {"id": "bare", "source": "/sdk/source", "type": "content.recorded"}
whole = {**bare, "id": "whole", "subject": "box 12 é", "correlationid": "c-1"}
time = "2026-01-31T12:00:00.5+01:00"


def post(headers, body):
    connection = http.client.HTTPConnection(url.netloc)
    connection.request("POST", url.path, body, headers)
    print(json.dumps({"status": connection.getresponse().status}))


def kafka(message):
    headers = {name: base64.b64encode(value).decode() for name, value in message.headers.items()}
    print(json.dumps({"headers": headers, "value": base64.b64encode(message.value).decode()}))


def with_2():
    from cloudevents.core.bindings import http as over_http, kafka as over_kafka
    from cloudevents.core.formats.json import JSONFormat
    from cloudevents.core.v1.event import CloudEvent

    at = datetime.fromisoformat("2026-01-31T12:00:00.500000+01:00")
    for attributes in ({**whole, "time": at}, bare):
        event = CloudEvent({**attributes, "specversion": "1.0"}, data)
        for binding, send in ((over_http, lambda message: post(message.headers, message.body)), (over_kafka, kafka)):
            send(binding.to_binary(event, JSONFormat()))
            send(binding.to_structured(event, JSONFormat()))


def with_1():
    from cloudevents import kafka as over_kafka
    from cloudevents.conversion import to_binary, to_structured
    from cloudevents.http import CloudEvent

    # It writes what is none as null.
    nulls = {"subject": None, "time": None, "own": None}
    for attributes in ({**whole, "time": time}, {**bare, **nulls}):
        event = CloudEvent(attributes, data)
        post(*to_structured(event))
        kafka(over_kafka.to_structured(event))
        # It needs the type here, and sends none of its own elsewhere.
        typed = CloudEvent({**attributes, "datacontenttype": "application/json"}, data)
        kafka(over_kafka.to_binary(typed))
        # A client cannot write a header that is null, nor one that is no Latin-1.
        post(*to_binary(CloudEvent({name: value for name, value in attributes.items() if value is not None}, data)))


try:
    import cloudevents.core

    with_2()
except ImportError:
    with_1()
