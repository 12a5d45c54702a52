import { isLeft } from 'fp-ts/lib/Either.js'
import { v7 as uuid } from 'uuid'
import { beforeEach, expect, test } from 'vitest'
import { type Assessed, capacityDecider } from '#src/domain/research/capacity-decide.ts'
import { capacityStream } from '#src/domain/research/terms.ts'
import { executor } from '#src/processors/runtime/execute.ts'
import { lastEventStates } from '#src/processors/runtime/last-event.ts'
import { type FakeEventStore, fakeEventStore } from '../../fakes/event-store.ts'

const at = '2026-01-01T00:00:00.000Z'
const idle: Assessed = { researchers: 2, queued: 3, added: 0, stopped: 'surplus' }
const busy: Assessed = { ...idle, added: 1 }

let store: FakeEventStore
let read: number

beforeEach(() => {
  store = fakeEventStore()
  read = 0
})

const counting = () => ({
  ...store,
  read:
    (...args: Parameters<FakeEventStore['read']>) =>
    async () => {
      const page = await store.read(...args)()
      if (!isLeft(page)) read += page.right.length
      return page
    },
})

const assess = async (assessed: Assessed, causationId: string = uuid()) => {
  const counted = counting()
  const told = await executor(counted, lastEventStates(counted))(capacityDecider, {
    stream: capacityStream,
    command: { type: 'Assess', actor: 'assigner', at, assessed },
    causationId,
    correlationId: causationId,
  })
  return isLeft(told) ? told.left.kind : told.right.kind
}

test('a decision is compared with the last one, and no other is read', async () => {
  for (let n = 0; n < 50; n++) expect(await assess(busy)).toBe('done')
  read = 0
  expect(await assess(idle)).toBe('done')
  expect(await assess(idle)).toBe('unchanged')
  expect(read).toBe(2)
})

test('one that was written already is not written again', async () => {
  expect(await assess(busy, 'one')).toBe('done')
  expect(await assess(busy, 'one')).toBe('repeated')
})

test('where another process writes meanwhile, it is compared with what that wrote', async () => {
  const two = await Promise.all([assess(idle), assess(idle)])
  expect(two.toSorted()).toEqual(['done', 'unchanged'])
})

test('what was written by a newer version is not passed over', async () => {
  const metadata = { actor: 'a', causationId: 'c', correlationId: 'c', schema: 9 }
  await store.append(capacityStream, 'any', [{ id: uuid(), type: 'CapacityAssessed', data: {}, metadata }])()
  await expect(assess(idle)).rejects.toThrow('capacity-research revision 0')
})
