import { describe, expect, it } from 'vitest'
import { compare, patternOf } from '#src/domain/fixity/witness.ts'
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
})
