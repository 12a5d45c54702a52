import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { maxEntryBytes } from '@fonds/tlog'
import { leafHash } from '@fonds/tlog/compute'
import fc from 'fast-check'
import { isLeft, isRight, left, right } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { type EventLeaf, eventEntry, parseEventEntry } from '#src/domain/kernel/proof/event-leaf.ts'
import { runs } from '../../../runs.ts'

interface Vectors {
  readonly entries: readonly {
    readonly name: string
    readonly fields: Readonly<Record<string, unknown>>
    readonly entry: string
    readonly leafHash: string
  }[]
  readonly refused: readonly { readonly why: string; readonly entry: string }[]
}

const vectors: Vectors = JSON.parse(
  readFileSync(join(import.meta.dirname, 'event-leaf-vectors.json'), 'utf8'),
)

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const parse = (entry: string) => parseEventEntry(Buffer.from(entry))
const digest = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => Buffer.from(bytes).toString('base64'))
const count = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n })
const time = fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
const text = fc.string({ unit: 'grapheme' })
const leaves: fc.Arbitrary<EventLeaf> = fc.record({
  stream: fc.oneof(
    { weight: 4, arbitrary: text },
    fc.record({ sha256: digest }),
    fc.record({ commitment: digest }),
  ),
  revision: count,
  id: text,
  type: fc.oneof({ weight: 4, arbitrary: text }, fc.record({ sha256: digest })),
  recordedAt: time,
  data: digest,
  metadata: digest,
  previous: fc.option(count, { nil: undefined }),
})

const plain: EventLeaf = {
  stream: 'item-7',
  revision: 3n,
  id: '0190c3b0-0000-7000-8000-000000000003',
  type: 'ItemVerified',
  recordedAt: '2026-11-30T13:04:51.123Z',
  data: `${'a'.repeat(42)}Q=`,
  metadata: `${'b'.repeat(42)}Q=`,
  previous: 12n,
}

describe('the entry of an event (Q10, Q12)', () => {
  it.each(vectors.entries)('test vector: $name', ({ fields, entry, leafHash: expected }) => {
    const { revision, previous, ...rest } = fields
    const leaf = {
      ...rest,
      revision: BigInt(String(revision)),
      previous: previous === null ? undefined : BigInt(String(previous)),
    } as EventLeaf
    expect(eventEntry(leaf)).toBe(entry)
    expect(parse(entry)).toEqual(right(leaf))
    expect(hex(leafHash(Buffer.from(entry)))).toBe(expected)
  })

  it.each(vectors.refused)('refused: $why', ({ entry }) => {
    expect(isLeft(parse(entry))).toBe(true)
  })

  it('is read back as it was', () => {
    fc.assert(
      fc.property(leaves, (leaf) => {
        expect(parse(eventEntry(leaf))).toEqual(right(leaf))
      }),
      { numRuns: runs(1000) },
    )
  })

  it('of two different events is never the same (Q108)', () => {
    const field = fc.constantFrom(...(Object.keys(plain) as (keyof EventLeaf)[]))
    fc.assert(
      fc.property(leaves, leaves, field, (leaf, other, name) => {
        const changed = { ...leaf, [name]: other[name] }
        const isSame = isDeepStrictEqual(leaf[name], other[name])
        expect(eventEntry(changed) === eventEntry(leaf)).toBe(isSame)
      }),
      { numRuns: runs(1000) },
    )
  })

  it('a name cannot pass for another field: a line stays a line', () => {
    const forged = { ...plain, stream: 'item-7"\n4' }
    expect(eventEntry(forged).split('\n')).toHaveLength(10)
    expect(parse(eventEntry(forged))).toEqual(right(forged))
  })

  it('has no byte that can be changed, put in or left out without a word', () => {
    const bytes = Buffer.from(eventEntry(plain))
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 0, max: 255 }), (at, byte) => {
        for (const changed of [
          Buffer.concat([bytes.subarray(0, at), Buffer.from([byte]), bytes.subarray(at + 1)]),
          Buffer.concat([bytes.subarray(0, at), Buffer.from([byte]), bytes.subarray(at)]),
          Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]),
        ]) {
          const read = parseEventEntry(changed)
          if (isRight(read)) expect(Buffer.from(eventEntry(read.right)).equals(changed)).toBe(true)
        }
      }),
      { numRuns: runs(1000) },
    )
  })

  it('begins with no byte order mark, and is UTF-8', () => {
    const bytes = Buffer.from(eventEntry(plain))
    expect(parseEventEntry(Buffer.concat([Buffer.from('efbbbf', 'hex'), bytes]))).toEqual(
      left('the entry is not in its one form'),
    )
    expect(parseEventEntry(Buffer.concat([bytes, Buffer.from('ff', 'hex')]))).toEqual(
      left('the entry is not UTF-8'),
    )
  })

  it('is never longer than an entry may be: a long text stands as its digest (Q10)', () => {
    const long = '\u0001'.repeat(3000)
    const leaf = { ...plain, stream: long, id: 'i'.repeat(70_000), type: 'ß'.repeat(9000) }
    const entry = eventEntry(leaf)
    expect(parse(entry)).toEqual(
      right({
        ...plain,
        ...Object.fromEntries(
          (['stream', 'id', 'type'] as const).map((name) => [
            name,
            { sha256: hash('sha256', leaf[name], 'base64') },
          ]),
        ),
      }),
    )
    const most = 'x'.repeat(16_382)
    const full = eventEntry({
      ...plain,
      ...{ stream: most, id: most, type: most },
      revision: 2n ** 63n - 1n,
      previous: 2n ** 63n - 1n,
    })
    expect(full).toContain(`"${most}"`)
    expect(Buffer.byteLength(full)).toBeLessThanOrEqual(maxEntryBytes)
    // One byte more, and it would have two forms.
    expect(isLeft(parse(full.replace('"xx', '"xxx')))).toBe(true)
  })
})
