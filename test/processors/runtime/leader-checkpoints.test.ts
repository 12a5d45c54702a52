import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { right } from 'fp-ts/lib/Either.js'
import { expect, it, onTestFinished } from 'vitest'
import { passedCheckpoints } from '#src/async/passed-checkpoints.ts'
import { systemClock } from '#src/async/system-clock.ts'
import { UnavailableError } from '#src/async/unavailable.ts'
import type { ViewStore } from '#src/ports/view-store.ts'
import { leaderCheckpoint } from '#src/processors/runtime/leader-checkpoints.ts'
import { openTestViews } from '../../fakes/views.ts'

const given = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-leader-checkpoints-'))
  const file = join(folder, 'views.db')
  const viewStore = openTestViews(file)
  const other = new DatabaseSync(file)
  const over = new AbortController()
  onTestFinished(() => {
    over.abort()
    viewStore.close()
    other.close()
    rmSync(folder, { recursive: true })
  })
  const passed = passedCheckpoints({ viewStore, clock: systemClock }, over.signal)
  const checkpoints = leaderCheckpoint('work', { viewStore, passed, term: { positions: {} } })
  const from = await checkpoints.load(over.signal)
  const stored = () => viewStore.checkpoint(viewStore.live('work')!).position
  return { checkpoints, from, other, viewStore, passed, stored }
}
const event = (position: number) => ({
  ...{ stream: 'work-a', revision: BigInt(position), position: BigInt(position), id: String(position) },
  ...{ type: 'Done', data: {}, recordedAt: '2026-01-01T00:00:00.000Z' },
  metadata: { actor: 'ada', causationId: 'c', correlationId: 'c', schema: 1 },
})
const batch = (position: number) => ({
  ...{ events: [event(position)], position: BigInt(position), caughtUp: true },
})

it('is stored at once where nobody else writes the views', async () => {
  const { checkpoints, from, stored } = await given()
  expect(checkpoints.store(from, batch(7))).toMatchObject(right({ position: 7n }))
  expect(stored()).toBe(7n)
})

it('waits for no other process that writes the views, and is stored behind it', async () => {
  const { checkpoints, from, other, stored } = await given()
  other.exec('BEGIN IMMEDIATE')
  const reached = checkpoints.store(from, batch(3))
  expect(reached).toMatchObject(right({ position: 3n, time: '2026-01-01T00:00:00.000Z' }))
  checkpoints.store(from, batch(5))
  expect(checkpoints.position()).toBe(5n)
  expect(stored()).toBe(-1n)
  other.exec('ROLLBACK')
  await expect.poll(stored).toBe(5n)
  expect(checkpoints.store(from, batch(9))).toMatchObject(right({ position: 9n }))
  expect(stored()).toBe(9n)
})

it('keeps the time of what was done while it waits, when events of others go by', async () => {
  const { checkpoints, from, other, viewStore, stored } = await given()
  other.exec('BEGIN IMMEDIATE')
  checkpoints.store(from, batch(3))
  checkpoints.store(from, { events: [], position: 6n })
  other.exec('ROLLBACK')
  await expect.poll(stored).toBe(6n)
  expect(viewStore.checkpoint(viewStore.live('work')!).time).toBe('2026-01-01T00:00:00.000Z')
})

it('fails where the views cannot be written for another reason', async () => {
  const { viewStore, passed } = await given()
  const full: ViewStore = {
    ...viewStore,
    pass: () => {
      throw new UnavailableError('the disk is full')
    },
  }
  const checkpoints = leaderCheckpoint('work', { viewStore: full, passed, term: { positions: {} } })
  const from = await checkpoints.load(new AbortController().signal)
  expect(() => checkpoints.store(from, batch(3))).toThrow('the disk is full')
  expect(checkpoints.position()).toBe(-1n)
})
