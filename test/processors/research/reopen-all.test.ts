import { describe, expect, it } from 'vitest'
import type { RecordedEvent } from '#src/domain/kernel/event.ts'
import { episodeDecider } from '#src/domain/research/episode/decide.ts'
import type { RequestReopen } from '#src/domain/research/policy/commands.ts'
import { policyDecider } from '#src/domain/research/policy/decide.ts'
import { episodeStream, policyStream } from '#src/domain/research/terms.ts'
import { reopenAll } from '#src/processors/research/reopen-all.ts'
import { intakeWorld, sighting, viewsOf } from './intake-world.ts'

const world = () => {
  const intake = intakeWorld()
  const { viewStore, fold } = viewsOf(intake)
  const reached: bigint[] = []
  const reaction = reopenAll(viewStore, async (position) => {
    reached.push(position)
    await fold()
  })
  const by = () => ({ actor: 'ada', at: intake.clock.now() })
  return {
    ...intake,
    reached,
    curate: (episode: string) =>
      intake.give(episodeDecider, episodeStream(episode), { ...sighting, ...by() }),
    report: (episode: string, clip: string, version = '1') =>
      intake.give(episodeDecider, episodeStream(episode), {
        type: 'Report',
        result: {
          clip,
          researcher: 'r',
          matches: [],
          episodeDuration: 1,
          clipDuration: 1,
          engine: { name: 'correlator', version, settings: '' },
          researchedAt: intake.clock.now(),
        },
        ...by(),
      }),
    /** The event that asks for it. */
    request: async (which: Pick<RequestReopen, 'engines' | 'clips'> = {}): Promise<RecordedEvent> => {
      await intake.give(policyDecider, policyStream, {
        type: 'RequestReopen',
        ...which,
        reason: 'a better engine',
        ...by(),
      })
      return (await intake.eventsOf(policyStream)).at(-1)!
    },
    /** Lets the reaction have its effect: the streams it asked, a page each, and those that it changed. */
    hear: async (event: RecordedEvent) => {
      const asked: string[][] = []
      const changed: string[] = []
      for await (const routes of reaction.react(event, new AbortController().signal)) {
        asked.push(routes.map(({ stream }) => stream))
        for (const route of routes)
          if ((await intake.run(route, event.id)).kind === 'done') changed.push(route.stream)
      }
      return { asked, changed }
    },
  }
}

describe('X9: a request to reopen reaches every episode that has results', () => {
  it('whole, with who wants it, when and why', async () => {
    const { curate, report, request, hear, eventsOf, reached } = world()
    await curate('a')
    await curate('untouched')
    await report('a', 'x')
    await report('never curated', 'x')
    const event = await request()
    expect((await hear(event)).changed).toEqual(['episode-a', 'episode-never curated'])
    expect(reached).toEqual([event.position])
    expect((await eventsOf('episode-a')).at(-1)).toMatchObject({
      type: 'Reopened',
      data: { reason: 'a better engine', at: event.recordedAt },
      metadata: { actor: 'ada', causationId: event.id },
    })
    expect((await eventsOf('episode-untouched')).map(({ type }) => type)).toEqual(['Curated'])
  })

  it('of an engine and a clip: those alone', async () => {
    const { report, request, hear, eventsOf } = world()
    await report('a', 'x')
    await report('b', 'y')
    await report('c', 'x', '2')
    const which = { engines: ['correlator 1'], clips: ['x'] }
    expect((await hear(await request(which))).changed).toEqual(['episode-a'])
    expect((await eventsOf('episode-a')).at(-1)?.data).toMatchObject(which)
  })

  it('once: heard again it changes nothing, also where pairs were researched since', async () => {
    const { report, request, hear, clock } = world()
    await report('a', 'x')
    const event = await request()
    expect((await hear(event)).changed).toEqual(['episode-a'])
    await clock.advance(1000)
    await report('a', 'x')
    // Which had no results when it was asked for, so that nothing in its stream tells of the request.
    await report('b', 'x')
    expect(await hear(event)).toEqual({ asked: [['episode-a', 'episode-b']], changed: [] })
    expect((await hear(await request())).changed).toEqual(['episode-a', 'episode-b'])
  })

  it('a page at a time, in the order of their ids', async () => {
    const { report, request, hear } = world()
    const ids = Array.from({ length: 501 }, (_, i) => `e${String(i).padStart(3, '0')}`)
    for (const id of ids) await report(id, 'x')
    const { asked, changed } = await hear(await request())
    expect(asked.map(({ length }) => length)).toEqual([500, 1])
    expect(changed).toEqual(ids.map((id) => `episode-${id}`))
  })

  it('and nobody where there are no results', async () => {
    const { curate, request, hear } = world()
    await curate('a')
    expect((await hear(await request())).asked.flat()).toEqual([])
  })
})

it('other events of the policy are nothing to it', async () => {
  const intake = world()
  await intake.report('a', 'x')
  await intake.give(policyDecider, policyStream, {
    type: 'Pause',
    reason: 'lunch',
    actor: 'ada',
    at: intake.clock.now(),
  })
  const [paused] = await intake.eventsOf(policyStream)
  expect((await intake.hear(paused!)).asked).toEqual([])
})
