import { isRight } from 'fp-ts/lib/Either.js'
import { expect, it, vi } from 'vitest'
import { dispatch } from '#src/app/dispatch.ts'
import { streamsNamed } from '#src/app/streams-named.ts'
import type { System } from '#src/app/system.ts'
import { waitUntilIdle } from '#src/app/wait-until-idle.ts'
import { orThrow } from '#src/async/unavailable.ts'
import { isPersonal } from '#src/domain/kernel/personal.ts'
import { rows } from '#src/domain/kernel/read-views.ts'
import { clipsTopic, episodesTopic } from '#src/domain/research/curation-messages.ts'
import { researchersTopic } from '#src/domain/research/researcher-messages.ts'
import { engineExample, resultsTopic } from '#src/domain/research/result-messages.ts'
import { researcherStream } from '#src/domain/research/terms.ts'
import { anomalies, episodes, leases, researchers } from '#src/domain/research/views.ts'
import { reportOnTopic } from '#src/workers/runtime/report-on-topic.ts'
import { commandsOf } from '#src/workflows/workflow.ts'
import { startServer } from '../../api/server.ts'
import { ask } from '../../e2e/run-here.ts'
import { filesWith } from '../../files-with.ts'
import { patience } from '../../patience.ts'

/* Q44, Q45: names of researchers and curators are in the log by reference, and all that goes by names goes on. */

const ada = 'ada.brandt-Q45'
const feed = 'feed-of-ben-Q45'

const working = async (personalValues: 'on' | 'off') => {
  const server = await startServer({
    settings: { personalValues },
    roles: ['processors', 'reactions', 'projections'],
  })
  const { system } = server
  const say = async (topic: Parameters<typeof reportOnTopic>[1], type: string, ...all: object[]) => {
    await reportOnTopic(
      system,
      topic,
      'urn:test',
      all.map((data) => ({ type, data })),
    )
    await waitUntilIdle(system)
  }
  const at = system.clock.now()
  const give = async (name: string, input: object) => {
    await waitUntilIdle(system)
    const command = commandsOf(system.workflows).find((one) => one.name === name)!
    const done = await dispatch(system, command, input, { actor: 'ben', reason: 'a test' })
    await waitUntilIdle(system)
    return isRight(done) ? done.right : expect.fail(JSON.stringify(done.left))
  }
  return {
    ...server,
    say,
    give,
    arrive: (researcher: string) => say(researchersTopic, 'researcher.registered', { researcher, at }),
    bring: (type: 'episode' | 'clip', ...ids: readonly string[]) =>
      say(
        type === 'episode' ? episodesTopic : clipsTopic,
        `${type}.curated`,
        ...ids.map((id) => ({
          id,
          title: id,
          mediaUri: `https://media.example/${id}.mp3`,
          mediaType: 'audio/mpeg',
          curator: feed,
          curatedAt: '2026-01-01T00:00:00.000Z',
        })),
      ),
    take: async (researcher: string) => {
      const taken = await server.post('/api/v1/research/items/take', { researcher })
      await waitUntilIdle(system)
      return taken
    },
    report: (researcher: string, { lease, episode }: { lease: string; episode: { id: string } }) =>
      say(resultsTopic, 'clip.researched', {
        lease,
        episode: episode.id,
        clip: 'clip-1',
        researcher,
        matches: [],
        episodeDuration: 5e12,
        clipDuration: 3e9,
        engine: engineExample,
        researchedAt: at,
      }),
    release: (researcher: string, { lease, episode }: { lease: string; episode: { id: string } }) =>
      say(resultsTopic, 'lease.released', { lease, episode: episode.id, researcher, releasedAt: at }),
  }
}

const rejections = async ({ eventStore }: System) =>
  (await orThrow(eventStore.readAll(-1n, {}, 1000))).events.filter(({ type }) => /Rejected|Dead/.test(type))

it('on from the start: no file has a name, answers do, and blocks hold; erased, nobody finds it', async () => {
  const { system, get, arrive, bring, take, report, give } = await working('on')
  const { home } = system.config
  await arrive(ada)
  await bring('clip', 'clip-1')
  await bring('episode', 'episode-1', 'episode-2')
  const { body: item } = await take(ada)
  await report(ada, item)
  expect(await rejections(system)).toEqual([])
  for (const name of [ada, feed]) expect(filesWith(home, name)).toEqual([])

  const [row] = rows(system.viewStore, researchers)
  expect(isPersonal(row!.researcher)).toBe(true)
  const shown = await get('/api/v1/research/researchers')
  expect(shown.body.researchers ?? shown.body).toMatchObject([{ researcher: ada, results: 1 }])
  expect((await get(`/api/v1/history/${ada}`)).body.events).toMatchObject([{ type: 'ResearcherRegistered' }])
  expect((await get(`/api/v1/views/research-episodes?where=curator=${feed}`)).body.rows).toHaveLength(2)
  expect(await streamsNamed(system, ada)).toContain(researcherStream(row!.researcher))
  const env = { FONDS_PERSONAL_VALUES: 'on' }
  expect(await ask(['history', ada], { home, env })).toHaveLength(1)

  expect(await give('research.block', { researcher: 'ada.brandd-Q45' })).toMatchObject({
    rejection: { code: 'unknown-researcher' },
  })
  expect(await give('research.block', { researcher: ada })).toMatchObject({ kind: 'done' })
  expect(await take(ada)).toMatchObject({ status: 404 })
  expect(await give('research.exclude', { curator: 'nobody-Q45' })).toMatchObject({
    rejection: { code: 'unknown' },
  })
  expect(await give('research.exclude', { curator: feed })).toMatchObject({ kind: 'done' })
  await bring('episode', 'episode-3')
  await arrive('bob')
  const listed = (await get('/api/v1/research/episodes')).body
  expect((listed.episodes ?? listed).map(({ state }: { state: string }) => state)).toEqual([
    'done',
    'excluded',
    'excluded',
  ])
  for (const name of [ada, feed, 'ada.brandd-Q45', 'nobody-Q45']) expect(filesWith(home, name)).toEqual([])

  await give('personal.erase', { person: ada, confirmed: true })
  const day = system.clock.now().slice(0, 10)
  const after = await get('/api/v1/research/researchers')
  expect(JSON.stringify(after.body)).toContain(`[erased on ${day}]`)
  await arrive(ada)
  expect(rows(system.viewStore, researchers)).toHaveLength(3)
})

it('switched on in the middle of leases: who was known plainly is the same person, and keeps leases and blocks', async () => {
  const { system, arrive, bring, take, report, release, give } = await working('off')
  await arrive(ada)
  await arrive('carla-Q45')
  await bring('clip', 'clip-1')
  await bring('episode', 'episode-1', 'episode-2', 'episode-3')
  const { body: registered } = await take(ada)
  // It never said that it is there: only its lease has its name.
  const { body: stranger } = await take('stranger-Q45')
  const { body: other } = await take('other-Q45')
  await give('research.block', { researcher: 'carla-Q45' })
  await give('research.exclude', { curator: feed })
  await give('settings.set', { setting: 'personalValues', value: 'on' })
  await vi.waitFor(() => expect(system.config.personalValues).toBe('on'), patience)

  await report(ada, registered)
  await report('stranger-Q45', stranger)
  await release('other-Q45', other)
  expect(await rejections(system)).toEqual([])
  expect(rows(system.viewStore, anomalies)).toEqual([])
  expect(rows(system.viewStore, leases).filter(({ lease }) => lease === other.lease)).toMatchObject([
    { state: 'ended' },
  ])

  await arrive(ada)
  expect(await take('carla-Q45')).toMatchObject({ status: 404 })
  expect(
    rows(system.viewStore, researchers)
      .map(({ researcher }) => isPersonal(researcher))
      .sort(),
  ).toEqual(
    // Of the five, those who have a stream by their plain names keep them.
    [false, false, false, false, true],
  )
  await bring('episode', 'episode-4')
  const [brought] = rows(system.viewStore, episodes).filter(({ episode }) => episode === 'episode-4')
  expect(brought).toMatchObject({ curator: feed })
  expect(await give('research.include', { curator: feed })).toMatchObject({
    kind: 'done',
    events: [{ data: { curator: feed } }],
  })
})
