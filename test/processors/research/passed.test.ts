import { describe, expect, it } from 'vitest'
import { addMillis, DAY, SECOND } from '#src/domain/kernel/time.ts'
import { clipDecider } from '#src/domain/research/clip/decide.ts'
import { episodeDecider } from '#src/domain/research/episode/decide.ts'
import { defaultPolicy } from '#src/domain/research/policy/policy.ts'
import { researcherDecider } from '#src/domain/research/researcher/decide.ts'
import { clipStream, episodeStream, researcherStream } from '#src/domain/research/terms.ts'
import { clockAhead } from '#src/processors/research/clock-ahead.ts'
import { passed } from '#src/processors/research/passed.ts'
import { runTicker } from '#src/processors/runtime/ticker.ts'
import { intakeWorld, sighting, start, viewsOf } from './intake-world.ts'

const { leaseSeconds, itemSeconds, presenceSeconds } = defaultPolicy

const world = () => {
  const intake = intakeWorld()
  const { viewStore, fold } = viewsOf(intake)
  const by = () => ({ actor: 'r', at: intake.clock.now() })
  const ahead = { viewStore, clock: intake.clock, policy: async () => defaultPolicy }
  const lists = [...passed(viewStore), ...clockAhead(ahead)]
  return {
    ...intake,
    fold,
    grant: async (lease: string) => {
      await intake.give(episodeDecider, episodeStream(lease), { ...sighting, ...by() })
      await intake.give(episodeDecider, episodeStream(lease), {
        type: 'Grant',
        policy: { ...defaultPolicy, version: 0 },
        leases: [{ lease, clips: ['a'] }],
        ...by(),
      })
    },
    on: (lease: string, type: 'Take' | 'Extend') =>
      intake.give(episodeDecider, episodeStream(lease), { type, lease, researcher: 'r', ...by() }),
    say: (type: 'Beat' | 'Leave') =>
      intake.give(researcherDecider, researcherStream('r'), { type, presenceSeconds, ...by() }),
    causes: async () => {
      const found = await Promise.all(lists.map((list) => list.passed(intake.clock.now())))
      return found.flat().map(({ causationId }) => causationId)
    },
    /** So many looks of the ticker at the views as they are. */
    tick: async (times = 1) => {
      const ticker = runTicker(lists, intake)
      await ticker.stop()
      for (let i = 1; i < times; i++) await ticker.tick()
    },
  }
}

it('before the views were ever folded there is nothing to write', async () => {
  expect(await world().causes()).toEqual([])
})

describe('leases', () => {
  it('F3, L29: that nobody took lapse, then expire; each is written once, however old the views', async () => {
    const { grant, fold, tick, clock, typesOf, causes } = world()
    await grant('l')
    await fold()
    await clock.advance(itemSeconds * SECOND - 1)
    expect(await causes()).toEqual([])
    await clock.advance(1)
    expect(await causes()).toEqual([`lease/l#lapsed@${addMillis(start, itemSeconds * SECOND)}`])
    await tick(2)
    await clock.advance((leaseSeconds - itemSeconds) * SECOND)
    await tick(2)
    expect(await typesOf('episode-l')).toEqual(['Curated', 'LeaseGranted', 'WorkItemLapsed', 'LeaseExpired'])
    await fold()
    expect(await causes()).toEqual([])
  })

  it('that lapsed long ago still expire', async () => {
    const { grant, fold, tick, clock, typesOf, causes } = world()
    await grant('l')
    await clock.advance(itemSeconds * SECOND)
    await fold()
    await tick()
    await fold()
    await clock.advance(leaseSeconds * SECOND)
    expect(await causes()).toEqual([`lease/l#expired@${addMillis(start, leaseSeconds * SECOND)}`])
    await tick()
    expect((await typesOf('episode-l')).at(-1)).toBe('LeaseExpired')
  })

  it('L41: whose researcher fell silent expire when the last extension has', async () => {
    const { grant, on, fold, tick, clock, typesOf, causes } = world()
    await grant('l')
    await on('l', 'Take')
    await clock.advance(60 * SECOND)
    await fold()
    await on('l', 'Extend')
    await clock.advance((leaseSeconds - 60) * SECOND)
    // The views are behind, the stream is not.
    expect(await causes()).toHaveLength(1)
    await tick()
    expect((await typesOf('episode-l')).at(-1)).toBe('LeaseExtended')
    await fold()
    expect(await causes()).toEqual([])
    await clock.advance(60 * SECOND)
    expect(await causes()).toEqual([`lease/l#expired@${addMillis(start, (leaseSeconds + 60) * SECOND)}`])
    await tick()
    expect((await typesOf('episode-l')).at(-1)).toBe('LeaseExpired')
  })

  it('of other episodes are each noted in their own stream', async () => {
    const { grant, fold, tick, clock, typesOf } = world()
    await grant('l')
    await grant('m')
    await clock.advance(leaseSeconds * SECOND)
    await fold()
    await tick()
    expect((await typesOf('episode-l')).at(-1)).toBe('LeaseExpired')
    expect((await typesOf('episode-m')).at(-1)).toBe('LeaseExpired')
  })
})

describe('researchers', () => {
  it('that are silent for too long are gone, and that is written once a silence', async () => {
    const { say, fold, tick, clock, typesOf, causes } = world()
    await say('Beat')
    await fold()
    await clock.advance(presenceSeconds * SECOND)
    expect(await causes()).toEqual([`researcher/r#silent@${clock.now()}`])
    await tick(2)
    await fold()
    expect(await causes()).toEqual([])
    await say('Beat')
    await fold()
    await clock.advance(presenceSeconds * SECOND)
    await tick()
    expect(await typesOf('researcher-r')).toEqual([
      'ResearcherRegistered',
      'ResearcherGone',
      'ResearcherRegistered',
      'ResearcherGone',
    ])
  })

  it('F26: that are there until tomorrow, by a clock that ran ahead, are gone once they were silent for their time', async () => {
    const { say, fold, tick, clock, typesOf, causes } = world()
    clock.putForth(DAY)
    await say('Beat')
    clock.putForth(-DAY)
    await fold()
    expect(await causes()).toEqual([])
    await clock.advance(presenceSeconds * SECOND - 1)
    expect(await causes()).toEqual([])
    await clock.advance(1)
    expect(await causes()).toHaveLength(1)
    await clock.advance(presenceSeconds * SECOND)
    await tick(2)
    expect(await typesOf('researcher-r')).toEqual(['ResearcherRegistered', 'ResearcherGone'])
  })

  it('that left are gone already', async () => {
    const { say, fold, clock, causes } = world()
    await say('Beat')
    await say('Leave')
    await fold()
    await clock.advance(presenceSeconds * SECOND)
    expect(await causes()).toEqual([])
  })
})

it('F26: what a clock that ran ahead has tried again tomorrow is tried again now, and what fails now is not', async () => {
  const { give, fold, tick, clock, typesOf, causes } = world()
  const fail = (clip: string) =>
    give(clipDecider, clipStream(clip), {
      type: 'Fail',
      stage: 'download',
      error: 'away',
      episode: 'e',
      researcher: 'r',
      policy: defaultPolicy,
      actor: 'r',
      at: clock.now(),
    })
  await fail('now')
  clock.putForth(DAY)
  await fail('tomorrow')
  clock.putForth(-DAY)
  await fold()
  expect(await causes()).toHaveLength(1)
  await tick()
  expect(await typesOf('clip-tomorrow')).toEqual(['ClipFailed', 'Retried'])
  expect(await typesOf('clip-now')).toEqual(['ClipFailed'])
  await fold()
  expect(await causes()).toEqual([])
})
