import fc from 'fast-check'
import { isLeft } from 'fp-ts/lib/Either.js'
import { beforeEach, expect, test } from 'vitest'
import type { Message } from '#src/domain/kernel/message.ts'
import { addMillis, DAY, HOUR, MINUTE, millisBetween, SECOND } from '#src/domain/kernel/time.ts'
import { clipDecider } from '#src/domain/research/clip/decide.ts'
import { episodeDecider } from '#src/domain/research/episode/decide.ts'
import { policyDecider } from '#src/domain/research/policy/decide.ts'
import type { Policy } from '#src/domain/research/policy/policy.ts'
import { resultsTopic } from '#src/domain/research/result-messages.ts'
import { clipStream, episodeStream, policyStream } from '#src/domain/research/terms.ts'
import type { ViewStore } from '#src/ports/view-store.ts'
import { blockedLookup } from '#src/processors/research/blocked-lookup.ts'
import { assignerName } from '#src/processors/research/load-scheduler-state.ts'
import { policyLookup } from '#src/processors/research/policy-lookup.ts'
import { resultsProcessor } from '#src/processors/research/results-processor.ts'
import { executor } from '#src/processors/runtime/execute.ts'
import type { RunningSubscription } from '#src/processors/runtime/leader-subscription.ts'
import { streamStates } from '#src/processors/runtime/stream-states.ts'
import { openTestViews } from '../../fakes/views.ts'
import { runs } from '../../runs.ts'
import { useFolder } from '../runtime/log.ts'
import { type AssignerWorld, assignerWorld, type Fault, type Granted } from './assigner-world.ts'
import { messageOn } from './intake-world.ts'
import { audit, pairOf } from './research-audit.ts'

/*
 * The whole of the rules at once: two assigners and two intakes, each a process with a clock and a memory of its own, on one
 * log; researchers that take, report, fail, hang, repeat themselves and name leases that are not theirs; people who
 * change the policy; crashes. Then everybody is willing, and everything that can be researched must be.
 */

const episodes = ['e0', 'e1', 'e2', 'e3']
const clips = ['c0', 'c1', 'c2', 'c3', 'c4']
const reason = 'the model'

const folder = useFolder()
let views: ViewStore

beforeEach(() => {
  views = openTestViews(folder.path('views.db'))
  return () => views.close()
})

/** A process that takes results in, by a clock that is off by so many seconds. */
const newIntake = (world: AssignerWorld, offBy: number) => {
  const states = streamStates(world.store)
  const execute = executor(world.store, states, async () => {})
  const clock = { ...world.clock, now: () => addMillis(world.clock.now(), offBy * SECOND) }
  const processor = resultsProcessor(policyLookup(states), blockedLookup(states), clock, states)
  return async (message: Message): Promise<void> => {
    const [routes] = await processor.route([message])
    for (const route of routes!) {
      const outcome = await execute(route.decider, {
        stream: route.stream,
        command: route.command as never,
        causationId: message.id,
        correlationId: message.id,
      })
      if (isLeft(outcome)) throw new Error(JSON.stringify(outcome.left))
    }
  }
}

/** What can never be researched. */
interface Broken {
  readonly episode: string | undefined
  readonly clip: string | undefined
  readonly pair: readonly [episode: string, clip: string] | undefined
}

class Model {
  readonly world: AssignerWorld
  readonly intakes: readonly ((message: Message) => Promise<void>)[]
  readonly running: RunningSubscription[]
  /** Said, and not taken in yet. */
  readonly underWay: Message[] = []
  readonly takenIn: Message[] = []
  #said = 0

  constructor(views: ViewStore, offBy: number) {
    this.world = assignerWorld(views)
    this.intakes = [newIntake(this.world, 0), newIntake(this.world, offBy)]
    this.running = [this.world.start(), this.world.start()]
  }

  say(type: string, data: object): void {
    this.underWay.push(messageOn(resultsTopic, type, data, { id: `said ${++this.#said}` }))
  }

  async takeIn(message: Message | undefined, intake: number): Promise<void> {
    if (!message) return
    await this.intakes[intake]!(message)
    this.takenIn.push(message)
  }

  async hearAll(): Promise<void> {
    for (const message of this.underWay.splice(0)) await this.takeIn(message, 0)
  }

  async restart(which: number, keepsSnapshot: boolean): Promise<void> {
    await this.running[which]!.stop()
    if (!keepsSnapshot) await this.world.snapshots.drop(assignerName)
    this.running[which] = this.world.start(this.world.newAssigner({ savedAtEnd: 1 }))
  }

  onPolicy(type: 'Pause' | 'Resume' | 'ReleaseWaitingClips') {
    return this.world.give(policyDecider, policyStream, { type, reason })
  }

  onClip(id: string, type: 'Retry' | 'Include' | 'Exclude' | 'Pin') {
    return this.world.give(clipDecider, clipStream(id), { type, reason })
  }

  onEpisode(id: string, type: 'Retry' | 'Include' | 'Exclude' | 'Pin' | 'Reopen') {
    return this.world.give(episodeDecider, episodeStream(id), { type, reason })
  }

  /** Researches an item to its end, but for what is broken. */
  work({ episode, lease, clips }: Granted, broken: Broken): void {
    const who = { researcher: 'r0', episode, lease }
    const failed = { ...who, stage: 'download', error: '404', final: false }
    this.say('item.taken', who)
    if (episode === broken.episode) {
      this.say('research.failed', { ...failed, subject: 'episode', clip: undefined })
      return
    }
    clips.forEach((clip, i) => {
      const final = i === clips.length - 1
      const [badEpisode, badClip] = broken.pair ?? []
      if (clip === broken.clip) this.say('research.failed', { ...failed, subject: 'clip', clip, final })
      else if (episode === badEpisode && clip === badClip)
        this.say('research.failed', { ...failed, subject: 'pair', stage: 'search', clip, final })
      else this.say('clip.researched', { ...who, clip, final, matches: [] })
    })
  }

  async audit() {
    return audit(await this.world.eventsIn('episode'))
  }

  /** When time alone next changes something, but for researchers that would fall silent one day. */
  async nextChange(): Promise<string | undefined> {
    const { scheduler } = await this.world.scheduler()
    scheduler.advance(this.world.clock.now())
    const next = scheduler.nextChange()
    return next !== undefined && next < addMillis(this.world.clock.now(), 3 * DAY) ? next : undefined
  }

  /** Works on all that is handed out, until no time brings more. Fails where that takes too long. */
  async drain(broken: Broken): Promise<void> {
    const worked = new Set<string>()
    for (let round = 0; ; round++) {
      expect(round, 'research does not come to an end').toBeLessThan(150)
      await this.world.settled()
      const fresh = (await this.world.grants()).filter(
        ({ lease, notAfter }) => !worked.has(lease) && notAfter > this.world.clock.now(),
      )
      for (const grant of fresh) {
        worked.add(grant.lease)
        this.work(grant, broken)
      }
      await this.hearAll()
      if (fresh.length > 0) continue
      const next = await this.nextChange()
      if (next === undefined) return
      await this.world.clock.advance(millisBetween(this.world.clock.now(), next))
    }
  }
}

type Step = (model: Model) => Promise<unknown>

const leaseOf = async (model: Model, back: number): Promise<Granted | undefined> =>
  (await model.world.grants()).at(-1 - back)

const researcher = fc.constantFrom('r0', 'r1', 'r2')
const clip = fc.constantFrom(...clips)
const episode = fc.constantFrom(...episodes)
const back = fc.nat(5)

const said = (type: string, more: (granted: Granted) => object) =>
  fc.tuple(back, researcher).map(
    ([back, researcher]): Step =>
      async (model) => {
        const granted = await leaseOf(model, back)
        const { episode, lease } = granted ?? {}
        if (granted) model.say(type, { researcher, episode, lease, ...more(granted) })
      },
  )

const research = fc.oneof(
  { weight: 3, arbitrary: said('item.taken', () => ({})) },
  said('lease.released', () => ({})),
  {
    weight: 6,
    arbitrary: fc.tuple(fc.nat(4), fc.boolean(), fc.boolean()).chain(([n, a, b]) =>
      said('clip.researched', ({ clips }) => ({
        clip: clips[n % clips.length],
        final: a && b,
        matches: [],
      })),
    ),
  },
  // Of a lease that is another's, or of none at all.
  fc.tuple(episode, clip, back, fc.boolean()).map(
    ([episode, clip, back, named]): Step =>
      async (model) =>
        model.say('clip.researched', {
          episode,
          clip,
          researcher: 'r9',
          matches: [],
          lease: named ? ((await leaseOf(model, back))?.lease ?? 'nobody granted it') : undefined,
        }),
  ),
  fc.constantFrom('episode', 'clip', 'pair').chain((subject) =>
    said('research.failed', ({ clips }) => ({
      subject,
      stage: 'download',
      error: '404',
      clip: subject === 'episode' ? undefined : clips[0],
    })),
  ),
)

const policies: readonly Partial<Policy>[] = [
  { maxClips: 2 },
  { maxClips: 100, batchClips: 3, batchSeconds: 3600 },
  { agingSeconds: 60 },
  { batchClips: 1, batchSeconds: 0, leaseSeconds: 1200, itemSeconds: 300, longestLeaseSeconds: 3000 },
]

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: research },
  {
    weight: 8,
    arbitrary: fc.tuple(fc.nat(), fc.nat(1)).map(
      ([which, intake]): Step =>
        (model) =>
          // Overtaken by others, or not.
          model.takeIn(model.underWay.splice(which % (model.underWay.length || 1), 1)[0], intake),
    ),
  },
  fc.tuple(fc.nat(), fc.nat(1)).map(
    ([which, intake]): Step =>
      (model) =>
        model.takeIn(model.takenIn[which % (model.takenIn.length || 1)], intake),
  ),
  {
    weight: 3,
    arbitrary: fc.constantFrom(SECOND, MINUTE, 10 * MINUTE, 90 * MINUTE, 2 * HOUR).map(
      (millis): Step =>
        ({ world }) =>
          world.clock.advance(millis),
    ),
  },
  { weight: 4, arbitrary: fc.constant<Step>(({ world }) => world.settled()) },
  fc.constantFrom<Fault>('before', 'after').map(
    (fault): Step =>
      async ({ world }) =>
        world.faults.push(fault),
  ),
  fc.tuple(fc.nat(1), fc.boolean()).map(
    ([which, keeps]): Step =>
      (model) =>
        model.restart(which, keeps),
  ),
  fc.tuple(researcher, fc.boolean()).map(
    ([id, comes]): Step =>
      ({ world }) =>
        comes ? world.researcher(id, 3600) : world.researcher(id).then(() => world.leave(id)),
  ),
  fc.constantFrom('Pause' as const, 'Resume' as const).map(
    (type): Step =>
      (model) =>
        model.onPolicy(type),
  ),
  fc.constantFrom(...policies).map(
    (policy): Step =>
      ({ world }) =>
        world.policy(policy),
  ),
  fc.tuple(episode, clip, fc.constantFrom('Pin' as const, 'Exclude' as const, 'Include' as const)).map(
    ([episode, clip, type]): Step =>
      async (model) => {
        await model.onEpisode(episode, type)
        await model.onClip(clip, type)
      },
  ),
  episode.map(
    (id): Step =>
      (model) =>
        model.onEpisode(id, 'Reopen'),
  ),
)

const broken: fc.Arbitrary<Broken> = fc.record({
  episode: fc.option(fc.constantFrom('e0', 'e1'), { nil: undefined }),
  clip: fc.option(fc.constantFrom('c0', 'c1'), { nil: undefined }),
  pair: fc.option(fc.constant(['e2', 'c2'] as const), { nil: undefined }),
})

test('L1–L44: whatever happens, no rule is broken; and once all are willing, all that can be is researched', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 60, size: 'max' }),
      broken,
      fc.constantFrom(-40, 0, 40),
      async (steps, broken, offBy) => {
        const scratch = views.scratch()
        const model = new Model(scratch, offBy)
        const { world } = model
        await world.policy({ maxClips: 2, gapSeconds: 60 })
        for (const id of clips) await world.clip(id)
        for (const id of episodes) await world.episode(id)
        for (const one of steps) await one(model)
        await world.settled()

        world.faults.length = 0
        // Pauses after faults are over.
        await world.clock.advance(2 * MINUTE)
        await model.onPolicy('Resume')
        await model.onPolicy('ReleaseWaitingClips')
        for (const id of clips) for (const type of ['Include', 'Retry'] as const) await model.onClip(id, type)
        for (const id of episodes)
          for (const type of ['Include', 'Retry'] as const) await model.onEpisode(id, type)
        await world.researcher('r0', 300 * 86_400)
        await model.hearAll()
        await model.drain(broken)

        const isBroken = (episode: string, clip: string) =>
          episode === broken.episode ||
          clip === broken.clip ||
          (episode === broken.pair?.[0] && clip === broken.pair[1])
        const all = episodes.flatMap((episode) => clips.map((clip) => [episode, clip] as const))
        const whole = all.filter(([episode, clip]) => !isBroken(episode, clip))
        const { done } = await model.audit()
        for (const pair of whole) expect(done).toContain(pairOf(...pair))

        // What is parked waits for a person, and for nothing else.
        if (broken.episode !== undefined) await model.onEpisode(broken.episode, 'Retry')
        if (broken.clip !== undefined) await model.onClip(broken.clip, 'Retry')
        if (broken.pair !== undefined) await model.onEpisode(broken.pair[0], 'Retry')
        await model.drain({ episode: undefined, clip: undefined, pair: undefined })
        await Promise.all(model.running.map((one) => one.stop()))
        const end = await model.audit()
        for (const pair of all) expect(end.done).toContain(pairOf(...pair))
        expect(end.wrong).toEqual([])
        const results = model.takenIn.filter(({ type }) => type === 'clip.researched').map(({ id }) => id)
        expect(end.results.toSorted()).toEqual([...new Set(results)].toSorted())
        scratch.close()
      },
    ),
    { numRuns: runs(120) },
  )
})
