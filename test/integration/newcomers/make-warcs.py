"""Writes WARC files with warcio. JSON on standard input: a list of a file and its captures (url, date, body, type, status)."""
import json
import sys
from io import BytesIO

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

for warc in json.load(sys.stdin):
    with open(warc["file"], "wb") as out:
        writer = WARCWriter(out, gzip=True)
        writer.write_record(writer.create_warcinfo_record(warc["file"].split("/")[-1], {"software": "warcio"}))
        for url, date, body, kind, status in warc["captures"]:
            content = body.encode()
            headers = [("Content-Type", kind), ("Content-Length", str(len(content)))]
            http = StatusAndHeaders(status, headers, protocol="HTTP/1.1")
            writer.write_record(
                writer.create_warc_record(
                    url, "response", payload=BytesIO(content), http_headers=http, warc_headers_dict={"WARC-Date": date}
                )
            )
