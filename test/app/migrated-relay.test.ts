import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { expect, it, onTestFinished, vi } from 'vitest'
import { takePlacesAlong } from '#src/app/migrate/take-places-along.ts'
import { migrate } from '#src/app/migrate.ts'
import { startRoles } from '#src/app/roles.ts'
import type { System } from '#src/app/system.ts'
import { orThrow } from '#src/async/unavailable.ts'
import { isLeaderEvent } from '#src/domain/kernel/leader-lease.ts'
import type { EventStore } from '#src/ports/event-store.ts'
import { openHome } from '../e2e/open-home.ts'
import { serve } from '../infra/event-store/eventstoredb/gateway.ts'
import { produce, registerFolder } from './archive.ts'

const roles = ['processors', 'reactions', 'projections', 'relay'] as const

const relayedIn = async ({ broker }: System) => {
  const topics = (await orThrow(broker.topics(), 'topics')).filter(({ name }) => name.endsWith('.events'))
  const all: { readonly id: string | undefined; readonly source: string | undefined }[] = []
  for (const { name, offsets } of topics)
    for (const { partition } of offsets)
      for (const { headers } of await orThrow(broker.peek(name, partition, 0n, 100_000), 'records'))
        all.push({ id: headers.ce_id, source: headers.ce_source })
  return all
}

const factsOf = async (store: EventStore) =>
  (await orThrow(store.readAll(-1n, {}, 100_000))).events.filter((event) => !isLeaderEvent(event))

/** Works until every fact is relayed, and stops. */
const workUntilRelayed = async (system: System, work: () => Promise<unknown>) => {
  const running = await startRoles(system, roles)
  await work()
  await vi.waitUntil(
    async () => (await relayedIn(system)).length >= (await factsOf(system.eventStore)).length,
  )
  await running.stop()
}

const move = async (system: System, to: string) => {
  const target = await system.openEventStore(to)
  const moved = await migrate(system.eventStore, target, {
    categories: system.workflows.flatMap(({ eventSets }) => eventSets.map(({ category }) => category)),
    signal: new AbortController().signal,
    onStart: () => {},
    onProgress: () => {},
  })
  if (isLeft(moved)) throw new Error(moved.left.kind)
  const taken = await takePlacesAlong(system, target, moved.right.counterpart)
  await target.close()
  return taken
}

it('a log that moves to a server, and back into a file: each event is relayed once, from one source', async () => {
  const home = await mkdtemp(join(tmpdir(), 'fonds-moved-'))
  const served = await serve()
  onTestFinished(async () => {
    await served.dispose()
    await rm(home, { recursive: true, force: true })
  })
  const back = `sqlite:${join(home, 'back.db')}`
  const first = await openHome(home)
  await registerFolder(first, 'main', '/srv')
  await workUntilRelayed(first, () => produce(first, { path: 'a' }, { path: 'b' }))
  const [before] = await relayedIn(first)
  expect((await move(first, served.address)).moved.some((name) => name.startsWith('relay/'))).toBe(true)
  await first.close()

  const second = await openHome(home, { eventStore: served.address })
  await workUntilRelayed(second, () => produce(second, { path: 'c' }))
  await move(second, back)
  await second.close()

  const third = await openHome(home, { eventStore: back })
  await workUntilRelayed(third, () => produce(third, { path: 'd' }))
  const relayed = await relayedIn(third)
  const facts = await factsOf(third.eventStore)
  await third.close()
  expect(relayed.map(({ id }) => id).toSorted()).toEqual(facts.map(({ id }) => id).toSorted())
  const logOf = (source: string | undefined) => source?.replace(/[^/]*$/, '')
  expect(new Set(relayed.map(({ source }) => logOf(source)))).toEqual(new Set([logOf(before?.source)]))
})
