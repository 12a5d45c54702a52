import fc from 'fast-check'
import { isLeft } from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import type { IndexingCommand } from '#src/domain/indexing/commands.ts'
import { decider } from '#src/domain/indexing/decide.ts'
import type { IndexingEvent } from '#src/domain/indexing/events.ts'
import { fileStateOf } from '#src/domain/indexing/file-states.ts'
import { evolve, type FileState, initial } from '#src/domain/indexing/state.ts'
import { decisionOf } from '#src/domain/kernel/decider.ts'
import {
  by,
  claim,
  digest,
  elsewhere,
  failure,
  missing,
  place,
  policy,
  report,
  salvaged,
  sight,
  success,
  t,
} from './commands.ts'

/** A life of one file: commands one after the other, with steps of time between them. */
const step: fc.Arbitrary<(minutes: number) => IndexingCommand> = fc.oneof(
  fc
    .constantFrom(place(), place(200), place(100, -3), elsewhere(), elsewhere(200))
    .map((seen) => (m: number) => sight(m, seen)),
  fc.constantFrom('worker-1', 'worker-2').map((who) => (m: number) => claim(m, who)),
  fc
    .tuple(
      fc.integer({ min: 1, max: 6 }),
      fc.constantFrom(
        success,
        salvaged,
        { ...success, files: 2 },
        failure,
        missing,
        { status: 'growing', size: 150, modifiedAt: t(0) } as const,
        { status: 'compared', verdict: 'moved', because: 'gone' } as const,
        { status: 'compared', verdict: 'same', because: 'read' } as const,
      ),
    )
    .map(
      ([fence, outcome]) =>
        (m: number) =>
          report(m, fence, outcome),
    ),
  fc.constant((m: number) => ({ type: 'ExpireClaim', ...by(m), policy }) as const),
  fc.constant((m: number) => ({ type: 'Adopt', ...by(m) }) as const),
  fc.constant((m: number) => ({ type: 'LoseLines', ...by(m), digest, reason: 'gone', policy }) as const),
  fc
    .constantFrom('2026-01-30', '2031-12-31', 'none')
    .map((embargoUntil) => (m: number) => sight(m, place(), { embargoUntil })),
  fc
    .constantFrom('2026-01-31', '2031-12-31')
    .map((until) => (m: number) => ({ type: 'SetEmbargo', ...by(m), until, reason: 'a person' }) as const),
  fc.constant((m: number) => ({ type: 'LiftEmbargo', ...by(m), reason: 'a person' }) as const),
  fc
    .constantFrom('Rescue', 'Reset', 'Park', 'Withdraw', 'Salvage')
    .map((type) => (m: number) => ({ type, ...by(m), reason: 'a person' }) as const),
)
const life = fc.array(fc.tuple(fc.constantFrom(0, 1, 6, 20), step), { maxLength: 40 })

interface Moment {
  readonly command: IndexingCommand
  readonly before: FileState
  readonly after: FileState
  readonly events: readonly IndexingEvent[]
}

const live = (
  steps: readonly (readonly [number, (minutes: number) => IndexingCommand])[],
): readonly Moment[] => {
  let minutes = 0
  let state = initial
  return steps.map(([pause, make]) => {
    minutes += pause
    const command = make(minutes)
    const decided = decider.decide(command, state)
    const events = isLeft(decided) ? [] : decisionOf(decided.right).events
    const before = state
    state = events.reduce(evolve, state)
    return { command, before, after: state, events }
  })
}

const always = (check: (moment: Moment) => void) =>
  fc.assert(fc.property(life, (steps) => live(steps).forEach(check)))

it('W21 a claim is granted only where none is active, and its fence was never given before', () => {
  always(({ command, before, events }) => {
    for (const { type, data } of events) {
      if (type !== 'FileClaimed') continue
      expect(before.lease === undefined || before.lease.deadline <= command.at).toBe(true)
      expect(data.fence).toBe(before.lastFence + 1)
    }
  })
})

it('W14, W18 a file is indexed only by the outcome of one file, of the last claim, which ends with it', () => {
  always(({ command, before, after, events }) => {
    if (!events.some(({ type }) => type === 'FileIndexed')) return
    expect(command).toMatchObject({ type: 'Report', fence: before.lease?.fence, outcome: { files: 1 } })
    expect(after).toMatchObject({ status: 'indexed', failures: 0, dueAt: null })
    expect(after.lease).toBeUndefined()
  })
})

it('W16 lines of a damaged file are taken only where a person asked for what is whole of it, since it last changed', () => {
  fc.assert(
    fc.property(life, (steps) => {
      let isAsked = false
      let isSalvaged = false
      for (const { type, data } of live(steps).flatMap(({ events }) => events)) {
        if (type === 'FileSalvageRequested') isAsked = true
        if (type === 'FileIndexed' && data.loss) expect(isAsked).toBe(true)
        if (type === 'FileIndexed' || type === 'ContentChanged' || type === 'FileReset') isAsked = false
        if (type === 'FileIndexed') isSalvaged = data.loss !== undefined
        // Asked for once, and to be done again: the index lost what came of it.
        if (type === 'IndexingFailed' && data.code === 'lost' && isSalvaged) isAsked = true
      }
    }),
  )
})

it('W8 a file is in one state, and failures are counted one by one', () => {
  always(({ command, before, after, events }) => {
    const failed = events.filter(({ type }) => type === 'IndexingFailed').length
    if (command.type === 'LoseLines' && failed > 0) expect(after.failures).toBe(before.losses + 1)
    else expect([before.failures + failed, failed, 0]).toContain(after.failures)
    if (after.status === 'failed') expect(after.failures).toBeGreaterThan(0)
    if (after.known) expect(typeof fileStateOf(after)).toBe('string')
  })
})

it('W9 what is to be indexed is due, held, waits to be sighted again or for a person, and nothing else is', () => {
  always(({ after }) => {
    if (!after.known || after.kind === 'unknown') return
    const { status, dueAt, lease, isMissing } = after
    if (status === 'new' || status === 'changed' || status === 'failed')
      expect(dueAt !== null || lease !== undefined || isMissing).toBe(true)
    if (status === 'parked' || status === 'withdrawn' || status === 'indexed') expect(dueAt).toBeNull()
  })
})

it('C19 the embargo is that of the last word on it, whatever becomes of the file', () => {
  always(({ command, before, after, events }) => {
    const words = events.filter(({ type }) => type === 'EmbargoSet' || type === 'EmbargoLifted')
    expect(words.length).toBeLessThanOrEqual(1)
    if (words.length === 0) expect(after.embargoUntil).toBe(before.embargoUntil)
    if (command.type === 'Sight' && command.embargoUntil !== undefined)
      expect(after.embargoUntil ?? 'none').toBe(command.embargoUntil)
    if (words[0]?.type === 'EmbargoLifted') expect(after.embargoUntil).toBe(undefined)
  })
})

it('W6 a sighting that was just decided adds nothing when it comes again', () => {
  always(({ command, after }) => {
    if (command.type !== 'Sight') return
    const again = decider.decide(command, after)
    expect(isLeft(again) ? again.left : decisionOf(again.right).events).toEqual([])
  })
})
