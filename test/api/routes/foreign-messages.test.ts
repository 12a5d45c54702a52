import { isRight } from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import { readMessage } from '../../../src/domain/kernel/cloud-event.ts'
import type { Command } from '../../../src/domain/kernel/decider.ts'
import { topicsOf } from '../../../src/workflows/workflow-model.ts'
import { startServer } from '../server.ts'

/* Whoever sends messages over HTTP names files of this machine only where its settings do. */

const name = 'a.warc'
const media = {
  id: 'x',
  title: 'An episode',
  mediaType: 'audio/mpeg',
  curator: 'ada',
  priority: 0,
  curatedAt: '2026-01-01T00:00:00Z',
}

/** What a message over HTTP comes to, with one source and no folder of media. */
const decided = async (topicName: string, type: string, data: object, source = 'fonds://here') => {
  const { system, post } = await startServer({ settings: { indexingSources: 'main=/srv/warcs' } })
  const sent = { specversion: '1.0', id: '1', source, foreign: 'false', type, data }
  const answer = await post(`/api/v1/topics/${topicName}/messages`, sent, {
    'content-type': 'application/cloudevents+json',
  })
  expect(answer.status).toBe(202)
  const { partition } = answer.body.accepted[0]
  const records = await system.broker.peek(topicName, partition, 0n, 1)()
  if (!isRight(records)) throw new Error('the topic cannot be read')
  const topic = topicsOf(system.workflows).find((one) => one.name === topicName)!
  const message = readMessage({ log: 'log', ...records.right[0]! }, topic)
  if (!isRight(message)) throw new Error(message.left.message)
  const processor = system.workflows
    .flatMap(({ processors }) => processors(system))
    .find(({ topics }) => topics.includes(topic))!
  const [[route] = []] = await processor.route([message.right])
  const { decider, command } = route as unknown as {
    decider: { initial: unknown; decide: (command: Command, state: unknown) => unknown }
    command: Command
  }
  return decider.decide(command, decider.initial)
}

it.each([
  ['fonds.indexing.files', 'file.sighted', { repository: 'main', name, location: '/etc/hostname' }],
  ['fonds.indexing.files', 'file.adopted', { repository: 'main', name, location: 'file:///etc/hostname' }],
  ['fonds.research.episodes', 'episode.curated', { ...media, mediaUri: 'file:///etc/hostname' }],
  ['fonds.research.clips', 'clip.curated', { ...media, mediaUri: 'file:///etc/hostname' }],
])(
  'on %s %s with a file of the machine is rejected, though it says that it is from here',
  async (topic, type, data) =>
    expect(await decided(topic, type, data)).toMatchObject({
      left: {
        code: 'foreign-location',
        message: expect.stringMatching(
          /\/etc\/hostname is a file of this machine.* unless FONDS_\w+ names its/,
        ),
      },
    }),
)

it('who gives himself out as the chain is no less foreign', async () => {
  const data = { repository: 'storage', name, location: '/etc/hostname' }
  expect(await decided('fonds.indexing.files', 'file.sighted', data, 'fonds://chain')).toMatchObject({
    left: { code: 'foreign-location' },
  })
})

it.each([
  [{ location: '/srv/warcs/a.warc' }, 'beneath a source of ours'],
  [{ location: 'http://10.0.0.1/a.warc' }, 'on a server'],
])('%o, %s, is taken, and marked', async (place) =>
  expect(
    await decided('fonds.indexing.files', 'file.sighted', { repository: 'main', name, ...place }),
  ).toMatchObject({ right: [{ type: 'FileDiscovered', data: { ...place, foreign: true } }] }),
)

it.each([
  ['fonds.research.episodes', 'episode.curated'],
  ['fonds.research.clips', 'clip.curated'],
])('media that %s names on a server are taken, and marked', async (topic, type) =>
  expect(await decided(topic, type, { ...media, mediaUri: 'http://10.0.0.1/a.mp3' })).toMatchObject({
    right: [{ type: 'Curated', data: { mediaUri: 'http://10.0.0.1/a.mp3', foreign: true } }],
  }),
)

it('a submission is a stranger’s, whatever it says of itself', async () => {
  const submission = {
    batch: '5b0c6f3e-8a4d-4f0e-9d59-3a1f0c9d7e21',
    profile: 'default',
    submitter: 'ada',
    payload: { url: 'file:///etc/hostname' },
    mode: 'add',
    foreign: false,
  }
  expect(await decided('fonds.ingest.submissions', 'batch.submitted', submission)).toMatchObject({
    right: [{ type: 'BatchSubmitted', data: { submission: { foreign: true } } }],
  })
})
