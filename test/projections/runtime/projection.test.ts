import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ViewStore } from '../../../src/ports/view-store.ts'
import { catchUp } from '../../../src/projections/runtime/catch-up.ts'
import { ProjectionStopped, projection } from '../../../src/projections/runtime/projection.ts'
import { fakeEventStore } from '../../fakes/event-store.ts'
import { openTestViews } from '../../fakes/views.ts'
import { accounts, add, balancesOf, events, pay, stored, totalOf } from './accounts.ts'

let viewStore: ViewStore
beforeEach(() => {
  viewStore = openTestViews()
})
afterEach(() => viewStore.close())

const caughtUp = (eventStore: ReturnType<typeof fakeEventStore>, folded = accounts()) =>
  catchUp({ eventStore, viewStore, projections: [folded] })

describe('projection', () => {
  it('asks for the events it handles, and no others', () => {
    expect(accounts().filter).toEqual({ categories: ['account'], types: ['Paid', 'Closed'] })
  })

  it('an event of an older schema is read in its present shape', async () => {
    const eventStore = fakeEventStore()
    await add(eventStore, 'account-a', stored('Paid', { sum: '5' }, 'old', 1))
    await pay(eventStore, 'a', 2)
    await caughtUp(eventStore)
    expect(balancesOf(viewStore)).toEqual({ a: 7 })
  })

  it('stops before an event it cannot read, and says which and why', async () => {
    const eventStore = fakeEventStore()
    await pay(eventStore, 'a', 1)
    await add(eventStore, 'account-b', stored('Paid', { amount: 'much' }, 'unreadable'))
    const stopped = caughtUp(eventStore)
    await expect(stopped).rejects.toThrow(ProjectionStopped)
    await expect(stopped).rejects.toThrow(
      /accounts stopped at position 1 \(Paid in account-b\): Paid \(schema 2\): amount: .*got "much"/,
    )
    expect(totalOf(viewStore)).toBeUndefined()
  })

  it('stops before an event that its own code fails on, with the cause', async () => {
    const eventStore = fakeEventStore()
    await pay(eventStore, 'a', 1)
    await pay(eventStore, 'a', 13)
    const bug = new Error('thirteen is unlucky')
    const unlucky = accounts({
      before: (amount) => {
        if (amount === 13) throw bug
      },
    })
    await expect(caughtUp(eventStore, unlucky)).rejects.toMatchObject({
      name: 'ProjectionStopped',
      position: 1n,
      message: 'projection accounts stopped at position 1 (Paid in account-a): thirteen is unlucky',
      cause: bug,
    })
  })

  it('listens to several categories, each with its own events', async () => {
    const tally = projection(
      {
        name: 'tally',
        version: 1,
        description: 'Events by category.',
        views: [
          { name: 'seen', description: 'Counts.', key: ['what'], columns: { what: 'text', n: 'integer' } },
        ],
      },
      (on) => [
        on('account', events, {
          Paid: (_, __, { seen }) =>
            seen.put({ what: 'account', n: Number(seen.get('account')?.n ?? 0) + 1 }),
        }),
        on('fund', events, {
          Closed: (_, __, { seen }) => seen.put({ what: 'fund', n: Number(seen.get('fund')?.n ?? 0) + 1 }),
        }),
      ],
    )
    const eventStore = fakeEventStore()
    await pay(eventStore, 'a', 1)
    await add(eventStore, 'account-a', stored('Closed', {}, 'closed'))
    await add(eventStore, 'fund-a', stored('Paid', { amount: 1 }, 'paid'))
    await add(eventStore, 'fund-a', stored('Closed', {}, 'closed'))
    await caughtUp(eventStore, tally)
    expect(viewStore.query('seen', {})).toEqual([
      { what: 'account', n: 1 },
      { what: 'fund', n: 1 },
    ])
  })

  it('refuses to listen to one category twice', () => {
    const twice = () =>
      projection({ name: 'twice', version: 1, description: '', views: [] }, (on) => [
        on('account', events, { Paid: () => {} }),
        on('account', events, { Closed: () => {} }),
      ])
    expect(twice).toThrow(/projection twice listens to account more than once/)
  })

  it('registers views with how they are stored', () => {
    const view = { name: 'seen', description: '', key: ['id'], columns: { id: 'text' } } as const
    const other = { ...view, name: 'others' } as const
    const definition = { name: 'seen', version: 1, description: '', views: [view, other] } as const
    const { views } = projection(
      { ...definition, storage: { seen: { ids: ['id'], isUnordered: true } } },
      () => [],
    )
    expect(views).toEqual([{ ...view, ids: ['id'], isUnordered: true }, other])
  })
})
