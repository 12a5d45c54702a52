/* Sends two events with the SDK for JavaScript over HTTP, in each mode, and prints what it would send to Kafka. */
import { createRequire } from 'node:module'

const [url, json, modules] = process.argv.slice(2)
const require = createRequire(`${modules}/`)
const { CloudEvent, Kafka, Mode, emitterFor, httpTransport } = require('cloudevents')
const data = JSON.parse(json)
const attributes = { source: '/sdk/source', type: 'content.recorded', data }
const events = [
  new CloudEvent({
    ...attributes,
    id: 'whole',
    subject: 'box 12 é',
    time: '2026-01-31t12:00:00.5+01:00',
    correlationid: 'c-1',
  }),
  new CloudEvent({ ...attributes, id: 'bare', subject: null }, false),
]

const base64 = (value) => Buffer.from(value).toString('base64')
/** A client takes text or bytes: objects are the sender's to make JSON of, and headers that are undefined to leave out. */
const print = ({ headers, value }) => {
  const some = Object.entries(headers).filter(([, one]) => one !== undefined)
  const written = some.map(([name, one]) => [name, one === null ? null : base64(one)])
  console.log(
    JSON.stringify({
      headers: Object.fromEntries(written),
      value: base64(typeof value === 'string' ? value : JSON.stringify(value)),
    }),
  )
}

for (const event of events) {
  for (const mode of [Mode.BINARY, Mode.STRUCTURED]) {
    // It has no way to send a header that is null.
    if (mode === Mode.BINARY && event.subject === null) continue
    const answer = await emitterFor(httpTransport(url), { mode })(event)
    console.log(JSON.stringify({ status: JSON.parse(answer.body).accepted ? 202 : answer.body }))
  }
  print(Kafka.binary(event))
  print(Kafka.structured(event))
}
