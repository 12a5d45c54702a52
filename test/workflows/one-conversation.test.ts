import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, expect, it, vi } from 'vitest'
import type { System } from '#src/app/system.ts'
import { contentTopic } from '#src/domain/fixity/messages.ts'
import { worksTopic } from '#src/domain/matching/messages.ts'
import { clipsTopic, episodesTopic } from '#src/domain/research/curation-messages.ts'
import { itemQueue } from '#src/processors/research/items.ts'
import { startResearchers } from '#src/workers/research/start-researchers.ts'
import { reportOnTopic } from '#src/workers/runtime/report-on-topic.ts'
import { folderOf, registerFolder, started, testSystem } from '../app/archive.ts'
import { fakeTools } from '../workers/research/fakes.ts'

/* From one produced message to the last event that it led to: one correlation id, through our own workers too. */

/** Of streams whose name begins so, by type, with the conversation. */
const told = async (system: System, begin: string) => {
  const page = await system.eventStore.readAll(-1n, {}, 10_000)()
  if (isLeft(page)) throw new Error(JSON.stringify(page.left))
  return page.right.events
    .filter(({ stream }) => stream.startsWith(begin))
    .map(({ type, metadata }) => [type, metadata.correlationId] as const)
}

/** All events of the streams, once the last of these types is among them. */
const correlation = async (system: System, begin: string, types: readonly string[]) => {
  await vi.waitUntil(async () => {
    const found = new Set((await told(system, begin)).map(([type]) => type))
    return types.every((type) => found.has(type))
  })
  const events = await told(system, begin)
  return [...new Set(events.map(([, id]) => id))]
}

const roles = ['processors', 'reactions', 'projections'] as const

describe('a conversation', () => {
  it('of fixity: recorded, checked by a worker, decided, and what follows', async () => {
    const system = await testSystem()
    await registerFolder(system, 'main', await folderOf({ 'a.txt': 'A' }))
    await started(system, [...roles, 'workers'])
    const data = { store: 'main', path: 'a.txt', checksums: [], recordedFrom: 'test' }
    await reportOnTopic(system, contentTopic, 'https://test.example', [
      { id: 'first', type: 'content.recorded', data },
    ])
    const types = ['ContentRecorded', 'FixityDecided', 'ReauditRequested']
    expect(await correlation(system, 'fixity-', types)).toEqual(['first'])
  })

  it('of research: curated, leased, taken by a researcher, reported', async () => {
    const system = await testSystem()
    const { onViewChange } = await started(system, roles)
    const curated = (id: string) => ({
      id,
      title: id,
      mediaUri: `https://media.example/${id}`,
      mediaType: 'audio/wav',
      curator: 'feed',
      curatedAt: system.clock.now(),
    })
    await reportOnTopic(system, clipsTopic, 'https://test.example', [
      { type: 'clip.curated', data: curated('clip') },
    ])
    await reportOnTopic(system, episodesTopic, 'https://test.example', [
      { id: 'm1', correlationId: 'theirs', type: 'episode.curated', data: curated('episode') },
    ])
    const options = { concurrency: 1, threads: 1, onNewWork: onViewChange }
    const worker = startResearchers(system, options, fakeTools(), (hooks) =>
      itemQueue({ ...system, ...hooks }),
    )
    try {
      const types = ['Curated', 'LeaseGranted', 'WorkItemTaken', 'ClipResearched']
      expect(await correlation(system, 'episode-', types)).toEqual(['theirs'])
    } finally {
      await worker.stop(0)
    }
  })

  it('of matching: observed, in a graph, merged', async () => {
    const system = await testSystem()
    await started(system, roles)
    const work = {
      id: 'fern',
      source: 'herbarium',
      sourceVersion: 1,
      sourceModifiedAt: '2026-01-01T00:00:00.000Z',
      state: 'visible',
      links: [],
    }
    await reportOnTopic(system, worksTopic, 'https://test.example', [
      { id: 'first', type: 'work.updated', data: work },
    ])
    for (const [begin, type] of [
      ['work-', 'WorkObserved'],
      ['graph-', 'GraphChanged'],
      ['merged-', 'WorkMerged'],
    ] as const)
      expect(await correlation(system, begin, [type])).toEqual(['first'])
  })
})
