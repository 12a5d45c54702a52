import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { copiedMetadata, ownMetadata, withReservedNames } from '#src/domain/kernel/proof/own-metadata.ts'
import { asBytes, isSameBytes, type StoredBytes } from '#src/domain/kernel/stored-event.ts'
import { runs } from '../../../runs.ts'

const recordedAt = '2026-11-30T13:04:51.123Z'
const copy = (metadata: StoredBytes) => copiedMetadata({ metadata, recordedAt })
const own = (metadata: StoredBytes) => ownMetadata({ metadata, recordedAt })
const ours = '{"actor":"ada","causationId":"a","correlationId":"b","schema":1}'
const bytes = (...all: number[]) => Uint8Array.from(all)

const writtenMetadata: fc.Arbitrary<StoredBytes> = fc.oneof(
  fc
    .record(
      {
        actor: fc.string(),
        causationId: fc.oneof(fc.string(), fc.integer()),
        correlationId: fc.string(),
        recordedAt: fc.constantFrom('yesterday', '2020-01-01T00:00:00.000Z', recordedAt, 7),
        $correlationId: fc.string(),
        more: fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    .chain((value) => fc.constantFrom(JSON.stringify(value), `${JSON.stringify(value, undefined, 1)} \n`)),
  fc.json(),
  fc.string(),
  fc.uint8Array(),
)

describe('metadata in a copy of the log (Q11, Q12)', () => {
  it.each<[string, StoredBytes, string]>([
    ['ours', ours, `${ours.slice(0, -1)},"recordedAt":"${recordedAt}"}`],
    ['written with blanks', '{ "a": 1 }\n', `{ "a": 1 ,"recordedAt":"${recordedAt}"}\n`],
    ['an empty object', '{}', `{"recordedAt":"${recordedAt}"}`],
    ['a time that is none', '{"recordedAt":"x"}', `{"recordedAt":"x","recordedAt":"${recordedAt}"}`],
    ['none', '', `{"$base64":"","recordedAt":"${recordedAt}"}`],
    ['a list', '[1]', `{"$base64":"WzFd","recordedAt":"${recordedAt}"}`],
    ['bytes', bytes(0, 255), `{"$base64":"AP8=","recordedAt":"${recordedAt}"}`],
  ])('%s: kept byte for byte, with the time behind', (_, metadata, copied) => {
    expect(copy(metadata)).toBe(copied)
    expect(isSameBytes(own(copied), metadata)).toBe(true)
    // A copy of the copy is the copy.
    expect(copy(copied)).toBe(copied)
  })

  it('the event’s time is added once, wherever it stands', () => {
    const timed = `{"recordedAt":"${recordedAt}","a":1}`
    expect(copy(timed)).toBe(timed)
    expect(own(timed)).toBe(timed)
  })

  it('another time in the last place is left, for nothing else tells of it', () => {
    const other = '{"a":1,"recordedAt":"2020-01-01T00:00:00.000Z"}'
    expect(own(other)).toBe(other)
  })

  it.each([
    ['a name that repeats nothing', `${ours.slice(0, -1)},"$correlationId":"other","$causationId":"a"}`],
    ['names without what they repeat', '{"a":1,"$correlationId":"b","$causationId":"a"}'],
    ['a time in another form', `{"a":1, "recordedAt": "${recordedAt}"}`],
    ['a key that ends as the time begins', `{"x\\"recordedAt":"${recordedAt}"}`],
    ['no JSON', `{"a":,"recordedAt":"${recordedAt}"}`],
    ['a trailing comma', `{"a":1,,"recordedAt":"${recordedAt}"}`],
  ])('left as they are: %s', (_, metadata) => {
    expect(own(metadata)).toBe(metadata)
  })

  it('servers repeat two names, before or behind the time of a copy', () => {
    const served = withReservedNames(ours)
    expect(served).toBe(`${ours.slice(0, -1)},"$correlationId":"b","$causationId":"a"}`)
    expect(withReservedNames(served)).toBe(served)
    for (const metadata of [served, copy(served), withReservedNames(copy(ours) as string)])
      expect(own(metadata)).toBe(ours)
  })

  it('whatever was written: a copy has the same own metadata, at a server and back in a file', () => {
    fc.assert(
      fc.property(writtenMetadata, (metadata) => {
        const first = own(metadata)
        const copied = copy(metadata)
        expect(isSameBytes(own(copied), first)).toBe(true)
        const atServer = typeof copied === 'string' ? withReservedNames(copied) : copied
        expect(isSameBytes(own(atServer), first)).toBe(true)
        expect(isSameBytes(own(copy(atServer)), first)).toBe(true)
        expect(isSameBytes(own(asBytes(atServer)), first)).toBe(true)
      }),
      { numRuns: runs(2000) },
    )
  })
})
