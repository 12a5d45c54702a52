import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Checksum } from '#src/domain/fixity/checksum.ts'
import { compare, patternOf, type Witnesses } from '#src/domain/fixity/witness.ts'
import { runs } from '../../runs.ts'
import { allPatterns, digest, md5, sha256, unknownAlgorithm, witnesses } from './witnesses.ts'

const said = (...checksums: { algorithm: string; value: string }[]) => ({ checksums })
const hex = digest('A')
const base64 = Buffer.from(hex, 'hex').toString('base64')

describe('two witnesses', () => {
  it.each([
    ['upper case', { algorithm: 'sha-256', value: hex.toUpperCase() }],
    ['base64', { algorithm: 'sha-256', value: base64 }],
    ['quotes', { algorithm: 'sha-256', value: `"${hex}"` }],
    ['a weak tag', { algorithm: 'sha-256', value: `W/"${hex}"` }],
    ['another spelling of the algorithm', { algorithm: 'SHA256', value: hex }],
  ])('are equal in spite of %s', (_, written) => {
    expect(compare(said(sha256('A')), said(written))).toBe('equal')
  })

  it('are equal by what they share', () => {
    expect(compare(said(sha256('A'), md5('A')), said(md5('A'), unknownAlgorithm))).toBe('equal')
  })

  it('differ where any shared value differs', () => {
    expect(compare(said(sha256('A'), md5('A')), said(sha256('A'), md5('B')))).toBe('differ')
  })

  it.each([
    ['a multipart tag', { algorithm: 'md5', value: `${'a'.repeat(32)}-12` }],
    ['an unknown algorithm, even where the text is the same', unknownAlgorithm],
    ['another algorithm', { algorithm: 'sha-512', value: 'a'.repeat(128) }],
    ['a value that is no digest', { algorithm: 'md5', value: 'n/a' }],
  ])('cannot be compared by %s', (_, claim) => {
    expect(compare(said(md5('A'), unknownAlgorithm), said(claim))).toBe('not comparable')
  })

  it('are compared by a digest of the same parts, and by that of other parts not', () => {
    const parts = (sizes: string, letter: string) => ({ ...md5(letter), algorithm: `md5/parts:${sizes}` })
    expect(compare(said(parts('5*2', 'A')), said(parts('5*2', 'A')))).toBe('equal')
    expect(compare(said(parts('5*2', 'A')), said(parts('5*2', 'B')))).toBe('differ')
    for (const other of [parts('10', 'B'), md5('B'), { ...parts('5*2', 'B'), algorithm: 'md5/parts' }])
      expect(compare(said(parts('5*2', 'A')), said(other))).toBe('not comparable')
  })

  it('cannot be compared where one claims nothing', () => {
    expect(compare(said(md5('A')), said())).toBe('not comparable')
  })

  it('differ by size alone, but are never equal by it', () => {
    expect(compare({ checksums: [sha256('A')], size: 3 }, { checksums: [sha256('A')], size: 4 })).toBe(
      'differ',
    )
    expect(compare({ checksums: [], size: 3 }, { checksums: [], size: 3 })).toBe('not comparable')
  })
})

describe('the pattern', () => {
  it.each(allPatterns)('%s is told from its witnesses', (pattern) => {
    expect(patternOf(witnesses(pattern))).toBe(pattern)
  })

  it('brings together witnesses that share nothing with each other, through the bytes', () => {
    const seen = witnesses('AAAA')
    const audit = { status: 'recorded' as const, checksums: [md5('A')] }
    expect(patternOf({ ...seen, audit })).toBe('AAAA')
  })

  it('does not bring the audit log to the bytes through an index: that is only a copy', () => {
    const content = { status: 'read' as const, size: 3, checksums: [sha256('A')] }
    const index = { status: 'recorded' as const, checksums: [sha256('A'), md5('A')] }
    const audit = { status: 'recorded' as const, checksums: [md5('A')] }
    expect(patternOf({ ...witnesses('AAAA'), content, index, audit })).toBe('AAA?')
  })

  it('takes an index that dropped its entry for one that has none', () => {
    expect(patternOf({ ...witnesses('AAAA'), index: { status: 'removed' } })).toBe('AA-A')
  })

  it('of one digest that all say is told like that of a digest in another spelling, which takes the long way', () => {
    const upper = ({ algorithm, value, ...rest }: Checksum): Checksum => ({
      algorithm,
      value: value.toUpperCase(),
      ...rest,
    })
    const some = fc.constantFrom<readonly Checksum[]>(
      [sha256('A')],
      [sha256('B')],
      [md5('A')],
      [{ ...sha256('A'), basis: 'first-reading' }],
      [{ ...sha256('A'), basis: 'unusable' }],
      [{ algorithm: 'sha-256', value: 'ab' }],
      [unknownAlgorithm],
      [sha256('A'), md5('A')],
      [],
    )
    const size = fc.constantFrom(undefined, 3, 4)
    const sized = fc.record({ checksums: some, size })
    const word = fc.oneof(
      { weight: 4, arbitrary: sized.map((said) => ({ status: 'recorded' as const, ...said })) },
      fc.constantFrom({ status: 'absent' as const }, { status: 'removed' as const }),
    )
    const heard = fc.record({
      content: fc
        .record({ checksums: some })
        .map(({ checksums }) => ({ status: 'read' as const, size: 3, checksums })),
      storage: fc
        .record({ checksums: fc.constantFrom<readonly Checksum[]>([], [], [sha256('A')]), size })
        .map((said) => ({ status: 'present' as const, ...said })),
      index: word,
      audit: word,
    })
    const ways = new Set<string>()
    fc.assert(
      fc.property(heard, (given) => {
        const seen = given as unknown as Witnesses
        const { content } = given
        const longWay = { ...given, content: { ...content, checksums: content.checksums.map(upper) } }
        const pattern = patternOf(seen)
        ways.add(pattern)
        expect(pattern).toBe(patternOf(longWay as unknown as Witnesses))
      }),
      { numRuns: runs(3000) },
    )
    expect([...ways]).toEqual(expect.arrayContaining(['A?AA', 'A?-A', 'AB?A']))
  })
})
