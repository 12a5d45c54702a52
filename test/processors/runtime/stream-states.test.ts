import { isRight, right } from 'fp-ts/lib/Either.js'
import { v7 as uuid } from 'uuid'
import { beforeEach, describe, expect, it } from 'vitest'
import type { EventStore } from '#src/ports/event-store.ts'
import { streamStates } from '#src/processors/runtime/stream-states.ts'
import { fakeEventStore } from '../../fakes/event-store.ts'
import { type Account, accounts } from './account.ts'

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

describe.each(['in one call', 'a call each'])('the states of many streams, read %s', (how) => {
  const withEach = (): EventStore => ({
    ...watched(),
    ...(how === 'in one call' && {
      readEach: (places, limit) => async () =>
        right(
          await Promise.all(places.map(({ stream, from }) => store.read(stream, from, 'forward', limit)())),
        ),
    }),
  })
  const loaded = async (states: ReturnType<typeof streamStates>, ...streams: readonly string[]) => {
    const found = await states.loadEach(new Map(streams.map((each) => [each, accounts as never])))
    return Array.from(found, ([each, one]) =>
      isRight(one) ? `${each}: ${(one.right.state as Account).balance}` : `${each}: ${one.left.kind}`,
    ).toSorted()
  }

  it('are those of each, whether it is new, known, long, begun anew or cannot be read', async () => {
    const states = streamStates(withEach())
    await write(1, 2)
    await store.append('account-anew', 'any', [deposit(3)])()
    expect(await loaded(states, stream, 'account-anew')).toEqual(['account-1: 3', 'account-anew: 3'])
    await write(4)
    await store.deleteStream('account-anew', 'any', 'soft')()
    await store.append('account-anew', 'any', [deposit(7)])()
    await store.append(
      'account-long',
      'any',
      Array.from({ length: 1001 }, () => deposit(1)),
    )()
    await store.append('account-bad', 'any', [{ ...deposit(1), type: 'Embezzled' }])()
    expect(
      await loaded(states, stream, 'account-none', 'account-anew', 'account-bad', 'account-long'),
    ).toEqual([
      'account-1: 7',
      'account-anew: 7',
      'account-bad: Thrown',
      'account-long: 1001',
      'account-none: 0',
    ])
    expect(states.cached(accounts, stream)).toMatchObject({ state: { balance: 7 }, revision: 2n })
  })

  it('take no other call where each is read whole', async () => {
    const states = streamStates(withEach())
    await write(1)
    await loaded(states, stream, 'account-none')
    expect(reads).toEqual(how === 'in one call' ? [] : ['start', 'start'])
  })
})
