import { describe, expect, it } from 'vitest'
import { addMillis, SECOND } from '#src/domain/kernel/time.ts'
import { episodeDecider } from '#src/domain/research/episode/decide.ts'
import { policyDecider } from '#src/domain/research/policy/decide.ts'
import { defaultPolicy } from '#src/domain/research/policy/policy.ts'
import type { ResearcherCommand } from '#src/domain/research/researcher/commands.ts'
import { researcherDecider } from '#src/domain/research/researcher/decide.ts'
import { resultsTopic } from '#src/domain/research/result-messages.ts'
import { episodeStream, policyStream, researcherStream } from '#src/domain/research/terms.ts'
import { blockedLookup } from '#src/processors/research/blocked-lookup.ts'
import { policyLookup } from '#src/processors/research/policy-lookup.ts'
import { resultsProcessor } from '#src/processors/research/results-processor.ts'
import { executor } from '#src/processors/runtime/execute.ts'
import { routeTo } from '#src/processors/runtime/route.ts'
import { streamStates } from '#src/processors/runtime/stream-states.ts'
import { intakeWorld, messageOn, routesOf, sighting, start } from './intake-world.ts'

const [long, later] = ['2025-12-31T12:00:00.000Z', '2027-01-31T12:00:00.000Z']
const by = { actor: 'https://producer.example', at: start }

const world = () => {
  const intake = intakeWorld()
  const { clock, states } = intake
  const processor = resultsProcessor(policyLookup(states), blockedLookup(states), clock, states)
  return {
    ...intake,
    processor,
    say: (type: string, data: object, id: string) =>
      intake.take(processor, messageOn(resultsTopic, type, data, { id, time: long })),
    /** An episode whose clips are leased. */
    grant: async (lease: string, clips: readonly string[]) => {
      const by = { actor: 'fonds/assigner', at: intake.clock.now() }
      await intake.give(episodeDecider, episodeStream('e'), { ...sighting, ...by })
      await intake.give(episodeDecider, episodeStream('e'), {
        type: 'Grant',
        policy: { ...defaultPolicy, version: 0 },
        leases: [{ lease, clips }],
        ...by,
      })
    },
  }
}
const message = (type: string, data: object = {}) => messageOn(resultsTopic, type, data, { time: long })

describe('what a researcher reports becomes a command on the stream of its episode', () => {
  it('clip.researched, at the time of its intake (F12, F26)', async () => {
    const routes = await routesOf(world().processor, message('clip.researched', { researchedAt: long }))
    expect(routes).toMatchObject([
      {
        stream: 'episode-tbtl-4611',
        command: {
          type: 'Report',
          result: { clip: 'gurgle-17', researcher: 'listener-1', researchedAt: long, final: false },
          ...by,
        },
      },
    ])
    expect(routes[0]?.command).not.toHaveProperty('result.episode')
  })

  it('item.taken and lease.released', async () => {
    const said = { episode: 'e', lease: 'l', researcher: 'r' }
    expect(await routesOf(world().processor, message('item.taken', said))).toMatchObject([
      { stream: 'episode-e', command: { type: 'Take', lease: 'l', researcher: 'r', ...by } },
    ])
    expect(
      await routesOf(world().processor, message('lease.released', { ...said, reason: 'x' })),
    ).toMatchObject([
      { stream: 'episode-e', command: { type: 'Release', lease: 'l', researcher: 'r', reason: 'x', ...by } },
    ])
  })

  it.each([
    ['episode', undefined],
    ['pair', 'c'],
  ])('X8: research.failed of an %s concerns the episode alone', async (subject, clip) => {
    expect(await routesOf(world().processor, message('research.failed', { subject, clip }))).toMatchObject([
      {
        stream: 'episode-tbtl-4611',
        command: { type: 'Fail', failure: { subject }, policy: defaultPolicy, ...by },
      },
    ])
  })

  it('X8: research.failed of a clip concerns the clip too', async () => {
    const failed = {
      subject: 'clip',
      clip: 'c',
      stage: 'decode',
      error: 'HTML',
      episode: 'e',
      researcher: 'r',
    }
    const routes = await routesOf(world().processor, message('research.failed', failed))
    expect(routes).toMatchObject([
      { stream: 'episode-e', command: { type: 'Fail', failure: { subject: 'clip', clip: 'c' } } },
      {
        stream: 'clip-c',
        command: {
          type: 'Fail',
          stage: 'decode',
          error: 'HTML',
          episode: 'e',
          researcher: 'r',
          policy: defaultPolicy,
          ...by,
        },
      },
    ])
  })

  it('one list of commands a message, in their order', async () => {
    const { processor } = world()
    const routes = await processor.route([
      message('clip.researched', { episode: 'a' }),
      message('research.failed', { episode: 'b', subject: 'clip', clip: 'c' }),
      message('item.taken', { episode: 'a' }),
    ])
    expect(routes.map((some) => some.map(({ stream }) => stream))).toEqual([
      ['episode-a'],
      ['episode-b', 'clip-c'],
      ['episode-a'],
    ])
  })
})

describe('leases', () => {
  const result = { episode: 'e', lease: 'l', researcher: 'r' }
  const researchedAts = async (intake: ReturnType<typeof world>) =>
    (await intake.eventsOf('episode-e')).map(({ data }) => (data as { researchedAt: unknown }).researchedAt)
  const effects = async (intake: ReturnType<typeof world>) =>
    (await intake.eventsOf('episode-e'))
      .filter(({ type }) => type === 'ClipResearched')
      .map(({ data }) => (data as { effect: unknown }).effect)

  it('L33, L36: a result extends its lease from its intake, a final one ends it', async () => {
    const intake = world()
    await intake.grant('l', ['a', 'b'])
    await intake.clock.advance(600 * SECOND)
    await intake.say('clip.researched', { ...result, clip: 'a' }, 'm1')
    await intake.say('clip.researched', { ...result, clip: 'b', final: true }, 'm2')
    expect(await effects(intake)).toEqual([
      { kind: 'extended', deadline: addMillis(start, (600 + defaultPolicy.leaseSeconds) * SECOND) },
      { kind: 'revoked' },
    ])
  })

  it('F12, F26: a result that waited beyond the deadline is stored, and extends nothing', async () => {
    const intake = world()
    await intake.grant('l', ['a'])
    await intake.clock.advance(defaultPolicy.leaseSeconds * SECOND)
    expect(await intake.say('clip.researched', { ...result, clip: 'a', researchedAt: start }, 'm1')).toEqual([
      ['LeaseExpired', 'ClipResearched'],
    ])
    expect(await effects(intake)).toEqual([{ kind: 'none', because: 'expired' }])
  })

  it('F26: a researcher whose clock runs ahead found nothing later than now', async () => {
    const intake = world()
    await intake.say('clip.researched', { ...result, researchedAt: later }, 'm1')
    expect(await researchedAts(intake)).toEqual([start])
  })

  it('F14, F27: of an unknown episode and clip, without a lease: kept, once', async () => {
    const intake = world()
    const unknown = { episode: 'e', clip: 'x', lease: undefined }
    expect(await intake.say('clip.researched', unknown, 'm1')).toEqual([['ClipResearched']])
    expect(await intake.say('clip.researched', unknown, 'm1')).toEqual([[]])
    expect(await effects(intake)).toEqual([{ kind: 'none', because: 'no-lease' }])
  })
})

describe('X5: who is blocked', () => {
  const item = { episode: 'e', lease: 'l', researcher: 'r' }

  /** A researcher that is known here, of which another process tells. */
  const watched = async () => {
    const intake = world()
    await intake.grant('l', ['a', 'b'])
    const elsewhere = executor(intake.eventStore, streamStates(intake.eventStore))
    const tell = async (command: ResearcherCommand, id: string) => {
      const { decider, stream } = routeTo(researcherDecider, researcherStream('r'), command)
      const cause = { causationId: id, correlationId: id }
      await elsewhere(decider, { stream, command: command as never, ...cause })
    }
    await tell({ type: 'Register', presenceSeconds: 180, ...by }, 'register')
    return {
      ...intake,
      turn: (type: 'Block' | 'Unblock') => tell({ type, reason: 'odd results', ...by }, type),
    }
  }

  it('takes nothing, from the moment another process says so; others and what it reports are as ever', async () => {
    const { say, turn } = await watched()
    // That it is not blocked is known here from now on.
    expect(await say('item.taken', { ...item, lease: 'nix' }, 'm0')).toEqual([['unknown-lease']])
    await turn('Block')
    expect(await say('item.taken', item, 'm1')).toEqual([['blocked']])
    expect(await say('item.taken', { ...item, researcher: 'nobody heard of it' }, 'm2')).toEqual([
      ['WorkItemTaken'],
    ])
    const result = { ...item, clip: 'a' }
    expect(await say('clip.researched', result, 'm3')).toEqual([['ClipResearched']])
  })

  it('takes again once it is unblocked', async () => {
    const { say, turn } = await watched()
    await turn('Block')
    expect(await say('item.taken', item, 'm1')).toEqual([['blocked']])
    await turn('Unblock')
    expect(await say('item.taken', item, 'm2')).toEqual([['WorkItemTaken']])
  })

  it('keeps what it took before: said again, that changes nothing', async () => {
    const { say, turn, typesOf } = await watched()
    expect(await say('item.taken', item, 'm1')).toEqual([['WorkItemTaken']])
    await turn('Block')
    expect(await say('item.taken', item, 'm1')).toEqual([[]])
    expect(await say('item.taken', item, 'm2')).toEqual([[]])
    expect(await typesOf('episode-e')).toEqual(['Curated', 'LeaseGranted', 'WorkItemTaken'])
  })

  it('is looked up once a batch, and only where items are taken', async () => {
    const { eventStore, processor } = await watched()
    const { read } = eventStore
    const reads: string[] = []
    eventStore.read = (...asked) => {
      reads.push(asked[0])
      return read(...asked)
    }
    await processor.route([message('item.taken', item), message('item.taken', item)])
    await processor.route([message('clip.researched', item), message('lease.released', item)])
    expect(reads).toEqual(['researcher-r'])
  })

  it('one whose stream was deleted is as one that nobody heard of; with the log away the item waits', async () => {
    const { say, turn, eventStore, processor } = await watched()
    await turn('Block')
    await eventStore.deleteStream('researcher-r', 'any', 'tombstone')()
    expect(await say('item.taken', item, 'm1')).toEqual([['WorkItemTaken']])
    eventStore.goAway()
    await expect(routesOf(processor, message('item.taken', item))).rejects.toMatchObject({
      name: 'UnavailableError',
    })
  })
})

describe('X8: the settings say how failures are borne', () => {
  const failed = { episode: 'e', subject: 'clip', clip: 'c', lease: undefined }

  it('attempts and back-off of a clip are those in force', async () => {
    const intake = world()
    await intake.give(policyDecider, policyStream, {
      type: 'SetPolicy',
      policy: { attempts: 2, backoffSeconds: 10 },
      actor: 'ada',
      reason: 'impatient',
      at: start,
    })
    expect(await intake.say('research.failed', failed, 'm1')).toEqual([['ResearchFailed'], ['ClipFailed']])
    await intake.clock.advance(10 * SECOND)
    expect(await intake.say('research.failed', failed, 'm2')).toEqual([['ResearchFailed'], ['ClipFailed']])
    const [first, second] = await intake.eventsOf('clip-c')
    expect(first?.data).toMatchObject({ attempt: 1, retryAt: addMillis(start, 10 * SECOND) })
    expect(second?.data).toMatchObject({ attempt: 2 })
    expect(second?.data).not.toHaveProperty('retryAt')
  })

  it('a result of a clip that failed has its failures forgotten; none else is looked at', async () => {
    const intake = world()
    const result = { episode: 'other', clip: 'c', lease: undefined }
    expect(await intake.say('clip.researched', result, 'm0')).toEqual([['ClipResearched']])
    await intake.say('research.failed', failed, 'm1')
    expect(await intake.say('clip.researched', { ...result, episode: 'e2' }, 'm2')).toEqual([
      ['ClipResearched'],
      ['Retried'],
    ])
    expect(await intake.say('clip.researched', { ...result, episode: 'e3' }, 'm3')).toEqual([
      ['ClipResearched'],
    ])
  })

  it('away: a failure waits, what needs no settings does not', async () => {
    const { processor, eventStore } = world()
    eventStore.goAway()
    await expect(routesOf(processor, message('research.failed', failed))).rejects.toMatchObject({
      name: 'UnavailableError',
    })
    expect(await routesOf(processor, message('clip.researched'))).toHaveLength(1)
  })
})
