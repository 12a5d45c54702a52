import { isRight } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { bindViews } from '#src/system/bind-views.ts'
import type { System } from '#src/system/system.ts'
import { event } from '../contracts/new-event.ts'
import { openTestSystem } from '../fakes/system.ts'

let system: System
let another: System

beforeEach(async () => {
  system = await openTestSystem()
  another = await openTestSystem()
})
afterEach(async () => {
  await system.close()
  await another.close()
})

const fill = async ({ eventStore, viewStore }: System) => {
  const written = await eventStore.append('x-1', 'none', [event()])()
  if (!isRight(written)) throw new Error('not written')
  const views = viewStore.create('p', 1, [])
  viewStore.promote(views)
  const [last] = await eventStore
    .readBack('end', 1)()
    .then((read) => (isRight(read) ? read.right : []))
  const to = { position: written.right.position, time: last?.recordedAt ?? null }
  expect(isRight(viewStore.fold(views, -1n, to, () => {}))).toBe(true)
}

it('views of this log stay', async () => {
  await fill(system)
  await bindViews(system)
  await bindViews(system)
  expect(system.viewStore.live('p')).toBeDefined()
})

it('views of a log at another address are folded anew', async () => {
  await fill(system)
  await bindViews(system)
  await fill(another)
  await bindViews({ ...another, viewStore: system.viewStore })
  expect(system.viewStore.live('p')).toBeUndefined()
})

it('views of more than the log holds are folded anew', async () => {
  await fill(system)
  await bindViews({ ...another, viewStore: system.viewStore })
  expect(system.viewStore.live('p')).toBeUndefined()
})
