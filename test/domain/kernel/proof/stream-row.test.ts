import { expect, test } from 'vitest'
import { eventEntry, leafText } from '#src/domain/kernel/proof/event-leaf.ts'
import { keyOfEntry, lineOfKey, streamEntry } from '#src/domain/kernel/proof/stream-row.ts'

const digest = 'RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o='
const entryOf = (stream: Parameters<typeof eventEntry>[0]['stream']) =>
  Buffer.from(
    eventEntry({
      ...{ stream, revision: 0n, id: 'a', type: 'A', recordedAt: '2026-11-30T12:00:00.000Z' },
      ...{ data: digest, metadata: digest, previous: undefined },
    }),
  )

test('Q31: a row is three lines, with the stream as entries have it', () => {
  expect(streamEntry(lineOfKey('item-é "7"'), 800)).toBe('fonds.stream/v1\n"item-é \\"7\\""\n800\n')
})

test.each(['item-7', 'a\u2028"b\\', 'sha256:x', leafText('é'.repeat(20_000)), { commitment: digest }])(
  'the line of a stream is that of its entries: %j',
  (stream) => {
    const entry = entryOf(stream)
    expect(lineOfKey(keyOfEntry(entry)!)).toBe(entry.toString().split('\n')[1])
  },
)

test('an entry that is no event has no stream', () => {
  expect(keyOfEntry(Buffer.from('fonds.origin/v1\n"a"\n'))).toBeUndefined()
  expect(keyOfEntry(Buffer.from('fonds.event/v1\n"a\n'))).toBeUndefined()
})
