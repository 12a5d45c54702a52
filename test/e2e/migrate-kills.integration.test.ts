import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { isLeft } from 'fp-ts/lib/Either.js'
import { expect, it, onTestFinished } from 'vitest'
import { openEventStoreDb } from '../../infra/event-store/eventstoredb/event-store.ts'
import { openSqliteEventStore } from '../../infra/event-store/sqlite/event-store.ts'
import { openDatabase } from '../../infra/sqlite/database.ts'
import { orThrow } from '../../src/async/unavailable.ts'
import { isLeaderEvent } from '../../src/domain/kernel/leader-lease.ts'
import type { EventStore } from '../../src/ports/event-store.ts'
import { event } from '../contracts/new-event.ts'
import { serve } from '../infra/event-store/eventstoredb/gateway.ts'
import { roundsOr, useSeed } from './crash/seed.ts'
import { linesOf, run, start, useFolder } from './run-fonds.ts'

/* `migrate` is killed again and again, wherever it is; the run that is left alone ends with two equal logs. */

const openAt = (address: string): EventStore =>
  address.startsWith('sqlite:')
    ? openSqliteEventStore(openDatabase(address.slice('sqlite:'.length)))
    : openEventStoreDb(address)

/** Streams in turn, then runs of one stream, a deletion and a second life among them. */
const fill = async (address: string) => {
  const store = openAt(address)
  const write = async (stream: string, count: number) => {
    const events = Array.from({ length: count }, (_, n) => event('T', { n, text: 'x'.repeat(200) }))
    if (isLeft(await store.append(stream, 'any', events)())) throw new Error(`${stream} was not written`)
  }
  for (let n = 0; n < 1200; n++) await write(`turn-${n % 7}`, 1)
  if (isLeft(await store.setMetadata('turn-1', { owner: 'ada' })())) throw new Error('no metadata')
  if (isLeft(await store.deleteStream('turn-2', 'any', 'soft')())) throw new Error('not deleted')
  for (let n = 0; n < 20; n++) await write(`run-${n % 2}`, 400)
  await write('turn-2', 3)
  await store.close()
}

const logOf = async (address: string) => {
  const store = openAt(address)
  const { events } = await orThrow(store.readAll(-1n, {}, 1_000_000))
  await store.close()
  return events.filter((one) => !isLeaderEvent(one)).map(({ position: _, ...rest }) => rest)
}

const served = async () => {
  const server = await serve()
  onTestFinished(() => server.dispose())
  return server.address
}
const file = async (folder: string, name: string) => `sqlite:${join(folder, name)}`

it.each([
  ['a file into a file', file, file],
  ['a file to a server', file, served],
  ['a server into a file', served, file],
] as const)('%s', async (_, from, to) => {
  const { chance } = useSeed()
  const { home } = useFolder()
  const source = await from(home, 'source.db')
  const target = await to(home, 'target.db')
  await fill(source)
  const command = ['migrate', '--event-store', source, '--to', target]
  let killed = 0
  for (let round = roundsOr(6); round > 0; round--) {
    const migrating = start(command, { home })
    await setTimeout(400 + chance() * 1600)
    migrating.child.kill('SIGKILL')
    if ((await migrating.exit) === null) killed++
  }
  const ended = await run(command, { home })
  expect([ended.code, ended.stderr]).toEqual([0, ''])
  expect(linesOf(ended)).toMatchObject([{ events: 9203, more: false }])
  expect(killed).toBeGreaterThan(0)
  expect(await logOf(target)).toEqual(await logOf(source))
  const again = await run(command, { home })
  expect(linesOf(again)).toMatchObject([{ before: 9203, copied: 0 }])
})
