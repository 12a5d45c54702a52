import { isRight } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import type { Basis } from '#src/domain/fixity/checksum.ts'
import { Checksum, normalise } from '#src/domain/fixity/checksum.ts'
import { verdict } from '#src/domain/fixity/verdict.ts'
import {
  compare,
  contradictions,
  digests,
  isOfRecord,
  unusable,
  type Witnesses,
} from '#src/domain/fixity/witness.ts'
import { sha256 } from './witnesses.ts'

const based = (letter: string, basis: Basis): Checksum => ({ ...sha256(letter), basis })
const unknown = { algorithm: 'gost', value: 'ab' }
const broken: Checksum = { algorithm: 'sha-256', value: 'aaaO', basis: 'unusable' }

/** A folder's file that was read, beside our own index, which has what the record says. */
const read = (letter: string, ...checksums: readonly Checksum[]): Witnesses => {
  const record = { status: 'recorded' as const, checksums: [...checksums] }
  return {
    content: { status: 'read', size: 3, checksums: [sha256(letter)] },
    storage: { status: 'present', checksums: [], size: 3 },
    index: record,
    audit: record,
  }
}
const decided = (witnesses: Witnesses) => verdict(witnesses, 'last', { replica: false })

describe('a record with two values of one algorithm', () => {
  const both = [sha256('A'), sha256('B')]

  it('compares with nothing, and not with itself either', () => {
    expect(digests({ checksums: both })).toEqual([])
    expect(compare({ checksums: both }, { checksums: both })).toBe('not comparable')
    expect(contradictions({ checksums: both })).toEqual(['sha-256'])
    expect(contradictions({ checksums: [sha256('A'), sha256('A')] })).toEqual([])
  })

  it('is a finding for a person, whatever else agrees', () => {
    const md5 = { algorithm: 'md5', value: 'a'.repeat(32) }
    const witnesses = read('A', ...both, md5)
    const content = { status: 'read' as const, size: 3, checksums: [sha256('A'), md5] }
    for (const one of [read('A', ...both), { ...witnesses, content }])
      expect(decided(one)).toMatchObject({
        row: 'contradiction',
        outcome: 'unverified',
        class: 'manual',
        because: 'The record has two values of sha-256; find out which of them is right.',
      })
  })

  it('leaves it a failure where a checksum of another algorithm differs from the bytes', () => {
    const md5 = { algorithm: 'md5', value: 'a'.repeat(32) }
    const other = { algorithm: 'md5', value: 'b'.repeat(32) }
    const content = { status: 'read' as const, size: 3, checksums: [other] }
    expect(decided({ ...read('A', ...both, md5), content })).toMatchObject({ outcome: 'failure' })
  })
})

describe('a word that is no digest, or of an unknown algorithm', () => {
  it('is kept as it was recorded, and compares with nothing', () => {
    expect(unusable({ checksums: [broken, unknown, sha256('A')] })).toEqual([broken, unknown])
    expect(digests({ checksums: [broken, unknown] })).toEqual([])
    const decoded = Checksum.decode(broken)
    expect(isRight(decoded) && decoded.right).toEqual(broken)
    expect(isRight(Checksum.decode({ ...broken, basis: undefined }))).toBe(false)
  })

  it('leaves the first reading beside it to be compared from then on', () => {
    const record = [broken, based('A', 'first-reading')]
    expect(decided(read('A', ...record)).outcome).toBe('success')
    expect(isOfRecord(read('A', ...record))).toBe(false)
    expect(decided(read('B', ...record))).toMatchObject({ outcome: 'failure' })
  })
})

describe('compared with a recorded word', () => {
  it('is what shares an algorithm with one, and not with a first reading alone', () => {
    expect(isOfRecord(read('A', sha256('A')))).toBe(true)
    expect(isOfRecord(read('A', based('A', 'first-reading')))).toBe(false)
    expect(isOfRecord(read('A', unknown, based('A', 'first-reading')))).toBe(false)
    expect(isOfRecord(read('A', sha256('A'), based('A', 'first-reading')))).toBe(true)
  })

  it('goes by what the storage claims where nothing was read', () => {
    const claimed: Witnesses = {
      ...read('A', sha256('A')),
      content: { status: 'not-attempted' },
      storage: { status: 'present', checksums: [sha256('A')] },
    }
    expect(isOfRecord(claimed)).toBe(true)
    expect(isOfRecord({ ...claimed, storage: { status: 'present', checksums: [] } })).toBe(false)
  })
})

it.each([
  ['blake2b', 'a'.repeat(128), 'blake2b-512'],
  ['BLAKE2B', 'a'.repeat(64), 'blake2b-256'],
  ['b2sum', 'a'.repeat(128), 'blake2b-512'],
  ['SHA3', 'a'.repeat(64), 'sha3-256'],
  ['SHA-384', 'a'.repeat(96), 'sha-384'],
  ['sha384', 'A'.repeat(96), 'sha-384'],
])('%s is told by its digits', (algorithm, value, known) => {
  expect(normalise({ algorithm, value })).toEqual({ algorithm: known, value: value.toLowerCase() })
})

it('a name without a length and of no digits of one is nothing', () => {
  expect(normalise({ algorithm: 'blake2b', value: 'a'.repeat(6) })).toBeUndefined()
})

it.each([
  [0, 5, 'The file is empty; 5 bytes were recorded.'],
  [2, 5, 'The file was cut to 2; 5 bytes were recorded.'],
  [5000, 1, 'The file has grown to 5,000; 1 byte was recorded.'],
  [5, 5, 'The file has as many bytes as recorded, and not the same ones.'],
])('of %i bytes where %i were recorded, the sentence says how they changed', (now, before, says) => {
  const of = (letter: string, ...checksums: readonly Checksum[]): Witnesses => {
    const record = { status: 'recorded' as const, checksums: [...checksums], size: before }
    const { content, storage } = read(letter, ...checksums)
    return {
      content: { ...content, size: now } as Witnesses['content'],
      storage,
      index: record,
      audit: record,
    }
  }
  expect(decided(of('B', sha256('A'))).because).toMatch(new RegExp(`\\. ${says.replaceAll('.', '\\.')}$`))
  expect(decided(of('A', sha256('A'))).because).not.toContain(now === before ? says : 'nothing')
})
