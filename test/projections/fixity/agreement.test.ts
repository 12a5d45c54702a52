import fc from 'fast-check'
import { isRight } from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import { isAcceptance } from '#src/domain/fixity/acceptance.ts'
import { decider } from '#src/domain/fixity/decide.ts'
import { atRest, isAtRest } from '#src/domain/fixity/intact.ts'
import { dated, expectedStates } from '#src/domain/fixity/item-states.ts'
import type { ItemState } from '#src/domain/fixity/state.ts'
import { items } from '#src/domain/fixity/views.ts'
import { decisionOf } from '#src/domain/kernel/decider.ts'
import { narrowRows } from '#src/domain/kernel/read-views.ts'
import { addMillis } from '#src/domain/kernel/time.ts'
import type { RowOf } from '#src/domain/kernel/view.ts'
import { fixityReport } from '#src/projections/fixity/questions/report.ts'
import { by, item, t } from '../../domain/fixity/commands.ts'
import { type Life, live, lives, type Step } from '../../domain/fixity/lives.ts'
import { sha256 } from '../../domain/fixity/witnesses.ts'
import { runs } from '../../runs.ts'
import { type FixityViews, fixityViews } from './views.ts'

/* Whatever happens to an item: what the views say of it is what its decider goes by. */

const inEveryMoment = (
  holds: (state: ItemState, views: FixityViews) => void,
  examples: readonly Life[] = [],
) =>
  fc.assert(
    fc.property(lives, (life) => {
      const views = fixityViews()
      for (const { events, state } of live(life)) {
        views.fold(events)
        if (state.known) holds(state, views)
      }
    }),
    { numRuns: runs(60), examples: examples.map((life): [Life] => [life]) },
  )

it('due, queue, parked, attempts and claim are the decider’s', () => {
  inEveryMoment((state, { row, rows }) => {
    expect(row()).toMatchObject({
      due: state.dueAt,
      queue: state.queue,
      parked: state.parked ? 1 : 0,
      attempts: state.failures,
      heldUntil: state.lease?.deadline ?? null,
    })
    const { holder, fence, deadline } = state.lease ?? {}
    expect(rows('fixity-claims')).toEqual(
      state.lease ? [expect.objectContaining({ ...item, holder, fence, deadline })] : [],
    )
  })
})

it('what is available can be claimed from then on, and not before', () => {
  const isGranted = (state: ItemState, at: string) => {
    const claimed = decider.decide(
      { type: 'Claim', item, actor: 'w', holder: 'w', at, deadline: addMillis(at, 1000), millis: 1000 },
      state,
    )
    // Where an expired claim was the third failure, the item is parked instead.
    return (
      isRight(claimed) &&
      decisionOf(claimed.right).events.some(({ type }) => /CheckClaimed|CheckParked/.test(type))
    )
  }
  inEveryMoment((state, { row }) => {
    const available = row()?.available as string | null
    if (available === null) return expect(isGranted(state, '2999-01-01T00:00:00.000Z')).toBe(false)
    expect(isGranted(state, available)).toBe(true)
    expect(isGranted(state, addMillis(available, -1))).toBe(false)
  })
})

it('those at rest are the rows that the view is asked for', () => {
  const seen = new Set<boolean>()
  // Few lives come to rest by chance.
  const recorded: Step = (m) => ({
    type: 'RecordContent',
    ...by(m),
    checksums: [sha256('A')],
    recordedFrom: 'manifest',
  })
  const claimed: Step = (m) => ({
    type: 'Claim',
    ...by(m),
    holder: 'w',
    deadline: t(m + 5),
    millis: 300_000,
  })
  inEveryMoment(
    (_, { viewStore, row }) => {
      const isResting = isAtRest(row() as RowOf<typeof items>)
      expect(narrowRows(viewStore, items, ['path'], { where: atRest }).length).toBe(isResting ? 1 : 0)
      seen.add(isResting)
    },
    [
      [
        [1, recorded],
        [1, claimed],
      ],
    ],
  )
  expect(seen.size).toBe(2)
})

it('what is recorded, and by whom the index speaks, is the decider’s', () => {
  inEveryMoment((state, { row }) => {
    const { audit, index } = state
    const found = row()!
    expect(found.removed === 0 && found.recordedAt !== null).toBe(audit?.word.status === 'recorded')
    if (audit?.word.status === 'recorded') expect(found.checksums).toEqual(audit.word.checksums)
    expect(found.indexedBy === 'outside').toBe(index !== undefined)
    if (index?.word.status !== 'recorded') expect(index && found.indexed).toBe(index && null)
    else expect(found.indexed).toMatchObject({ checksums: index.word.checksums })
  })
})

it('open findings, and what they were found on, are the decider’s', () => {
  inEveryMoment((state, { row, rows }) => {
    expect(row()).toMatchObject({ open: state.open.length, failedOn: state.failedOn ?? null })
    const open = rows('fixity-resolutions').filter(({ status }) => status === 'open')
    expect(
      open.map(({ resolution, row, class: who }) => ({ resolution, row, class: who })).toSorted(byId),
    ).toEqual(
      state.open.map(({ resolution, row, class: who }) => ({ resolution, row, class: who })).toSorted(byId),
    )
  })
})

it('the state says nothing good of what is parked or withdrawn', () => {
  inEveryMoment(({ parked, audit, last }, { row }) => {
    const { state, recordedAt } = row()!
    if (recordedAt !== null && audit?.word.status === 'removed') expect(state).toBe('withdrawn')
    else if (parked) expect(['parked', 'unrecorded']).toContain(state)
    if (state === 'verified') expect(last).toBeDefined()
  })
})

it('nothing is verified, as first read, or has a day of its last reading by a check that read no bytes', () => {
  inEveryMoment((_, { row, rows }) => {
    const { state, outcome, lastVerified, lastAgreed } = row()!
    const log = rows('fixity-bit-log').toSorted((one, other) => Number(one.position) - Number(other.position))
    const successes = log.filter(({ result }) => result === 'SUCCESS')
    const read = successes.filter(({ pattern }) => !String(pattern).startsWith('n'))
    expect(lastVerified).toBe(read.at(-1)?.at ?? null)
    expect(lastAgreed).toBe(successes.at(-1)?.at ?? null)
    for (const { unread, pattern, result } of log)
      expect(unread).toBe(result === 'SUCCESS' && String(pattern).startsWith('n') ? 1 : 0)
    const isOfUnread = outcome === 'success' && successes.at(-1)?.unread === 1
    if (isOfUnread) expect(['unread', 'suspect', 'parked', 'withdrawn', 'unrecorded']).toContain(state)
    else expect(state).not.toBe('unread')
  })
})

it('accepted and lost are what the decider holds as ended, or a record that a person made', () => {
  inEveryMoment((state, { row }) => {
    const { state: said, outcome } = row()!
    const byPerson = said === 'lost' || (said === 'accepted' && outcome === 'failure')
    if (byPerson) expect(state.closed).toMatchObject({ how: said, seen: state.failedOn })
    if (said === 'verified' || said === 'baselined')
      expect(isAcceptance(state.audit?.source ?? null)).toBe(false)
  })
})

it('the report counts the states of the view, and they add up', () => {
  fc.assert(
    fc.property(
      fc.array(lives, { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 0, max: 200 }),
      (some, days) => {
        const views = fixityViews()
        for (const [i, life] of some.entries())
          for (const { events } of live(life)) views.fold(events, { ...item, path: `${i}` })
        const at = t(days * 24 * 60)
        const [store] = fixityReport(views.viewStore, at).stores
        const rows = views.rows('fixity-items')
        const inState = (state: string) => rows.filter((row) => row.state === state)
        const lateOf = (state: string) =>
          inState(state).filter(({ lateAfter }) => (lateAfter as string) < at).length
        const late = dated.reduce((sum, state) => sum + lateOf(state), 0)
        const isDated = (part: string) => dated.some((state) => state === part)
        const { expected, ...counts } = store?.counts ?? { expected: 0 }
        for (const [part, count] of Object.entries(counts))
          expect(count, part).toBe(
            part === 'late' ? late : inState(part).length - (isDated(part) ? lateOf(part) : 0),
          )
        expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(expected)
        expect(expected).toBe(rows.length - inState('withdrawn').length - inState('unrecorded').length)
      },
    ),
    { numRuns: runs(60) },
  )
})

it('the counts are those of the items that are expected', () => {
  fc.assert(
    fc.property(fc.array(lives, { minLength: 1, maxLength: 8 }), (some) => {
      const views = fixityViews()
      for (const [i, life] of some.entries())
        for (const { events } of live(life)) views.fold(events, { ...item, path: `${i}` })
      const expected = views
        .rows('fixity-items')
        .filter(({ removed, state }) => removed === 0 && expectedStates.some((one) => one === state))
      const counted = (of: string) =>
        Object.fromEntries(
          views.rows('fixity-counts').flatMap((row) => (row.of === of ? [[row.value, row.count]] : [])),
        )
      const countOf = (values: readonly string[]) =>
        Object.fromEntries(
          [...Map.groupBy(values, (value) => value)].map(([value, { length }]) => [value, length]),
        )
      const text = (value: unknown) => String(value)
      expect(counted('state')).toEqual(countOf(expected.map(({ state }) => text(state))))
      expect(counted('late')).toEqual(
        countOf(
          expected
            .filter(({ state, lateAfter }) => lateAfter !== null && dated.some((one) => one === state))
            .map(({ state, lateAfter }) => `${text(lateAfter).slice(0, 13)} ${text(state)}`),
        ),
      )
      expect(counted('looked')).toEqual(
        countOf(
          expected
            .filter(({ state }) => state !== 'lost' && state !== 'unread')
            .map(({ lastChecked, recordedAt }) => text(lastChecked ?? recordedAt).slice(0, 10)),
        ),
      )
      expect(counted('unread')).toEqual(
        countOf(
          expected
            .filter(({ state }) => state === 'unread')
            .map(({ lastChecked }) => text(lastChecked).slice(0, 10)),
        ),
      )
    }),
    { numRuns: runs(60) },
  )
})

/** As the log keeps it. */
const byId = (a: { resolution: unknown }, b: { resolution: unknown }) =>
  String(a.resolution) < String(b.resolution) ? -1 : 1
