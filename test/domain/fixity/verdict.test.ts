import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Verdict, verdict } from '#src/domain/fixity/verdict.ts'
import { compare, patternOf } from '#src/domain/fixity/witness.ts'
import { runs } from '../../runs.ts'
import { anyWitnesses } from './arbitraries.ts'
import { type Expected, incomparable, removed, rows, unnamed } from './table.ts'
import { allPatterns, md5, sha256, tablePatterns, witnesses } from './witnesses.ts'

const replica = { replica: true }
const alone = { replica: false }

const expectRow = (pattern: string, expected: Expected) => {
  const evidence = witnesses(pattern)
  const { row, class: settler, mending = [] } = expected
  for (const attempt of ['first', 'penultimate', 'last'] as const) {
    const said = verdict(evidence, attempt, replica)
    expect(said, attempt).toMatchObject({ pattern, row })
    if (expected.when === 'lag' && attempt !== 'last') {
      expect(said, attempt).toMatchObject({ outcome: 'retry', followUps: [] })
      expect(said.class).toBeUndefined()
    } else {
      expect(said.outcome, attempt).toBe(expected.outcome)
      expect(said.followUps, attempt).toEqual(settler ? ['resolve', ...mending] : mending)
      expect(said.class, attempt).toBe(settler === 'replica' ? 'internal' : settler)
    }
  }
  if (settler === 'replica') expect(verdict(evidence, 'last', alone).class).toBe('external')
}

const each = (table: readonly Expected[]) =>
  table.flatMap((expected) =>
    expected.patterns.split(' ').map((pattern) => ({ row: expected.row, pattern, expected })),
  )

describe('the rows of the table, at every position in the run', () => {
  it.each(each(rows))('$row: $pattern', ({ pattern, expected }) => expectRow(pattern, expected))
})

describe('what the table does not name', () => {
  it.each(each(unnamed))('$pattern as $row', ({ pattern, expected }) => expectRow(pattern, expected))

  it('rows and these together are all 52 + 15 patterns, each once', () => {
    const listed = each([...rows, ...unnamed]).map(({ pattern }) => pattern)
    expect(tablePatterns.filter((pattern) => !pattern.startsWith('n'))).toHaveLength(52)
    expect(tablePatterns.filter((pattern) => pattern.startsWith('n'))).toHaveLength(15)
    expect(listed.toSorted()).toEqual(tablePatterns.toSorted())
  })
})

describe('nothing to compare with', () => {
  it.each(each(incomparable))('$pattern as $row', ({ pattern, expected }) => expectRow(pattern, expected))
})

describe('clause 7: the audit log recorded a removal', () => {
  it.each(each(removed))('$pattern', ({ pattern, expected }) => expectRow(pattern, expected))
})

describe('F5: an audit record without any checksum', () => {
  const bare = (pattern: string) =>
    verdict({ ...witnesses(pattern), audit: { status: 'recorded', checksums: [] } }, 'last', replica)

  it.each(['AA-?', 'AAB?'])('%s is supplied from what bytes and storage agree on', (pattern) => {
    expect(bare(pattern)).toMatchObject({
      pattern,
      row: 'F5',
      followUps: ['correct-index', 'supplement-audit'],
    })
  })

  it.each(['AB-?', 'A?-?', 'nA-?', 'AAA?', '---?'])('%s is not: nobody vouches for it', (pattern) => {
    expect(bare(pattern).pattern).toBe(pattern)
    expect(bare(pattern).followUps).not.toContain('supplement-audit')
  })

  it('a record in an unknown algorithm is not bare: what it says was never compared', () => {
    expect(verdict(witnesses('AA-?'), 'last', replica)).toMatchObject({
      outcome: 'unverified',
      followUps: ['re-audit'],
    })
  })
})

describe('deferrals', () => {
  it('content that changes while it is read', () => {
    const said = verdict({ ...witnesses('AAAA'), content: { status: 'changing' } }, 'last', replica)
    expect(said).toMatchObject({ row: 'changing', outcome: 'deferred', pattern: '?AAA', followUps: [] })
  })

  it('an index that has not caught up', () => {
    const index = { status: 'lagging', behind: '41', needed: '57' } as const
    const said = verdict({ ...witnesses('AABA'), index }, 'last', replica)
    expect(said).toMatchObject({ row: 'lagging', outcome: 'deferred', pattern: 'AA?A', followUps: [] })
    expect(said.because).toContain('41')
    expect(said.because).toContain('57')
  })
})

describe('always', () => {
  const attempts = fc.constantFrom('first', 'penultimate', 'last')
  const policies = fc.record({ replica: fc.boolean() })

  const forAll = (holds: (w: Parameters<typeof verdict>[0], said: Verdict) => void) =>
    fc.assert(
      fc.property(anyWitnesses, attempts, policies, (seen, attempt, policy) => {
        holds(seen, verdict(seen, attempt, policy))
      }),
      { numRuns: runs(2000) },
    )

  it('is total, and depends on the pattern alone', () => {
    forAll((seen, said) => {
      expect(said.pattern).toBe(patternOf(seen))
      expect(allPatterns).toContain(said.pattern)
      expect(said.because).not.toBe('')
      expect(said.class !== undefined).toBe(said.followUps.includes('resolve'))
      if (said.outcome === 'retry' || said.outcome === 'deferred') expect(said.followUps).toEqual([])
    })
  })

  it('success only where the bytes are what the audit log says, or all claims are one', () => {
    forAll(({ content, storage, index, audit }, said) => {
      if (said.outcome !== 'success') return
      if (audit.status !== 'recorded') expect.fail('no success without a record')
      if (content.status === 'read') return expect(compare(content, audit)).toBe('equal')
      expect(content.status).toBe('not-attempted')
      if (storage.status !== 'present' || index.status !== 'recorded') expect.fail('claims are missing')
      expect(compare(storage, audit)).toBe('equal')
      expect(compare(index, audit)).toBe('equal')
    })
  })

  it('never writes a word that bytes and storage contradict', () => {
    forAll(({ content, storage, audit }, said) => {
      if (said.followUps.includes('supplement-audit')) {
        if (content.status !== 'read' || storage.status !== 'present') return expect.fail('nothing to write')
        expect(compare(content, storage)).toBe('equal')
      } else if (said.followUps.includes('correct-index')) {
        if (audit.status !== 'recorded') return expect.fail('no word to write')
        const vouched = [content, storage].map((witness) =>
          'checksums' in witness ? compare(witness, audit) : 'not comparable',
        )
        expect(vouched).toContain('equal')
      }
    })
  })

  it('asks for a re-audit of live content only where bytes and storage do not contradict each other', () => {
    forAll(({ content, storage, audit }, said) => {
      if (!said.followUps.includes('re-audit') || audit.status === 'removed') return
      if (content.status === 'read' && storage.status === 'present')
        expect(compare(content, storage)).not.toBe('differ')
    })
  })

  it('a storage that offers a digest nobody knows changes nothing in what is compared', () => {
    const seen = witnesses('AAAA')
    const extra = { algorithm: 'crc64nvme', value: 'AAAAAAAAAAA=' }
    const storage = { status: 'present', checksums: [extra, sha256('A'), md5('A')] } as const
    expect(
      verdict({ ...seen, storage: { ...storage, checksums: [...storage.checksums] } }, 'last', replica).row,
    ).toBe('F1')
  })
})
