import { describe, expect, it } from 'vitest'
import { clipsTopic, episodesTopic } from '#src/domain/research/curation-messages.ts'
import { curationProcessor } from '#src/processors/research/curation-processor.ts'
import { intakeWorld, messageOn, routesOf, start } from './intake-world.ts'

const [earlier, later] = ['2025-12-31T12:00:00.000Z', '2027-01-31T12:00:00.000Z']

const world = () => {
  const intake = intakeWorld()
  return { ...intake, processor: curationProcessor(intake.clock, () => undefined) }
}

describe('what a curator saw becomes a command on the stream of that alone', () => {
  const said = {
    title: 'Episode 4611',
    mediaUri: 'https://media.example/4611.mp3',
    mediaType: 'audio/mpeg',
    curator: 'podcast-feed',
    priority: 0,
  }

  it.each([
    ['episode.curated', episodesTopic, 'episode-x'],
    ['clip.curated', clipsTopic, 'clip-x'],
  ] as const)('%s', async (type, topic, stream) => {
    const { processor } = world()
    const dates = { curatedAt: earlier, firstCuratedAt: '2024-01-01T00:00:00.000Z' }
    const data = { ...said, id: 'x', description: 'long', priority: 7, ...dates }
    expect(await routesOf(processor, messageOn(topic, type, data))).toMatchObject([
      {
        stream,
        command: {
          type: 'Curate',
          details: { ...said, description: 'long', priority: 7 },
          ...dates,
          actor: 'https://producer.example',
          at: start,
        },
      },
    ])
  })

  it.each([
    ['episode.withdrawn', episodesTopic, 'episode-x'],
    ['clip.withdrawn', clipsTopic, 'clip-x'],
  ] as const)('%s', async (type, topic, stream) => {
    const { processor } = world()
    const data = { id: 'x', curator: 'site', withdrawnAt: earlier, reason: 'gone' }
    expect(await routesOf(processor, messageOn(topic, type, data))).toMatchObject([
      { stream, command: { type: 'Withdraw', curator: 'site', reason: 'gone', at: earlier } },
    ])
  })

  it('one a message, in their order', async () => {
    const { processor } = world()
    const messages = ['a', 'b', 'a'].map((id) => messageOn(clipsTopic, 'clip.curated', { id }))
    expect((await processor.route(messages)).map((routes) => routes.map(({ stream }) => stream))).toEqual([
      ['clip-a'],
      ['clip-b'],
      ['clip-a'],
    ])
  })
})

describe('times', () => {
  const atOf = async (time: string) => {
    const [route] = await routesOf(
      world().processor,
      messageOn(episodesTopic, 'episode.curated', {}, { time }),
    )
    return route?.command.at
  }

  it('X12, F26: what is seen counts from its intake, whatever the message says; what is withdrawn, not later', async () => {
    expect(await atOf(earlier)).toBe(start)
    expect(await atOf(later)).toBe(start)
    const [route] = await routesOf(
      world().processor,
      messageOn(clipsTopic, 'clip.withdrawn', { withdrawnAt: later }),
    )
    expect(route?.command.at).toBe(start)
  })

  it('a curator whose clock runs ahead does not come first, nor keep later words out', async () => {
    const { processor, take, eventsOf, clock } = world()
    const curated = (curatedAt: string, title: string, id: string) =>
      messageOn(episodesTopic, 'episode.curated', { id: 'x', curatedAt, title }, { id, time: curatedAt })
    expect(await take(processor, curated(later, 'First', 'm1'))).toEqual([['Curated']])
    await clock.advance(1000)
    expect(await take(processor, curated(clock.now(), 'Second', 'm2'))).toEqual([['Amended']])
    expect((await eventsOf('episode-x'))[0]?.data).toMatchObject({ firstCuratedAt: start, curatedAt: start })
  })
})

it('L16, F21: seen again, the latest date moves alone; withdrawn it is back when it is seen', async () => {
  const { processor, take } = world()
  const see = (id: string, type: string, data: object) =>
    take(processor, messageOn(clipsTopic, type, { id: 'x', ...data }, { id }))
  expect(await see('m1', 'clip.curated', { curatedAt: earlier })).toEqual([['Curated']])
  expect(await see('m1', 'clip.curated', { curatedAt: earlier })).toEqual([[]])
  expect(await see('m2', 'clip.curated', { curatedAt: start })).toEqual([['Recurated']])
  expect(await see('m3', 'clip.curated', { curatedAt: earlier })).toEqual([['older-sighting']])
  expect(await see('m4', 'clip.withdrawn', {})).toEqual([['Withdrawn']])
  expect(await see('m5', 'clip.curated', { curatedAt: start })).toEqual([['Amended']])
})
