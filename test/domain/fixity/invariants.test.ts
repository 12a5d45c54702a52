import fc from 'fast-check'
import { isLeft } from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import { decider } from '#src/domain/fixity/decide.ts'
import type { FixityEvent } from '#src/domain/fixity/events.ts'
import { evolve } from '#src/domain/fixity/state.ts'
import { patternOf } from '#src/domain/fixity/witness.ts'
import { DAY, millisBetween } from '#src/domain/kernel/time.ts'
import { runs } from '../../runs.ts'
import { policy } from './commands.ts'
import { type Lived, live, lives } from './lives.ts'

const inEveryLife = (holds: (lived: readonly Lived[]) => void) =>
  fc.assert(
    fc.property(lives, (life) => {
      holds(live(life))
    }),
    { numRuns: runs(400) },
  )

const all = (lived: readonly Lived[]): readonly FixityEvent[] => lived.flatMap(({ events }) => events)

const dataOf = <Type extends FixityEvent['type']>(lived: readonly Lived[], type: Type) =>
  all(lived).flatMap((event) =>
    event.type === type ? [event.data as Extract<FixityEvent, { type: Type }>['data']] : [],
  )

it('these lives hold every kind of event', () => {
  const lived = fc.sample(lives, { numRuns: 400, seed: 1 }).flatMap(live)
  const seen = new Set(all(lived).map(({ type }) => type))
  expect([...seen].toSorted()).toEqual(decider.events.types.toSorted())
})

it('fences only grow', () => {
  inEveryLife((lived) => {
    const fences = dataOf(lived, 'CheckClaimed').map(({ fence }) => fence)
    expect(fences).toEqual(fences.map((_, i) => i + 1))
  })
})

it('a run has at most three attempts, in order, and at most one end; one that was taken back is none', () => {
  inEveryLife((lived) => {
    const runs = new Map<number, string[]>()
    const note = (run: number, what: string) => runs.set(run, [...(runs.get(run) ?? []), what])
    for (const { before, events } of lived) {
      let state = before
      for (const event of events) {
        const { type, data } = event
        const earlier = state
        state = evolve(state, event)
        if (type === 'AttemptFailed') note(data.run, data.attempt)
        else if (type === 'FixityDecided' && data.outcome !== 'deferred')
          note(data.run, data.outcome === 'retry' ? data.attempt : `${data.attempt} end`)
        else if (type === 'ClaimReleased' && state.failures < earlier.failures) runs.get(state.run)!.pop()
      }
    }
    for (const attempts of runs.values()) {
      const inOrder = ['first', 'penultimate', 'last'].slice(0, attempts.length)
      expect(attempts.map((attempt) => attempt.replace(' end', ''))).toEqual(inOrder)
      expect(attempts.slice(0, -1).filter((attempt) => attempt.endsWith('end'))).toEqual([])
    }
  })
})

it('nothing is ever due later than the interval allows, and a parked item never is', () => {
  inEveryLife((lived) => {
    for (const { command, state } of lived) {
      if (state.parked) expect(state.dueAt).toBeNull()
      if (state.dueAt !== null)
        expect(millisBetween(command.at, state.dueAt)).toBeLessThanOrEqual(policy.intervalDays * DAY)
    }
  })
})

it('what is recorded and not parked is due, whatever observers say', () => {
  inEveryLife((lived) => {
    for (const { state } of lived) {
      if (state.audit?.word.status === 'recorded' && !state.parked) expect(state.dueAt).not.toBeNull()
    }
  })
})

it('the same command decided again adds nothing wrong', () => {
  inEveryLife((lived) => {
    for (const { command, events, state } of lived) {
      const again = decider.decide(command, state)
      if (command.type === 'Observe' && events.length > 0)
        expect(isLeft(again) ? again.left.code : again.right).toEqual(command.fence ? 'fenced' : [])
      else if (command.type === 'RecordContent' || command.type === 'RemoveContent')
        expect(again).toMatchObject({ right: [] })
    }
  })
})

it('findings have ids of their own and are open once a row and class', () => {
  inEveryLife((lived) => {
    const ids = dataOf(lived, 'ResolutionOpened').map(({ resolution }) => resolution)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { state } of lived) {
      const kinds = state.open.map((open) => `${open.row} ${open.class}`)
      expect(new Set(kinds).size).toBe(kinds.length)
    }
  })
})

it('each follow-up is an event beside its decision, and no other is', () => {
  const eventOf = {
    resolve: 'ResolutionOpened',
    'correct-index': 'IndexCorrected',
    'supplement-audit': 'AuditSupplemented',
    'remove-index': 'IndexEntryRemoved',
    're-audit': 'ReauditRequested',
  } as const
  inEveryLife((lived) => {
    for (const { events } of lived) {
      const [decision, ...others] = events
      if (decision?.type !== 'FixityDecided') continue
      const expected = decision.data.followUps.map((kind) => eventOf[kind])
      expect(others.map(({ type }) => type).filter((type) => type !== 'ResolutionClosed')).toEqual(expected)
    }
  })
})

it('every event can be stored as JSON and read again, and says the same', () => {
  inEveryLife((lived) => {
    for (const { type, data } of all(lived)) {
      const metadata = { actor: 'ada', causationId: 'c', correlationId: 'c', schema: 1 }
      const read = decider.events.read({ type, data: JSON.parse(JSON.stringify(data)), metadata })
      if (isLeft(read)) return expect.fail(read.left)
      expect(read.right.type).toBe(type)
      if (read.right.type === 'FixityDecided')
        expect(patternOf(read.right.data.evidence)).toBe(read.right.data.pattern)
    }
  })
})
