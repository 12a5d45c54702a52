import { existsSync, renameSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { isLeft } from 'fp-ts/lib/Either.js'
import { pino } from 'pino'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openSqliteEventStore } from '#infra/event-store/sqlite/event-store.ts'
import { openDatabase } from '#infra/sqlite/database.ts'
import { readConfig } from '#src/app/config/config.ts'
import { createFoldApart } from '#src/app/fold-thread/fold-apart.ts'
import { shareTurns, takingTurns } from '#src/app/fold-thread/write-turns.ts'
import { systemClock } from '#src/async/system-clock.ts'
import { NotCaughtUp } from '#src/async/wait-until.ts'
import { MINUTE } from '#src/domain/kernel/time.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { FoldedBatch, ViewMove } from '#src/projections/runtime/run-projection.ts'
import { runProjections } from '#src/projections/runtime/runner.ts'
import { manualClock } from '../../fakes/manual-clock.ts'
import { recordedTelemetry } from '../../fakes/telemetry.ts'
import { openTestViews } from '../../fakes/views.ts'
import { add, balancesOf, fill, noise, pay, stored, totalOf } from '../../projections/runtime/accounts.ts'
import projections, { amounts } from './hostile-accounts.ts'

/* Views that a thread of its own folds, on files as `fonds start` uses them. */

interface Forced {
  readonly cores?: number
  readonly busyMillis?: number
  /** Of the one who chooses the thread. */
  readonly clock?: Clock
}

const words = {
  apart: 'many events to fold; folding in a thread of its own',
  idle: 'few events to fold; folding in the main thread again',
  ended: 'the folding thread ended; folding in the main thread',
}

/** A log of payments, and the means to fold it: unless said, in a thread of its own from the first event on. */
const openAccounts = async ({ cores = 2, busyMillis = 0, clock = systemClock }: Forced = {}) => {
  const home = await mkdtemp(join(tmpdir(), 'fonds-apart-'))
  const read = readConfig({ home, logLevel: 'silent' }, {})
  if (isLeft(read)) throw new Error(read.left.join('; '))
  const db = openDatabase(join(home, 'fonds.db'), { durability: 'normal' })
  const eventStore = openSqliteEventStore(db)
  const turns = shareTurns()
  const viewStore = takingTurns(openTestViews(join(home, 'views.db')), turns)
  const telemetry = recordedTelemetry()
  const said: string[] = []
  const log = pino({}, { write: (line: string) => void said.push(JSON.parse(line).msg) })
  const foldApart = createFoldApart({
    ...{ config: read.right, turns, clock, telemetry, log, cores, busyMillis, onLogChange: db.onChange },
    storesModule: new URL('../../../src/open-folding.ts', import.meta.url),
    projectionsModule: new URL('./hostile-accounts.ts', import.meta.url),
  })
  const threads: Worker[] = []
  const note = (worker: Worker) => void threads.push(worker)
  process.on('worker', note)
  const moves: ViewMove[] = []
  const batches: FoldedBatch[] = []
  const running = runProjections({
    ...{ eventStore, viewStore, clock: systemClock, projections, foldApart },
    onMove: (move) => void moves.push(move),
    observe: (batch) => void batches.push(batch),
  })
  onTestFinished(async () => {
    await running.stop()
    process.off('worker', note)
    viewStore.close()
    await eventStore.close()
    await rm(home, { recursive: true, force: true, maxRetries: 10 })
  })
  const hears = (sentence: string, times = 1) =>
    vi.waitUntil(() => said.filter((one) => one === sentence).length >= times)
  return { home, eventStore, viewStore, running, threads, moves, batches, telemetry, hears }
}

const eventsIn = (batches: readonly FoldedBatch[]) => batches.reduce((sum, { events }) => sum + events, 0)

it('keeps every promise: what was waited for is seen, each event counts once, and moves and batches are told', async () => {
  const { eventStore, viewStore, running, moves, batches, hears } = await openAccounts()
  await running.whenCaughtUp(await fill(eventStore, 3))
  await hears(words.apart)
  moves.length = 0
  for (let i = 1; i <= 20; i++) {
    const last = await fill(eventStore, 10)
    await running.whenCaughtUp(last)
    expect(totalOf(viewStore)).toMatchObject({ events: 3 + i * 10, amount: 3 + i * 10 })
    const [status] = running.status()
    expect(status).toMatchObject({ projection: 'accounts', state: 'live', lastError: undefined })
    expect(status?.position).toBeGreaterThanOrEqual(last)
  }
  expect(moves).toContainEqual({ projection: 'accounts', hasNews: true })
  expect(eventsIn(batches)).toBe(203)
  moves.length = 0
  await running.whenCaughtUp(await noise(eventStore))
  expect(moves).toContainEqual({ projection: 'accounts', hasNews: false })
  expect(moves).not.toContainEqual({ projection: 'accounts', hasNews: true })
})

it.each(Object.entries(amounts))(
  'a thread that %s while it folds: the main thread folds on, and each event counts once',
  async (_, amount) => {
    const { eventStore, viewStore, running, hears } = await openAccounts()
    await running.whenCaughtUp(await fill(eventStore, 3))
    await hears(words.apart)
    await fill(eventStore, 30)
    await running.whenCaughtUp(await pay(eventStore, 'x', amount))
    await hears(words.ended)
    await running.whenCaughtUp(await fill(eventStore, 30))
    expect(totalOf(viewStore)).toMatchObject({ events: 64, amount: 63 + amount })
  },
)

it('a thread that is killed: the main thread folds on', async () => {
  const { eventStore, viewStore, running, threads, hears } = await openAccounts()
  await running.whenCaughtUp(await fill(eventStore, 3))
  await hears(words.apart)
  const last = await fill(eventStore, 300)
  await Promise.all(threads.map((thread) => thread.terminate()))
  await running.whenCaughtUp(last)
  await hears(words.ended)
  expect(balancesOf(viewStore)).toEqual({ 0: 101, 1: 101, 2: 101 })
})

it('shows an event that cannot be read as the main thread does', async () => {
  const { eventStore, running, hears } = await openAccounts()
  await running.whenCaughtUp(await fill(eventStore, 3))
  await hears(words.apart)
  const position = await add(eventStore, 'account-1', stored('Paid', { amount: 'much' }, 'unreadable'))
  await vi.waitUntil(() => running.status()[0]?.state === 'failed')
  expect(running.status()[0]?.lastError).toContain(`projection accounts stopped at position ${position}`)
  await expect(running.whenCaughtUp(position, { timeoutMillis: 1 })).rejects.toThrow(NotCaughtUp)
})

it('another file in the place of the views: the main thread, which has it open, folds', async () => {
  const { home, eventStore, running, hears } = await openAccounts()
  await running.whenCaughtUp(await fill(eventStore, 3))
  await hears(words.apart)
  for (const ending of ['', '-wal', '-shm'])
    if (existsSync(join(home, `views.db${ending}`)))
      renameSync(join(home, `views.db${ending}`), join(home, `away.db${ending}`))
  openTestViews(join(home, 'views.db')).close()
  const last = await fill(eventStore, 3)
  await hears(words.ended)
  await running.whenCaughtUp(last)
})

it('ends before a thread is ready, and while it works', async () => {
  const { eventStore, viewStore, running, threads } = await openAccounts()
  await running.whenCaughtUp(await fill(eventStore, 3))
  expect(threads).toHaveLength(1)
  const waiting = running.whenCaughtUp(1000n)
  await Promise.all([running.stop(), expect(waiting).rejects.toThrow('were stopped before')])
  expect(threads[0]?.threadId).toBe(-1)
  await fill(eventStore, 3)
  expect(totalOf(viewStore)).toMatchObject({ events: 3 })
})

it('ends with a transaction under way: what is told of is in the views', async () => {
  const { eventStore, viewStore, running, batches, hears } = await openAccounts()
  await running.whenCaughtUp(await fill(eventStore, 3))
  await hears(words.apart)
  await fill(eventStore, 300)
  await running.stop()
  expect(totalOf(viewStore)?.events).toBe(eventsIn(batches))
})

it('starts no thread where there is one core, or little to fold', async () => {
  for (const forced of [{ cores: 1 }, { busyMillis: 1e9 }]) {
    const { eventStore, viewStore, running, threads } = await openAccounts(forced)
    await running.whenCaughtUp(await fill(eventStore, 300))
    expect(totalOf(viewStore)).toMatchObject({ events: 300 })
    expect(threads).toEqual([])
  }
})

it('goes back to the main thread when there is little to fold, and apart again when there is much', async () => {
  const clock = manualClock()
  const { eventStore, viewStore, running, threads, telemetry, hears } = await openAccounts({ clock })
  await running.whenCaughtUp(await fill(eventStore, 3))
  await hears(words.apart)
  await vi.waitUntil(() => clock.sleeps.includes(MINUTE))
  clock.advance(MINUTE)
  await hears(words.idle)
  await running.whenCaughtUp(await fill(eventStore, 3))
  await hears(words.apart, 2)
  expect(threads).toHaveLength(2)
  expect(telemetry.gauged('fold_thread')).toEqual([0, 1, 0, 1])
  await running.whenCaughtUp(await fill(eventStore, 3))
  expect(totalOf(viewStore)).toMatchObject({ events: 9 })
})
