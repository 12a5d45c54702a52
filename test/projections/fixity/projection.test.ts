import { beforeEach, describe, expect, it } from 'vitest'
import type { FixityEvent } from '#src/domain/fixity/events.ts'
import {
  claimed,
  history,
  item,
  observe,
  policy,
  recorded,
  removed,
  start,
  t,
} from '../../domain/fixity/commands.ts'
import { sha256 } from '../../domain/fixity/witnesses.ts'
import { type FixityViews, fixityViews } from './views.ts'

let views: FixityViews
beforeEach(() => {
  views = fixityViews()
})
const row = () => views.row()
const fold = (...events: readonly FixityEvent[]) => views.fold(events)
const opened = (id: string, minutes = 1): FixityEvent => ({
  type: 'ResolutionOpened',
  data: { resolution: id, class: 'internal', row: 'F6', summary: 'It is out of sync.', at: t(minutes) },
})
const failed = (minutes: number): FixityEvent => ({
  type: 'AttemptFailed',
  data: { run: 1, attempt: 'first', error: 'no route to host', dueAt: t(minutes), at: t(minutes) },
})
const indexRecorded = (letter: string): FixityEvent => ({
  type: 'IndexRecorded',
  data: { checksums: [sha256(letter)], at: t(1) },
})
/** A check of recorded content whose witnesses show `pattern`, decided at its last attempt. */
const checked = (pattern: string) =>
  history([recorded()], observe(pattern, 1), observe(pattern, 2), observe(pattern, 3))

describe('recorded content', () => {
  it('is unchecked and due at once, and our own index lists it', () => {
    fold({
      type: 'ContentRecorded',
      data: { checksums: [sha256('A')], size: 3, recordedFrom: 'manifest', at: t(0), dueAt: t(0) },
    })
    expect(row()).toMatchObject({
      ...item,
      folder: 'letters/1912',
      state: 'unchecked',
      removed: 0,
      size: 3,
      checksums: [sha256('A')],
      indexed: { checksums: [sha256('A')], size: 3 },
      indexedBy: 'own',
      recordedFrom: 'manifest',
      recordedAt: t(0),
      due: t(0),
      available: t(0),
      queue: 'low',
    })
  })

  it('is unchecked again when it is recorded anew; when it was last verified stays', () => {
    views.fold(checked('AAAA').slice(0, 2))
    fold(recorded('B', 9))
    expect(row()).toMatchObject({
      state: 'unchecked',
      lastVerified: t(1),
      row: null,
      because: null,
      due: t(9),
    })
  })

  it('is available only behind the deadline of a claim that goes on', () => {
    fold(recorded(), claimed(1, 1), recorded('B', 2))
    expect(row()).toMatchObject({ due: t(2), available: t(11), heldUntil: t(11) })
    expect(views.rows('fixity-claims')).toHaveLength(1)
  })

  it('at the root of the store is in no folder', () => {
    views.fold([recorded()], { store: 'main', path: 'readme.txt' })
    expect(views.row({ store: 'main', path: 'readme.txt' })).toMatchObject({ folder: '' })
  })
})

describe('removed content', () => {
  it('is expected no more, is looked at once more, and leaves our own index', () => {
    fold(recorded(), removed(1))
    expect(row()).toMatchObject({
      state: 'withdrawn',
      removed: 1,
      due: t(6),
      available: t(6),
      lateAfter: null,
      indexed: null,
    })
  })

  it('stays in an outside index until that says otherwise', () => {
    fold(recorded(), indexRecorded('A'), removed(1))
    expect(row()).toMatchObject({ indexed: { checksums: [sha256('A')] }, indexedBy: 'outside' })
  })

  it('is not parked any more', () => {
    fold(recorded(), { type: 'CheckParked', data: { run: 1, error: 'no route', at: t(1) } }, removed(2))
    expect(row()).toMatchObject({ state: 'withdrawn', parked: 0, available: t(7) })
  })
})

describe('a check', () => {
  it('that is requested is due in its queue, from its first attempt', () => {
    fold(recorded(), failed(1), {
      type: 'CheckRequested',
      data: { queue: 'high', dueAt: t(2), reason: 'asked' },
    })
    expect(row()).toMatchObject({ queue: 'high', due: t(2), available: t(2), attempts: 0 })
  })

  it('that is claimed is held until the deadline', () => {
    fold(recorded(), claimed(1, 7))
    expect(row()).toMatchObject({ due: t(0), available: t(11), heldUntil: t(11) })
    expect(views.rows('fixity-claims')).toEqual([
      { ...item, holder: 'worker-1', fence: 7, since: start, deadline: t(11) },
    ])
  })

  it('that is extended is held for longer', () => {
    fold(recorded(), claimed(1, 7), { type: 'ClaimExtended', data: { fence: 7, deadline: t(20) } })
    expect(row()).toMatchObject({ available: t(20), heldUntil: t(20) })
    expect(views.rows('fixity-claims')).toMatchObject([{ deadline: t(20) }])
  })

  it.each<[string, FixityEvent]>([
    ['released', { type: 'ClaimReleased', data: { fence: 1, reason: 'stopping' } }],
    ['expired', { type: 'ClaimExpired', data: { fence: 1, at: t(11) } }],
  ])('that is %s is available as before', (_, event) => {
    fold(recorded(), { type: 'CheckRequested', data: { queue: 'high', dueAt: t(0), reason: 'asked' } })
    fold(claimed(1, 1), event)
    expect(row()).toMatchObject({ due: t(0), available: t(0), queue: 'high', heldUntil: null })
    expect(views.rows('fixity-claims')).toEqual([])
  })

  it('whose attempt failed is due again, with the reason', () => {
    fold(recorded(), claimed(1, 1), failed(2))
    expect(row()).toMatchObject({ attempts: 1, because: 'no route to host', due: t(2), available: t(2) })
    expect(views.rows('fixity-claims')).toEqual([])
    fold(claimed(3, 2), failed(4))
    expect(row()).toMatchObject({ attempts: 2 })
  })

  it('that failed three times is parked: nobody may claim it', () => {
    fold(recorded(), { type: 'CheckParked', data: { run: 1, error: 'no route to host', at: t(3) } })
    expect(row()).toMatchObject({
      state: 'parked',
      parked: 1,
      because: 'no route to host',
      due: null,
      available: null,
      queue: 'low',
    })
  })

  it('that is revived goes on in the high queue', () => {
    fold(recorded(), { type: 'CheckParked', data: { run: 1, error: 'no route', at: t(3) } })
    fold({ type: 'CheckRevived', data: { reason: 'mended', dueAt: t(4) } })
    expect(row()).toMatchObject({
      state: 'unchecked',
      parked: 0,
      attempts: 0,
      due: t(4),
      available: t(4),
      queue: 'high',
    })
  })
})

describe('findings', () => {
  it('are open until somebody settles them', () => {
    fold(recorded(), opened('1'))
    expect(views.rows('fixity-resolutions')).toMatchObject([
      {
        ...item,
        resolution: '1',
        class: 'internal',
        row: 'F6',
        status: 'open',
        openedAt: t(1),
        closedAt: null,
      },
    ])
    const settled = { resolution: '1', how: 'repaired', reason: 'copied back', at: t(2) } as const
    views.fold([{ type: 'ResolutionClosed', data: settled }], item, 'g.moreau')
    expect(views.rows('fixity-resolutions')).toMatchObject([
      { status: 'closed', closedAt: t(2), how: 'repaired', actor: 'g.moreau', reason: 'copied back' },
    ])
  })
})

describe('the content index', () => {
  it('once it has spoken, stands by its word when the audit log says something new', () => {
    fold(recorded('A'), indexRecorded('B'), recorded('C', 2))
    expect(row()).toMatchObject({
      checksums: [sha256('C')],
      indexed: { checksums: [sha256('B')] },
      indexedBy: 'outside',
    })
  })

  it('is corrected, ours or another', () => {
    const corrected: FixityEvent = {
      type: 'IndexCorrected',
      data: { checksums: [sha256('A')], size: 3, from: 'audit', at: t(2) },
    }
    fold(recorded('A'), corrected)
    expect(row()).toMatchObject({ indexed: { checksums: [sha256('A')], size: 3 }, indexedBy: 'own' })
    fold(indexRecorded('B'), corrected)
    expect(row()).toMatchObject({ indexed: { checksums: [sha256('A')], size: 3 }, indexedBy: 'outside' })
  })

  it('drops an entry, by its own word or because the content is gone', () => {
    fold(recorded(), { type: 'IndexRemoved', data: { at: t(1) } })
    expect(row()).toMatchObject({ indexed: null, indexedBy: 'outside' })
    fold(indexRecorded('A'), { type: 'IndexEntryRemoved', data: { at: t(2) } })
    expect(row()).toMatchObject({ indexed: null })
  })

  it('may be the first to speak of an item, which nobody then checks by himself', () => {
    fold(indexRecorded('A'))
    expect(row()).toMatchObject({ state: 'unrecorded', recordedAt: null, due: null, available: null })
  })
})

describe('an audit record that lacks checksums', () => {
  const supplement: FixityEvent = {
    type: 'AuditSupplemented',
    data: { checksums: [sha256('B')], from: 'storage', at: t(1) },
  }
  it('is supplemented', () => {
    fold(recorded('A'), supplement)
    expect(row()).toMatchObject({ checksums: [sha256('A'), sha256('B')] })
  })

  it('of an observer is not taken for ours', () => {
    fold(indexRecorded('A'), supplement)
    expect(row()).toMatchObject({ checksums: [] })
  })
})

it('stores stand in a view of their own, with the rules in force', () => {
  views.foldStore([
    { type: 'StoreRegistered', data: { kind: 'folder', root: '/srv/archive', policy, at: t(0) } },
    {
      type: 'PolicyChanged',
      data: { policy: { ...policy, intervalDays: 30, replica: false }, reason: 'r', at: t(1) },
    },
    { type: 'StoreCheckRequested', data: { prefix: '', queue: 'high', reason: 'asked', at: t(2) } },
  ])
  expect(views.rows('fixity-stores')).toEqual([
    {
      store: 'main',
      kind: 'folder',
      root: '/srv/archive',
      intervalDays: 30,
      lagSeconds: policy.lagSeconds,
      replica: 0,
      awaySeconds: 86_400,
      bytesPerDay: null,
      newFiles: null,
      compareHours: null,
      registeredAt: t(0),
      awaySince: null,
      away: null,
      goneAt: null,
      words: {},
    },
  ])
})

it('a store shows since when it is away, and what was found instead, until it is there again', () => {
  views.foldStore([
    { type: 'StoreRegistered', data: { kind: 'folder', root: '/srv/archive', policy, at: t(0) } },
    { type: 'StoreAway', data: { place: 'one', why: 'empty', at: t(1) } },
    { type: 'StoreGone', data: { reason: 'flood', at: t(2) } },
  ])
  const words = { one: { isThere: false, at: t(1) } }
  expect(views.rows('fixity-stores')).toMatchObject([{ awaySince: t(1), away: 'empty', goneAt: t(2), words }])
  views.foldStore([{ type: 'StoreReturned', data: { place: 'one', since: t(1), at: t(3) } }])
  expect(views.rows('fixity-stores')).toMatchObject([
    { awaySince: null, away: null, goneAt: null, words: {} },
  ])
})
