import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { System } from '#src/app/system.ts'
import { ensureTopics } from '#src/app/topics.ts'
import { waitUntilIdle } from '#src/app/wait-until-idle.ts'
import { orThrow } from '#src/async/unavailable.ts'
import { writeMessage } from '#src/domain/kernel/cloud-event.ts'
import type { TopicSpec } from '#src/domain/kernel/message.ts'
import { clipsTopic, episodesTopic } from '#src/domain/research/curation-messages.ts'
import { researchersTopic } from '#src/domain/research/researcher-messages.ts'
import { started, testSystem } from '../app/archive.ts'
import { ask, run } from '../e2e/run-here.ts'
import { filesWith } from '../files-with.ts'
import { allEvents, asText, by, erase, foreignRecord, give, on } from './erasing-world.ts'

/* Q45: each place that had names is looked through, of one archive in which all of them work. */

const researcher = 'Ada-the-listener'
const curator = 'Ada-the-curator'

const plainRecords = (system: System) => {
  const message = (topic: TopicSpec, type: string, data: object) =>
    writeMessage({ id: `m-${type}`, source: 'urn:other', type, time: system.clock.now(), data }, topic)
  const curated = (id: string) => ({
    ...{ id, title: id, mediaUri: `https://media.example/${id}.mp3`, mediaType: 'audio/mpeg' },
    ...{ curator, curatedAt: '2026-01-01T00:00:00.000Z' },
  })
  const good = foreignRecord(system, {})
  return [
    message(researchersTopic, 'researcher.registered', { researcher, at: system.clock.now() }),
    message(episodesTopic, 'episode.curated', curated('episode-1')),
    message(clipsTopic, 'clip.curated', curated('clip-1')),
    good,
    {
      ...good,
      headers: { ...good.headers, ce_id: 'bad', note: 'Ada-the-header' },
      value: '{"Ada-the-writer"',
    },
  ]
}

/** In an archive of its own: what another system put there, and all that came of it. */
const working = async (roles: Parameters<typeof started>[1]) => {
  const system = await testSystem(on, { keepsHistory: true })
  await ensureTopics(system, true)
  const given = (await testSystem({ home: system.config.home })).broker
  await orThrow(given.produce(plainRecords(system)))
  await started(system, roles)
  await give(system, 'ingest.pause', {})
  await waitUntilIdle(system)
  return system
}

const topicText = async ({ broker }: System, name: string): Promise<string> => {
  const [topic] = (await orThrow(broker.topics())).filter((one) => one.name === name)
  const all = await Promise.all(
    topic!.offsets.map(({ partition }) => orThrow(broker.peek(name, partition, 0n, 1000))),
  )
  return asText(all.flat().map(({ key, headers, value }) => [key, headers, String(value)]))
}

test('log, relay, topics, work items, dead letters, snapshots, the past of views, reports and a new backup', async () => {
  const system = await working(['processors', 'reactions', 'projections', 'relay'])
  const { home } = system.config
  const env = { FONDS_PERSONAL_VALUES: 'on' }
  const words = ['Ada-the', 'brandt.ada', 'Ada Brandt', 'Ada telephoned']
  const log = asText(await allEvents(system))
  expect(log).toContain('researcher-personal:')
  for (const word of words) expect(log).not.toContain(word)
  const before = (await orThrow(system.eventStore.head())).toString()

  for (const person of ['Ada', 'brandt.ada']) await erase(system, { person, mentions: true })
  await waitUntilIdle(system)
  for (const name of ['fonds.research.events', 'fonds.ingest.events', 'fonds.research.researchers']) {
    const text = await topicText(system, name)
    expect(text).toContain('personal:')
    for (const word of words) expect(text).not.toContain(word)
  }
  expect(await topicText(system, 'fonds.research.work-items')).not.toContain('Ada')

  const [past] = await ask(['query', 'research-researchers', '--as-of', before], { home, env })
  expect(past.researcher).toMatch(/^\[erased on /)
  const saved = join(home, 'saved')
  mkdirSync(saved)
  for (const asked of [
    ['query', 'research-episodes', '--format', 'csv', '--output', join(saved, 'episodes.csv')],
    ['fixity', 'report', '--html', join(saved, 'report.html')],
    ['premis', 'episode-1', '--output', join(saved, 'episode.xml')],
  ])
    await run(asked, { home, env })
  expect(readdirSync(saved)).not.toEqual([])

  const copy = join(home, '..', `${basename(home)}-backup`)
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }))
  expect(await run(['backup', copy], { home, env })).toMatchObject({ code: 0 })
  for (const word of ['Ada-the-', 'brandt.ada', 'Ada Brandt', 'Ada telephoned'])
    for (const folder of [home, copy]) expect([word, filesWith(folder, word)]).toEqual([word, []])
  expect(by.actor).toContain('Ada Brandt')
})

test('ids of events are not made of names: another archive has others of the same message, or the same of another name', async () => {
  const idsFor = async (name: string) => {
    const system = await testSystem(on)
    await ensureTopics(system)
    const data = { researcher: name, at: '2026-01-01T00:00:00.000Z' }
    const message = { id: 'm1', source: 'urn:s', type: 'researcher.registered', time: data.at, data }
    await orThrow(system.broker.produce([writeMessage(message, researchersTopic)]))
    await started(system, ['processors', 'reactions', 'projections'])
    await waitUntilIdle(system)
    return (await allEvents(system)).filter(({ type }) => type === 'ResearcherRegistered').map(({ id }) => id)
  }
  const [one, again, other] = [await idsFor(researcher), await idsFor(researcher), await idsFor('Ben')]
  expect(one).toHaveLength(1)
  expect(one[0] === again[0] && one[0] !== other[0]).toBe(false)
})
