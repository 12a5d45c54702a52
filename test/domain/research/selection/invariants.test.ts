import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createSchedulerState,
  readSchedulerState,
  schedulerStateParts,
} from '#src/domain/research/selection/create-scheduler-state.ts'
import type { LeaseTerms, SchedulerState } from '#src/domain/research/selection/scheduler-state.ts'
import { runs } from '../../../runs.ts'
import { at, clipIds, episodeIds, recorded, type Step, step } from './log-entries.ts'
import { type LogEntry, NaiveScheduler } from './naive-scheduler.ts'

const copyOf = (scheduler: SchedulerState): SchedulerState => {
  const copy = readSchedulerState(Buffer.concat([...schedulerStateParts(scheduler)]))
  if (!copy) throw new Error('The snapshot of a scheduler state could not be read')
  return copy
}

/** The scheduler state and the rules by the letter, side by side. */
class Pair {
  scheduler = createSchedulerState()
  readonly naive = new NaiveScheduler()
  readonly granted: { lease: string; episode: string }[] = []
  held: LeaseTerms[] = []

  take(next: Step): void {
    switch (next.do) {
      case 'fold':
        this.fold(next.told)
        break
      case 'grant':
        this.#grant(next)
        break
      case 'lease': {
        const named = this.granted[next.named.lease % (this.granted.length + 1)]
        const episode = named?.episode ?? next.episode
        this.fold({ of: 'episode', id: episode, event: next.named.make(named?.lease ?? 'unknown', episode) })
        break
      }
      case 'hold':
        this.#hold(next)
        break
      case 'confirm': {
        const terms = this.held.shift()
        if (terms) this.#grant(terms)
        break
      }
      case 'unhold': {
        const terms = this.held.pop()
        if (terms) for (const scheduler of [this.scheduler, this.naive]) scheduler.unhold(terms.lease)
        break
      }
      case 'advance':
        this.#advance(next.to)
        break
      case 'snapshot':
        this.scheduler = copyOf(this.scheduler)
        this.naive.forgetHeld()
        this.held = []
    }
  }

  fold(told: LogEntry): void {
    if (told.event.type === 'Amended' && !this.naive.isCurated(told.id)) return
    expect(this.scheduler.fold(recorded(told))).toBeUndefined()
    this.naive.fold(told)
  }

  #grant({
    lease,
    episode,
    clips,
    deadline,
    notAfter,
  }: Omit<LeaseTerms, 'lease'> & { lease?: string }): void {
    const id = lease ?? `lease-${this.granted.length}`
    this.granted.push({ lease: id, episode })
    const data = {
      lease: id,
      clips: [...clips],
      deadline,
      notAfter,
      fence: 1,
      leaseSeconds: 60,
      policy: 0,
      at: at(0),
    }
    this.fold({ of: 'episode', id: episode, event: { type: 'LeaseGranted', data } })
  }

  #hold({ deadline, notAfter }: { deadline: string; notAfter: string }): void {
    const choice = this.scheduler.select()
    if (!choice) return
    const terms = { ...choice, lease: `held-${this.granted.length}-${this.held.length}`, deadline, notAfter }
    this.held.push(terms)
    this.scheduler.hold(terms)
    this.naive.hold(terms)
  }

  #advance(to: string): void {
    const next = this.scheduler.nextChange()
    if (next === undefined || to < next) {
      const same = [this.scheduler.select(), this.scheduler.readings()]
      this.scheduler.advance(to)
      expect([this.scheduler.select(), this.scheduler.readings()]).toEqual(same)
    }
    this.scheduler.advance(to)
    this.naive.advance(to)
  }
}

const agree = ({ scheduler, naive }: Pair): void => {
  expect(scheduler.select()).toEqual(naive.select())
  expect(scheduler.readings()).toEqual(naive.readings())
  const { researched, leases } = scheduler.size()
  expect({ researched, leases }).toEqual({ researched: naive.results.length, leases: naive.live().length })
  const next = scheduler.nextChange()
  if (next !== undefined) expect(next > naive.now).toBe(true)
}

/** What is said of each episode and pair is what the rules say. */
const explains = ({ scheduler, naive }: Pair): void => {
  const candidates = naive.candidates()
  for (const episode of episodeIds) {
    const place = candidates.indexOf(episode)
    const { reasons, clips } = scheduler.explain(episode)
    if (place === 0) expect(reasons).toEqual([{ kind: 'next' }])
    else if (place > 0) expect(reasons).toEqual([{ kind: 'behind', next: candidates[0], places: place }])
    else expect(reasons.map(({ kind }) => kind)).not.toContain('next')
    expect(reasons).not.toHaveLength(0)
    expect(clips.researched + clips.leased + clips.open).toBe(clips.total)
    for (const clip of clipIds) {
      const known = naive.clips.find(({ id }) => id === clip)
      const open =
        known !== undefined && naive.isFree(known) && !naive.isWaiting(clip) && naive.isOpen(episode, clip)
      expect([
        episode,
        clip,
        scheduler.explainPair(episode, clip).some(({ kind }) => kind === 'open'),
      ]).toEqual([episode, clip, open])
    }
  }
}

const upcomingAgrees = ({ scheduler, naive }: Pair): void => {
  const copy = Object.assign(new NaiveScheduler(), structuredClone({ ...naive }))
  const choices = []
  for (let n = 0; n < 6; n++) {
    const choice = copy.select()
    if (!choice) break
    choices.push(choice)
    copy.hold({ ...choice, lease: `upcoming-${n}`, deadline: at(1e6), notAfter: at(1e6) })
  }
  expect(scheduler.upcoming(6)).toEqual(choices)
}

const steps = fc.array(step, { minLength: 10, maxLength: 120, size: 'max' })

test('L10–L23, L1, L2: after any events the scheduler state says what the rules say by the letter', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const pair = new Pair()
      for (const next of all) {
        pair.take(next)
        agree(pair)
      }
      explains(pair)
      upcomingAgrees(pair)
      agree(pair)
    }),
    { numRuns: runs(200) },
  )
})

test('a scheduler state that was read from its snapshot goes on as the one that folded everything', () => {
  fc.assert(
    fc.property(steps, steps, (first, rest) => {
      const without = (all: Step[]) => all.filter((one) => one.do !== 'hold' && one.do !== 'snapshot')
      const pair = new Pair()
      for (const next of without(first)) pair.take(next)
      const copy = copyOf(pair.scheduler)
      const other = new Pair()
      Object.assign(other, {
        scheduler: copy,
        granted: [...pair.granted],
        naive: Object.assign(new NaiveScheduler(), structuredClone({ ...pair.naive })),
      })
      for (const next of without(rest)) {
        pair.take(next)
        other.take(next)
        expect(other.scheduler.select()).toEqual(pair.scheduler.select())
        expect(other.scheduler.readings()).toEqual(pair.scheduler.readings())
        expect(other.scheduler.nextChange()).toEqual(pair.scheduler.nextChange())
      }
      const explained = ({ scheduler }: Pair) =>
        episodeIds.flatMap((episode) => [
          scheduler.explain(episode),
          ...clipIds.map((clip) => scheduler.explainPair(episode, clip).toSorted(byText)),
        ])
      expect(explained(other)).toEqual(explained(pair))
      expect(other.scheduler.size()).toEqual(pair.scheduler.size())
    }),
    { numRuns: runs(100) },
  )
})

test('X14: what can be handed out, and what waits, is counted as it would be chosen', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const { scheduler, naive } = pairAfter(all)
      const choices = scheduler.upcoming(Number.POSITIVE_INFINITY)
      const { items, pairs, waitingPairs, until } = scheduler.outlook()
      expect([items, pairs]).toEqual([choices.length, choices.flatMap(({ clips }) => clips).length])
      const waiting = naive.clips.filter((clip) => naive.isFree(clip) && naive.isWaiting(clip.id))
      const episodes = naive.episodes.filter((episode) => naive.isFree(episode))
      const along = choices.flatMap(({ clips }) => clips.filter((clip) => naive.isWaiting(clip)))
      const open = episodes.flatMap(({ id }) => waiting.filter((clip) => naive.isOpen(id, clip.id)))
      expect(waitingPairs).toBe(open.length - along.length)
      if (waitingPairs > 0) expect(until).toBeDefined()
    }),
    { numRuns: runs(200) },
  )
})

test('X14: under other settings a scheduler state is what it would become, and itself stays as it is', () => {
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 3 }), fc.nat(100), (all, maxClips, batchSeconds) => {
      const { scheduler, naive } = pairAfter([{ do: 'advance', to: at(0) }, ...all, { do: 'snapshot' }])
      const changed = copyOf(scheduler)
      const policy = { ...scheduler.policy().policy, maxClips, batchClips: 2, batchSeconds, agingSeconds: 60 }
      const version = scheduler.policy().version + 1
      const data = { version, policy, reason: 'because', at: naive.now }
      const before = lookAt(scheduler)
      const other = scheduler.under(policy)
      expect(lookAt(scheduler)).toEqual(before)
      changed.fold(recorded({ of: 'desk', id: 'research', event: { type: 'PolicySet', data } }))
      expect(lookAt(other)).toEqual(lookAt(changed))
    }),
    { numRuns: runs(100) },
  )
})

const pairAfter = (all: readonly Step[]): Pair => {
  const pair = new Pair()
  for (const next of all) pair.take(next)
  return pair
}

const lookAt = (scheduler: SchedulerState) => [
  scheduler.policy(),
  scheduler.upcoming(20),
  scheduler.outlook(),
  scheduler.readings(),
  scheduler.size(),
]

const byText = (one: unknown, other: unknown): number =>
  JSON.stringify(one) < JSON.stringify(other) ? -1 : 1
