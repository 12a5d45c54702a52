import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { migrate } from '#src/app/migrate.ts'
import { startRoles } from '#src/app/roles.ts'
import type { System } from '#src/app/system.ts'
import { ensureTopics } from '#src/app/topics.ts'
import { waitUntilIdle } from '#src/app/wait-until-idle.ts'
import type { WorkUpdated } from '#src/domain/matching/messages.ts'
import { worksTopic } from '#src/domain/matching/messages.ts'
import { localPosition } from '#src/processors/matching/graph-streams.ts'
import { verifyGraphs } from '#src/projections/matching/questions/verify-graphs.ts'
import { reportOnTopic } from '#src/workers/runtime/report-on-topic.ts'
import { event } from '../contracts/new-event.ts'
import { everything, expectSoundLog } from '../e2e/crash/expectations.ts'
import { expectGrowing, expectMatched } from '../e2e/matching/expectations.ts'
import { latest } from '../e2e/matching/traffic.ts'
import { openHome } from '../e2e/open-home.ts'
import { serve } from '../infra/event-store/eventstoredb/gateway.ts'

const roles = ['processors', 'reactions', 'projections'] as const

const say = (id: string, sourceVersion: number, ...links: string[]): WorkUpdated => ({
  id,
  source: 'library',
  sourceVersion,
  sourceModifiedAt: '2026-01-01T00:00:00.000Z',
  state: 'visible',
  title: `${id} ${sourceVersion}`,
  links: links.map((to) => ({ to, reason: 'same as' })),
})

const handle = async (system: System, updates: readonly WorkUpdated[]) => {
  await ensureTopics(system)
  for (const data of updates)
    await reportOnTopic(system, worksTopic, 'test', [{ type: 'work.updated', data }])
  const running = await startRoles(system, roles)
  await waitUntilIdle(system)
  await running.stop()
}

const changes = async (system: System) =>
  (await everything(system)).filter(({ type }) => type === 'GraphChanged')

it('a home with graphs whose log was moved to a server: nothing is published again, and updates go on', async () => {
  const home = await mkdtemp(join(tmpdir(), 'fonds-moved-'))
  const served = await serve()
  onTestFinished(async () => {
    await served.dispose()
    await rm(home, { recursive: true, force: true })
  })
  const first = [say('A', 1, 'B'), say('B', 1), say('C', 1, 'nobody'), say('D', 1)]
  const before = await openHome(home)
  // Duties are not copied: what they take up puts everything behind them at other positions.
  await before.eventStore.append(
    'duty-elsewhere',
    'none',
    Array.from({ length: 100 }, () => event()),
  )()
  await handle(before, first)
  const target = await before.openEventStore(served.address)
  const moved = await migrate(before.eventStore, target, {
    categories: before.workflows.flatMap(({ eventSets }) => eventSets.map(({ category }) => category)),
    signal: new AbortController().signal,
    onStart: () => {},
    onProgress: () => {},
  })
  expect(moved).toMatchObject({ right: { more: false } })
  const published = (await changes(before)).length
  await target.close()
  await before.close()

  const after = await openHome(home, { eventStore: served.address })
  await handle(after, [])
  expect(await changes(after)).toHaveLength(published)
  const verified = () => verifyGraphs({ ...after, localPosition }, 1, new AbortController().signal)
  expect(await verified()).toMatchObject({ works: 4, differences: 0 })

  const second = [say('D', 2, 'A'), say('A', 2), say('C', 2)]
  await handle(after, second)
  const events = await everything(after)
  expectSoundLog(events)
  expectGrowing(events)
  expectMatched(after.viewStore, latest([...first, ...second]))
  expect(await verified()).toMatchObject({ works: 4, differences: 0 })
  expect(after.viewStore.query('dead-letters', {})).toEqual([])
  await after.close()
})
