import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startRoles } from '../../../src/app/roles.ts'
import { ensureTopics } from '../../../src/app/topics.ts'
import { waitUntilIdle } from '../../../src/app/wait-until-idle.ts'
import type { RecordedEvent } from '../../../src/domain/kernel/event.ts'
import type { GraphChanged } from '../../../src/domain/matching/graph/events.ts'
import type { WorkUpdated } from '../../../src/domain/matching/messages.ts'
import { everything, expectSoundLog } from '../crash/expectations.ts'
import { openHome } from '../open-home.ts'
import { launch, until, useFolder } from '../run-fonds.ts'
import { ask } from '../run-here.ts'
import { expectGrowing, expectMatched } from './expectations.ts'
import { latest, produce } from './traffic.ts'

const spokes = Array.from({ length: 24 }, (_, i) => `s${String(i).padStart(2, '0')}`)

const work = (id: string, sourceVersion: number, links: readonly string[], state = 'visible' as const) => ({
  id,
  source: 'library',
  sourceVersion,
  sourceModifiedAt: '2021-01-01T00:00:00.000Z',
  state,
  title: `${id}, ${sourceVersion}`,
  links: links.map((to) => ({ to, reason: 'part of' })),
})

const isFact = ({ type }: RecordedEvent): boolean => type === 'WorkObserved'

it('a hub falls apart, its matcher is killed while it tells of it, another goes on with newer facts: history has one split, and no work two documents of a version', async () => {
  const { home } = useFolder()
  const system = await openHome(home)
  await ensureTopics(system)
  const roles = await startRoles(system, ['processors', 'reactions', 'projections'])
  const sent: WorkUpdated[] = [work('hub', 1, []), ...spokes.map((id) => work(id, 1, ['hub']))]
  await produce(system, sent)
  await waitUntilIdle(system)
  await roles.stop()

  // All facts are in the log before the one that dies begins; what it could not know comes after that.
  const intake = await startRoles(system, ['processors'])
  const left = spokes.map((id) => work(id, 2, []))
  await produce(system, left)
  const facts = sent.length + left.length
  await until('facts', async () => (await everything(system)).filter(isFact).length === facts)
  await intake.stop()
  const victim = launch(process.execPath, [join(import.meta.dirname, 'dies-over-change.ts'), home, '5'])
  expect(await victim.exit).toBe(null)
  const half = (await everything(system)).filter(({ type }) => type === 'GraphChanged').at(-1)!
  expect(half.data).toMatchObject({ part: 4 })
  expect(half.data).not.toHaveProperty('parts')

  const newer = [work('s00', 3, ['s01'])]
  const again = await startRoles(system, ['processors', 'reactions', 'projections'])
  await produce(system, newer)
  await waitUntilIdle(system)
  await again.stop()

  const events = await everything(system)
  expectSoundLog(events)
  expectGrowing(events)
  expectMatched(system.viewStore, latest([...sent, ...left, ...newer]))
  const abandoned = (half.data as GraphChanged).version
  const documents = events.filter(({ type }) => type === 'WorkMerged')
  expect(documents.map(({ data }) => (data as { version: number }).version)).not.toContain(abandoned)
  await system.close()

  // Two stay together: from where they are, all others left, the hub among them.
  const lost = (await ask(['matching', 'history', 's00'], { home })).filter(({ what }) => what === 'lost')
  expect(lost.map(({ count }) => count)).toEqual([spokes.length - 1])
  expect(await ask(['matching', 'verify'], { home })).toMatchObject([{ differences: 0 }])
})
