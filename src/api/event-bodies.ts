import * as t from 'io-ts'
import { Text, Time } from '../domain/kernel/codecs.ts'
import { Place } from './http/parameters.ts'

const Metadata = t.intersection([
  t.type({ actor: Text, causationId: Text, correlationId: Text, schema: t.number }),
  t.partial({
    origin: t.intersection([
      t.type({ log: Text, topic: Text, partition: t.number, offset: Place }),
      t.partial({ at: Time }),
    ]),
    traceparent: Text,
  }),
])

/** An event in short, with who caused it and when: `eventInShort`. */
export const EventInShort = t.type({
  position: Place,
  type: Text,
  stream: Text,
  recordedAt: Time,
  actor: Text,
})

/** An event in an answer. */
export const EventBody = t.type({
  id: Text,
  type: Text,
  stream: Text,
  revision: Place,
  position: Place,
  recordedAt: Time,
  data: t.unknown,
  metadata: Metadata,
})
