import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Observe } from '#src/domain/fixity/commands.ts'
import type { FixityEvent } from '#src/domain/fixity/events.ts'
import type { Word } from '#src/domain/fixity/messages.ts'
import { verdict } from '#src/domain/fixity/verdict.ts'
import { disputed, isOfRecord } from '#src/domain/fixity/witness.ts'
import { runs } from '../../runs.ts'
import { anyWitnesses, anyWord } from './arbitraries.ts'
import { by, given, history, observe, only, recorded, t } from './commands.ts'
import { md5, sha256 } from './witnesses.ts'

/* An observer says more than what it read: what index and audit log say, as it found them. Our own record stays what it is. */

const word = (letter: string): Word => ({ status: 'recorded', checksums: [sha256(letter)] })
const absent: Word = { status: 'absent' }
const removed: Word = { status: 'removed' }

const decidedBy = (start: readonly FixityEvent[], seen: Observe) =>
  only(given(...start).when(seen).events, 'FixityDecided')

/** What three looks at the same come to, one after the other, from the one at minute 1 on. */
const threeLooks = (start: readonly FixityEvent[], pattern: string, more: Partial<Observe>) => {
  const events = history(
    start,
    ...[1, 2, 8].map((minutes) => observe(pattern, minutes, { ...more, observedAt: t(minutes) })),
  )
  const outcomes = events.flatMap(({ type, data }) => (type === 'FixityDecided' ? [data.outcome] : []))
  return { outcomes, opened: events.filter(({ type }) => type === 'ResolutionOpened') }
}

describe('F6: an observer’s word that differs from our record', () => {
  const disputes: readonly [string, string, Partial<Observe>][] = [
    ['bytes B with "audit: B" while we recorded A', 'BBBB', { audit: word('B') }],
    ['bytes A, as we recorded, with "audit: B"', 'AAAA', { audit: word('B') }],
    ['404 everywhere and no audit record, while we hold one', '----', { audit: absent }],
    ['404 everywhere and a removal that we were not told of', '----', { audit: removed }],
    ['both "absent" while we hold a record', '----', { audit: absent, observedIndex: absent }],
  ]

  it.each(disputes)('%s: first the lag, then a finding', (_, pattern, more) => {
    const first = decidedBy([recorded()], observe(pattern, 1, more))
    expect(first).toMatchObject({ row: 'F6', outcome: 'retry' })
    expect(first.because).toContain('The audit log as the observer found it is not as we recorded it.')
    const { outcomes, opened } = threeLooks([recorded()], pattern, more)
    expect(outcomes).toEqual(['retry', 'retry', 'failure'])
    expect(opened).toMatchObject([{ data: { row: 'F6', class: 'internal' } }])
  })

  it('tells what our own record alone would have led to', () => {
    const { because } = decidedBy([recorded()], observe('BAAA', 1, { audit: word('C') }))
    expect(because).toContain('By our record: The content went sour')
  })

  it('an outside index that we heard otherwise of, where no audit log ever spoke', () => {
    const indexed = history([], { type: 'RecordIndex', ...by(0), checksums: [sha256('A')] })
    const seen = { audit: absent, observedIndex: absent }
    expect(decidedBy(indexed, observe('----', 1, seen))).toMatchObject({ row: 'F6', outcome: 'retry' })
    expect(threeLooks(indexed, '----', seen).outcomes).toEqual(['retry', 'retry', 'failure'])
  })

  it('is over once the record that was on its way has come', () => {
    const late = {
      type: 'RecordContent',
      ...by(2),
      checksums: [sha256('B')],
      recordedFrom: 'manifest',
    } as const
    const events = history([recorded()], observe('BBBB', 1, { audit: word('B') }), late)
    expect(decidedBy(events, observe('BBBB', 3, { audit: word('B') }))).toMatchObject({
      row: 'F1',
      outcome: 'success',
    })
  })
})

describe('an observer’s word that agrees with our record', () => {
  it('is kept beside it, with who said it', () => {
    const seen = observe('AAAA', 1, { audit: { ...word('A'), size: 3 } as Word, worker: 'w' })
    const { evidence, outcome } = decidedBy([recorded()], seen)
    expect(outcome).toBe('success')
    expect(evidence.audit).toMatchObject({ source: 'manifest', heardAt: t(0) })
    expect(evidence.observedAudit).toMatchObject({ ...word('A'), size: 3, source: 'w', heardAt: t(1) })
  })

  it('adds what our record does not have, and is compared with the bytes', () => {
    const both = (letter: string): Word => ({ status: 'recorded', checksums: [sha256('A'), md5(letter)] })
    expect(decidedBy([recorded()], observe('AAAA', 1, { audit: both('A') })).outcome).toBe('success')
    // The bytes have the md5 of A: another one in the audit log is not theirs.
    const other = decidedBy([recorded()], observe('AAAA', 1, { audit: both('B') }))
    expect(other.outcome).not.toBe('success')
  })

  it('of a removal: there is nothing left, whichever of the two words says so', () => {
    const gone = history([recorded()], { type: 'RemoveContent', ...by(1), policy: observe('----', 1).policy })
    expect(decidedBy(gone, observe('----', 8, { audit: absent }))).toMatchObject({ outcome: 'nothing' })
  })

  it('that two values of one algorithm are recorded is a finding, whichever record has them', () => {
    const seen = observe('AAAA', 1, { audit: { status: 'recorded', checksums: [sha256('A'), sha256('B')] } })
    expect(decidedBy([recorded()], seen)).toMatchObject({ row: 'contradiction', outcome: 'unverified' })
  })

  it('makes a first reading one that was compared with a record', () => {
    const first = { ...sha256('A'), basis: 'first-reading' as const }
    const start: FixityEvent = {
      type: 'ContentRecorded',
      data: { checksums: [first], recordedFrom: 'first reading', at: t(0), dueAt: t(0) },
    }
    expect(isOfRecord(decidedBy([start], observe('AAAA', 1, { audit: undefined })).evidence)).toBe(false)
    const audit: Word = { status: 'recorded', checksums: [sha256('A'), md5('A')] }
    expect(isOfRecord(decidedBy([start], observe('AAAA', 1, { audit })).evidence)).toBe(true)
  })
})

it('without a record of our own the observer’s word counts alone', () => {
  const { evidence, outcome } = decidedBy(
    [],
    observe('AAAA', 1, { audit: word('A'), observedIndex: word('A') }),
  )
  expect(outcome).toBe('success')
  expect(evidence).toMatchObject({ audit: { source: 'observer' }, index: { source: 'observer' } })
  expect(evidence.observedAudit).toBeUndefined()
  expect(evidence.observedIndex).toBeUndefined()
})

it('every pattern × both words: where they differ there is no success and no silence, and the last look is F6', () => {
  const words = {
    audit: fc.option(anyWord, { nil: undefined }),
    index: fc.option(anyWord, { nil: undefined }),
  }
  fc.assert(
    fc.property(anyWitnesses, fc.record(words), (own, { audit, index }) => {
      const heard = {
        ...own,
        ...(audit && { observedAudit: audit }),
        ...(index && { observedIndex: index }),
      }
      for (const attempt of ['first', 'penultimate', 'last'] as const) {
        const said = verdict(heard, attempt, { replica: true })
        if (said.outcome === 'deferred' || disputed(heard).length === 0) continue
        expect(said).toMatchObject(
          attempt === 'last'
            ? { row: 'F6', outcome: 'failure', class: 'internal', followUps: ['resolve'] }
            : { row: 'F6', outcome: 'retry', followUps: [] },
        )
      }
    }),
    { numRuns: runs(5000) },
  )
})
