import { describe, expect, it } from 'vitest'
import { acceptedBy } from '#src/domain/fixity/acceptance.ts'
import type { FixityCommand } from '#src/domain/fixity/commands.ts'
import type { FixityEvent } from '#src/domain/fixity/events.ts'
import type { StorageObservation } from '#src/domain/fixity/messages.ts'
import { fixityReport } from '#src/projections/fixity/questions/report.ts'
import { by, history, observe, only, recorded, t } from '../../domain/fixity/commands.ts'
import { sha256 } from '../../domain/fixity/witnesses.ts'
import { fixityViews } from './views.ts'

/* F1 `nAAA`: the records agree with what the storage reports. No word of it counts the bytes as read. */

const recordOf = (pattern: string): FixityCommand => ({
  type: 'RecordContent',
  ...by(0),
  checksums: [sha256(pattern.at(-1)!)],
  recordedFrom: 'manifest',
})

const rowOf = (events: readonly FixityEvent[]) => {
  const views = fixityViews()
  views.fold(events)
  return views.row()
}

const archived: StorageObservation = { checksums: [sha256('A')], status: 'present', archived: 'GLACIER' }

describe('an item whose bytes were not read', () => {
  it('is unread, and was never verified', () => {
    expect(rowOf(history([recorded()], observe('nAAA', 1)))).toMatchObject({
      state: 'unread',
      outcome: 'success',
      row: 'F1',
      lastChecked: t(1),
      lastVerified: null,
      lastAgreed: t(1),
    })
  })

  it('says why: its class where it has one, and else that nothing was read', () => {
    const because = (storage?: StorageObservation) =>
      only(history([recorded()], observe('nAAA', 1, storage && { storage })), 'FixityDecided').because
    expect(because(archived)).toBe('All witnesses agree. It is archived (GLACIER), and was not read.')
    expect(because()).toBe('All witnesses agree. The bytes were not read.')
  })

  it('keeps the day on which it was last read, through archive and restoration', () => {
    const views = fixityViews()
    const life = history(
      [recorded()],
      observe('AAAA', 1),
      observe('nAAA', 2, { storage: archived }),
      observe('AAAA', 3),
      observe('nAAA', 4, { storage: archived }),
    )
    const seen: unknown[] = []
    for (const event of life) {
      views.fold([event])
      if (event.type === 'FixityDecided') seen.push([views.row()?.state, views.row()?.lastVerified])
    }
    expect(seen).toEqual([
      ['verified', t(1)],
      ['unread', t(1)],
      ['verified', t(3)],
      ['unread', t(3)],
    ])
  })

  it('is neither as first read nor accepted, where its record is a first reading or a person’s', () => {
    const reading = { ...sha256('A'), basis: 'first-reading' as const }
    for (const data of [
      { checksums: [reading], recordedFrom: 'first reading' },
      { checksums: [sha256('A')], recordedFrom: acceptedBy('ada') },
    ]) {
      const record: FixityEvent = { type: 'ContentRecorded', data: { ...data, at: t(0), dueAt: t(0) } }
      expect(rowOf(history([record], observe('nAAA', 1, { audit: undefined })))?.state).toBe('unread')
    }
  })

  it.each([
    ['F4', 'nABB', 'failed'],
    ['F6', 'nAAB', 'failed'],
    ['F7', 'nAA-', 'failed'],
    ['clause 6', 'n?AA', 'unverified'],
  ])('%s %s is %s, and no day of a reading', (row, pattern, state) => {
    const checks = [1, 6, 12].map((minutes) => observe(pattern, minutes))
    const seen = rowOf(history([], ...(pattern.endsWith('-') ? checks : [recordOf(pattern), ...checks])))
    expect(seen).toMatchObject({ row, state, lastVerified: null, lastAgreed: null })
  })

  it('a finding of read bytes stays open, whatever the records of unread ones say', () => {
    const sour = history([recorded()], observe('BAAA', 1), observe('nAAA', 2))
    expect(sour.filter(({ type }) => type === 'ResolutionClosed')).toEqual([])
  })

  it('is a success of the bit log, which is marked', () => {
    const views = fixityViews()
    views.fold(history([recorded()], observe('nAAA', 1), observe('AAAA', 2)))
    expect(views.rows('fixity-bit-log').map(({ result, unread }) => [result, unread])).toEqual([
      ['SUCCESS', 1],
      ['SUCCESS', 0],
    ])
  })

  it('a new record is unchecked until its own check', () => {
    expect(rowOf([...history([recorded()], observe('nAAA', 1)), recorded('A', 2)])).toMatchObject({
      state: 'unchecked',
      unread: 0,
    })
  })
})

it('a report of nothing but unread items says verified of none, and adds up', () => {
  const views = fixityViews()
  const paths = ['a', 'b', 'c']
  for (const path of paths) views.fold(history([recorded()], observe('nAAA', 1)), { store: 'main', path })
  const [store] = fixityReport(views.viewStore, t(2)).stores
  expect(store?.counts).toMatchObject({ expected: 3, unread: 3, verified: 0, baselined: 0, late: 0 })
  const [later] = fixityReport(views.viewStore, t(100 * 24 * 60)).stores
  expect(later?.counts).toMatchObject({ expected: 3, unread: 0, late: 3 })
})
