import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { expect, it, onTestFinished, vi } from 'vitest'
import { readConfig } from '#src/app/config/config.ts'
import type { Config } from '#src/app/config/settings.ts'
import { takePlacesAlong } from '#src/app/migrate/take-places-along.ts'
import { migrate } from '#src/app/migrate.ts'
import { startRoles } from '#src/app/roles.ts'
import type { System } from '#src/app/system.ts'
import { ensureTopics } from '#src/app/topics.ts'
import { livePosition } from '#src/async/caught-up.ts'
import { orThrow } from '#src/async/unavailable.ts'
import { isLeaderEvent } from '#src/domain/kernel/leader-lease.ts'
import { openSystem } from '#src/open-system.ts'
import { spreadStoreChecks } from '#src/processors/fixity/reactions.ts'
import { serve } from '../infra/event-store/eventstoredb/gateway.ts'
import { produce, registerFolder } from './archive.ts'
import { wishesIn } from './wishes.ts'

const roles = ['processors', 'reactions', 'projections'] as const
const reaction = spreadStoreChecks({} as System, async () => {}).name

const openAt = async (home: string, settings: Partial<Config> = {}): Promise<System> => {
  const config = readConfig({ home, durability: 'normal', logLevel: 'silent', ...settings }, {})
  if (isLeft(config)) throw new Error(config.left.join('; '))
  return openSystem(config.right)
}

const movable = async () => {
  const home = await mkdtemp(join(tmpdir(), 'fonds-moved-'))
  const served = await serve()
  onTestFinished(async () => {
    await served.dispose()
    await rm(home, { recursive: true, force: true })
  })
  return { home, served }
}

const factsOf = async ({ eventStore }: System) =>
  (await orThrow(eventStore.readAll(-1n, {}, 100_000))).events.filter((event) => !isLeaderEvent(event))

const itemsOf = ({ viewStore }: System) =>
  viewStore.shape('fixity-items')
    ? viewStore
        .query('fixity-items', { orderBy: [{ column: 'path' }] })
        .map(({ path, queue }) => [path, queue])
    : []

const reactionsOf = (system: System) =>
  system.workflows.flatMap((workflow) => workflow.reactions(system)).map(({ name }) => name)

/** All of the log is folded and reacted to. The log is read last: what a follower wrote stands in it by then. */
const settled = (system: System) =>
  vi.waitUntil(async () => {
    const reached = ['fixity', ...reactionsOf(system)].map((name) => livePosition(system.viewStore, name))
    const last = (await factsOf(system)).at(-1)!.position
    return reached.every((position) => position >= last)
  })

it('a home whose log was moved to a server: views are folded anew, reactions go on where they were', async () => {
  const { home, served } = await movable()
  const before = await openAt(home)
  await registerFolder(before, 'main', '/srv')
  const running = await startRoles(before, roles)
  await produce(before, { path: 'a' }, { path: 'b' }, { path: 'c' })
  await vi.waitUntil(() => itemsOf(before).length === 3)
  const route = before.workflows
    .flatMap(({ commands }) => commands)
    .find(({ name }) => name === 'fixity.check-store')!
    .route({ store: 'main' }, { actor: 'ada', reason: 'flood', at: before.clock.now() })
  await before.execute(route.decider, {
    stream: route.stream,
    command: route.command as never,
    causationId: 'cause',
    correlationId: 'cause',
  })
  await vi.waitUntil(async () => wishesIn(await factsOf(before)).length === 3)
  await settled(before)
  await running.stop()
  const facts = await factsOf(before)
  const items = itemsOf(before)
  const target = await before.openEventStore(served.address)
  const categories = before.workflows.flatMap(({ eventSets }) => eventSets.map(({ category }) => category))
  const { signal } = new AbortController()
  const moved = await migrate(before.eventStore, target, {
    categories,
    signal,
    onStart: () => {},
    onProgress: () => {},
  })
  expect(moved).toMatchObject({ right: { copied: facts.length, more: false } })
  if (isLeft(moved)) throw new Error(moved.left.kind)
  const taken = await takePlacesAlong(before, target, moved.right.counterpart)
  expect(taken.moved).toContain(reaction)
  expect(await takePlacesAlong(before, target, moved.right.counterpart)).toEqual(taken)
  await target.close()
  await before.close()

  const after = await openAt(home, { eventStore: served.address })
  const count = vi.spyOn(after.telemetry, 'count')
  const again = await startRoles(after, roles)
  await settled(after)
  await again.stop()
  const reacted = new Set(reactionsOf(after))
  const counted = count.mock.calls.filter(
    ([, { processor = '' }, by = 1]) => by > 0 && reacted.has(processor),
  )
  expect(counted).toEqual([])
  const withoutPosition = (events: typeof facts) => events.map(({ position: _, ...rest }) => rest)
  expect(withoutPosition(await factsOf(after))).toEqual(withoutPosition(facts))
  expect(itemsOf(after)).toEqual(items)
  await after.close()
})

it('messages that wait on embedded topics are handled after the move as well', async () => {
  const { home, served } = await movable()
  const before = await openAt(home)
  await ensureTopics(before)
  await produce(before, { path: 'waits' })
  await before.close()
  const after = await openAt(home, { eventStore: served.address })
  const running = await startRoles(after, ['processors', 'projections'])
  await vi.waitUntil(() => itemsOf(after).length === 1)
  await running.stop()
  await after.close()
})
