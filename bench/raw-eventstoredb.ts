import { randomUUID } from 'node:crypto'
import { Client, credentials } from '@grpc/grpc-js'
import protobuf from 'protobufjs'

/*
 * EventStoreDB spoken to as plainly as this language can: calls of gRPC, messages coded by protobufjs, nothing made of them.
 */

const { root } = protobuf.parse(`
  syntax = "proto3";
  message Empty {}
  message UUID { string text = 2; }
  message Name { bytes name = 3; }
  message Position { uint64 commit = 1; uint64 prepare = 2; }
  message ReadRequest {
    message All { Position position = 1; Empty start = 2; }
    message Ids { Empty text = 2; }
    message Options { All all = 2; int32 direction = 3; uint64 count = 5; Empty no_filter = 8; Ids ids = 9; }
    Options options = 1;
  }
  message Event {
    UUID id = 1; Name stream = 2; uint64 revision = 3; uint64 prepare = 4; uint64 commit = 5;
    map<string, string> headers = 6; bytes metadata = 7; bytes data = 8;
  }
  message Resolved { Event event = 1; Event link = 2; uint64 commit = 3; }
  message ReadAnswer { Resolved event = 1; }
  message Proposed { UUID id = 1; map<string, string> headers = 2; bytes metadata = 3; bytes data = 4; }
  message Append {
    message Duration { int64 seconds = 1; }
    message Options {
      Name stream = 1; uint64 revision = 2; Empty none = 3; Empty any = 4; Duration deadline = 7;
    }
    UUID id = 1; Options options = 2; repeated Proposed events = 3; bool final = 4;
  }
  message Appended {
    message Success { uint64 revision = 1; Position position = 3; }
    UUID id = 1; Empty error = 2; Success success = 3;
  }
`)

const [ReadRequest, ReadAnswer, Append, Appended] = ['ReadRequest', 'ReadAnswer', 'Append', 'Appended'].map(
  (name) => root.lookupType(name),
) as [protobuf.Type, protobuf.Type, protobuf.Type, protobuf.Type]

const service = '/event_store.client.streams.Streams'
const encodeWith = (type: protobuf.Type) => (message: object) => Buffer.from(type.encode(message).finish())

interface RawEvent {
  readonly type: string
  readonly data: unknown
  readonly metadata: unknown
}

/** At a revision; -1: of a new stream. */
type Expected = number | 'any'

export interface RawEventStoreDb {
  /** Over one call for all. */
  append(stream: string, expected: Expected, events: readonly RawEvent[]): Promise<void>
  /** All of the log, in one call. Resolves with how many events came. */
  readAll(): Promise<number>
  close(): void
}

export const openRaw = (address: string): RawEventStoreDb => {
  const client = new Client(address.replace(/^esdb:\/\/|\?.*$/g, ''), credentials.createInsecure())
  const call = client.makeBidiStreamRequest(
    `${service}/BatchAppend`,
    encodeWith(Append),
    (bytes: Buffer) => Appended.decode(bytes) as unknown as { id: { text: string }; error: unknown },
  )
  const waiting = new Map<string, { resolve: () => void; reject: (error: Error) => void }>()
  call.on('data', ({ id, error }) => {
    const found = waiting.get(id.text)
    waiting.delete(id.text)
    if (error) found?.reject(new Error('not appended'))
    else found?.resolve()
  })
  call.on('error', () => {})
  return {
    append: (stream, expected, events) =>
      new Promise((resolve, reject) => {
        const id = randomUUID()
        waiting.set(id, { resolve, reject })
        const at = expected === 'any' ? { any: {} } : expected < 0 ? { none: {} } : { revision: expected }
        call.write({
          id: { text: id },
          options: { stream: { name: Buffer.from(stream) }, ...at, deadline: { seconds: 10 } },
          events: events.map(({ type, data, metadata }) => ({
            id: { text: randomUUID() },
            headers: { type, 'content-type': 'application/json' },
            metadata: Buffer.from(JSON.stringify(metadata)),
            data: Buffer.from(JSON.stringify(data)),
          })),
          final: true,
        })
      }),
    readAll: () =>
      new Promise((resolve, reject) => {
        const reading = client.makeServerStreamRequest(
          `${service}/Read`,
          encodeWith(ReadRequest),
          (bytes: Buffer) => ReadAnswer.decode(bytes),
          {
            options: {
              all: { start: {} },
              direction: 0,
              count: Number.MAX_SAFE_INTEGER,
              noFilter: {},
              ids: { text: {} },
            },
          },
        )
        let read = 0
        reading.on('data', (answer) => {
          if ((answer as { event?: unknown }).event) read++
        })
        reading.on('error', reject)
        reading.on('end', () => resolve(read))
      }),
    close: () => {
      call.cancel()
      client.close()
    },
  }
}
