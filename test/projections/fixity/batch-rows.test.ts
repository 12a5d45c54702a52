import { describe, expect, it } from 'vitest'
import type { BatchEvent } from '#src/domain/fixity/batch/events.ts'
import type { FixityEvent } from '#src/domain/fixity/events.ts'
import { fixity } from '#src/projections/fixity/projection.ts'
import { history, item, observe, recorded, t } from '../../domain/fixity/commands.ts'
import { sha256 } from '../../domain/fixity/witnesses.ts'
import { fixityViews } from './views.ts'

/* What a batch found as recorded holds for the record that it was compared with, and for no other. */

const { path } = item
const claimed = (revision = 0): BatchEvent => ({
  type: 'BatchClaimed',
  data: {
    store: 'main',
    items: [{ path, revision }],
    holder: 'w',
    fence: 1,
    deadline: t(10),
    millis: 600_000,
  },
})
const checked = (revision = 0, minutes = 2, letter = 'A'): BatchEvent => ({
  type: 'BatchChecked',
  data: {
    store: 'main',
    worker: 'w',
    intact: [
      {
        pattern: 'A?AA',
        row: 'clause 6',
        because: 'The bytes are as recorded.',
        items: [
          {
            path,
            revision,
            size: 1,
            checksums: { 'sha-256': sha256(letter).value },
            version: 'v1',
            modifiedAt: t(0),
            observedAt: t(minutes),
            dueAt: t(9000),
          },
        ],
      },
    ],
    others: 0,
  },
})
const firstReading: FixityEvent = {
  type: 'ContentRecorded',
  data: {
    checksums: [{ ...sha256('A'), basis: 'first-reading' }],
    recordedFrom: 'first reading',
    at: t(0),
    dueAt: t(0),
  },
}

describe('what a batch found as recorded', () => {
  it('is the item’s state, its next due time, and a row of the bit log', () => {
    const views = fixityViews()
    views.fold([recorded()])
    views.foldBatch([claimed()])
    expect(views.rows('fixity-batches')).toMatchObject([{ batch: 'one', items: 1, paths: [path] }])
    expect(views.row()).toMatchObject({ state: 'unchecked', due: t(0) })
    views.foldBatch([checked()])
    expect(views.rows('fixity-batches')).toEqual([])
    expect(views.row()).toMatchObject({
      state: 'verified',
      lastChecked: t(2),
      lastVerified: t(2),
      due: t(9000),
      available: t(9000),
      queue: 'low',
      seenAsFile: 1,
      revision: 0,
    })
    const digest = `sha-256:${sha256('A').value}`
    expect(views.rows('fixity-bit-log')).toMatchObject([
      { store: 'main', path, at: t(2), result: 'SUCCESS', row: 'clause 6', recorded: digest, found: digest },
    ])
  })

  it('is called baselined, not verified, where the record is a first reading', () => {
    const views = fixityViews()
    views.fold([firstReading])
    views.foldBatch([checked()])
    expect(views.row()).toMatchObject({ state: 'baselined', baseline: 1 })
  })

  it.each<[string, readonly FixityEvent[]]>([
    ['recorded anew', [recorded('B', 1)]],
    ['recorded as removed', [{ type: 'ContentRemoved', data: { at: t(1), dueAt: t(1) } }]],
    [
      'claimed by somebody else',
      [
        {
          type: 'CheckClaimed',
          data: { holder: 'x', fence: 1, deadline: t(9), attempt: 'first', run: 1 },
        },
      ],
    ],
    ['found bad by another observer', history([recorded()], observe('BAAA', 1)).slice(1)],
    ['given up', [{ type: 'CheckParked', data: { run: 1, error: 'e', at: t(1) } }]],
  ])('says nothing of an item that was %s since its claim', (_, since) => {
    const views = fixityViews()
    views.fold([recorded()])
    views.foldBatch([claimed()])
    views.fold(since)
    const before = views.row()
    const log = views.rows('fixity-bit-log')
    views.foldBatch([checked()])
    expect(views.row()).toEqual(before)
    expect(views.row()?.state).not.toBe('verified')
    expect(views.rows('fixity-bit-log')).toEqual(log)
    expect(views.rows('fixity-batches')).toEqual([])
  })

  it('is undone by what the item’s own stream says afterwards', () => {
    const views = fixityViews()
    views.fold([recorded()])
    views.foldBatch([claimed(), checked()])
    views.fold([recorded('B', 3)])
    expect(views.row()).toMatchObject({ state: 'unchecked', due: t(3), seenAsFile: 0 })
    views.foldBatch([checked(0, 4)], 'other')
    expect(views.row()?.state).toBe('unchecked')
    views.foldBatch([checked(1, 5, 'B')], 'third')
    expect(views.row()?.state).toBe('verified')
  })

  it('counts as many rows as it writes', () => {
    const { data } = checked()
    expect(fixity.weigh?.({ data } as never)).toBe(1)
    const [group] = (data as Extract<BatchEvent, { type: 'BatchChecked' }>['data']).intact
    const many = { intact: [{ ...group, items: Array.from({ length: 200 }, () => group!.items[0]) }] }
    expect(fixity.weigh?.({ data: many } as never)).toBe(200)
  })
})

it('an expired batch holds its items until the attempts that it has cost are written', () => {
  const views = fixityViews()
  views.fold([recorded()])
  const items = [{ path, revision: 0 }]
  views.foldBatch([
    claimed(),
    { type: 'BatchExpired', data: { store: 'main', items, error: 'e', at: t(9), isSettledApart: true } },
  ])
  expect(views.rows('fixity-batches')).toMatchObject([{ paths: [path], deadline: t(9) }])
  views.foldBatch([{ type: 'BatchSettled', data: { at: t(9) } }])
  expect(views.rows('fixity-batches')).toEqual([])
})

it.each<[string, BatchEvent]>([
  ['released', { type: 'BatchReleased', data: { reason: 'r' } }],
  [
    'expired, by a program of before,',
    { type: 'BatchExpired', data: { store: 'main', items: [{ path, revision: 0 }], error: 'e', at: t(11) } },
  ],
])('a batch that was %s leaves its items as they were', (_, end) => {
  const views = fixityViews()
  views.fold([recorded()])
  const before = views.row()
  views.foldBatch([claimed(), { type: 'BatchExtended', data: { fence: 1, deadline: t(20) } }])
  expect(views.rows('fixity-batches')).toMatchObject([{ deadline: t(20) }])
  views.foldBatch([end])
  expect(views.row()).toEqual(before)
  expect(views.rows('fixity-batches')).toEqual([])
})
