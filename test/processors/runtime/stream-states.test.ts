import { isRight } from 'fp-ts/lib/Either.js'
import { v7 as uuid } from 'uuid'
import { beforeEach, describe, expect, it } from 'vitest'
import type { EventStore } from '#src/ports/event-store.ts'
import { streamStates } from '#src/processors/runtime/stream-states.ts'
import { fakeEventStore } from '../../fakes/event-store.ts'
import { accounts } from './account.ts'

const stream = 'account-1'
let store: EventStore
let reads: (bigint | 'start' | 'end')[]

const deposit = (amount: number) => ({
  id: uuid(),
  type: 'Deposited',
  data: { amount, at: '2026-01-01T00:00:00.000Z' },
  metadata: { actor: 'a', causationId: `cause ${amount}`, correlationId: 'c', schema: 1 },
})
const write = async (...amounts: readonly number[]) =>
  expect(isRight(await store.append(stream, 'any', amounts.map(deposit))())).toBe(true)

const watched = (): EventStore => ({
  ...store,
  read: (name, from, direction, limit) => {
    reads.push(from)
    return store.read(name, from, direction, limit)
  },
})

beforeEach(() => {
  store = fakeEventStore()
  reads = []
})

describe('a state that is known', () => {
  const load = async (states: ReturnType<typeof streamStates>) => {
    const loaded = await states.load(accounts, stream)
    if (!isRight(loaded)) throw new Error('not loaded')
    return loaded.right
  }

  it('goes on from there when others wrote: what was folded is not read again', async () => {
    const states = streamStates(watched())
    await write(1, 2, 3)
    expect((await load(states)).state.balance).toBe(6)
    await write(4)
    const { state, revision, handled } = await load(states)
    expect({ balance: state.balance, revision }).toEqual({ balance: 10, revision: 3n })
    expect(handled.causes).toEqual(['cause 1', 'cause 2', 'cause 3', 'cause 4'])
    expect(reads).toEqual(['start', 2n])
  })

  it('is folded from the first event where the stream was deleted and begun anew', async () => {
    const states = streamStates(watched())
    await write(1, 2)
    await load(states)
    await store.deleteStream(stream, 'any', 'soft')()
    expect((await load(states)).state.balance).toBe(0)
    await write(7)
    expect((await load(states)).state.balance).toBe(7)
  })

  it('that there is no stream is one look', async () => {
    const states = streamStates(watched())
    expect((await load(states)).revision).toBe(-1n)
    await load(states)
    expect(reads).toEqual(['start', 'start'])
  })
})

describe('a state that is presumed', () => {
  const lookedFor = async (states: ReturnType<typeof streamStates>, many: number) => {
    for (let n = 0; n < many; n++) await states.load(accounts, `account-none-${n}`)
  }

  it('is that of a new stream, once eight of its category in a row were none', async () => {
    const states = streamStates(watched())
    await lookedFor(states, 7)
    expect(states.presumed(accounts, stream)).toBeUndefined()
    await lookedFor(states, 8)
    expect(states.presumed(accounts, stream)).toMatchObject({ state: accounts.initial, revision: -1n })
    expect(states.presumed(accounts, 'other-1')).toBeUndefined()
    expect(states.cached(accounts, stream)).toBeUndefined()
    await write(1)
    await states.load(accounts, stream)
    expect(states.presumed(accounts, 'account-2')).toBeUndefined()
  })
})
