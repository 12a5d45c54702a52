import * as t from 'io-ts'
import { v5 as uuid } from 'uuid'
import { idOf, type NewEvent } from '../../../src/domain/kernel/event.ts'
import { type EventsOf, eventSet, eventSpec } from '../../../src/domain/kernel/event-set.ts'
import type { Row, ViewShape } from '../../../src/domain/kernel/view.ts'
import type { EventStore } from '../../../src/ports/event-store.ts'
import type { ViewStore } from '../../../src/ports/view-store.ts'
import { type Projection, projection } from '../../../src/projections/runtime/projection.ts'

/** A little domain whose rows show at once when an event was folded twice, or not at all. */

export const events = eventSet(
  eventSpec('Paid', 'Money came in.', t.type({ amount: t.number }), 2, {
    1: (data) => ({ amount: Number((data as { sum: string }).sum) }),
  }),
  eventSpec('Closed', 'The account is no more.', t.type({})),
)

export type AccountEvent = EventsOf<typeof events>

const balances = {
  name: 'balances',
  description: 'What each account holds.',
  key: ['account'],
  columns: { account: 'text', balance: 'integer', last: 'integer' },
  indexes: [['balance']],
} as const satisfies ViewShape

const totals = {
  name: 'totals',
  description: 'All payments.',
  key: ['what'],
  columns: { what: 'text', events: 'integer', amount: 'integer' },
} as const satisfies ViewShape

export interface AccountsOptions {
  readonly version?: number
  /** Each payment counts so many times over: another version's idea of the rows. */
  readonly factor?: number
  /** Runs before each payment is folded. */
  readonly before?: (amount: number) => void
}

export const accounts = ({ version = 1, factor = 1, before }: AccountsOptions = {}): Projection =>
  projection(
    { name: 'accounts', version, description: 'Balances and totals.', views: [balances, totals] },
    (on) => [
      on('account', events, {
        Paid: ({ amount }, event, { balances, totals }) => {
          before?.(amount)
          const account = idOf(event.stream)
          const balance = (balances.get(account)?.balance ?? 0) + amount * factor
          balances.put({ account, balance, last: Number(event.position) })
          const total = totals.get('all')
          totals.put({
            what: 'all',
            events: (total?.events ?? 0) + 1,
            amount: (total?.amount ?? 0) + amount * factor,
          })
        },
        Closed: (_, event, { balances }) => balances.delete(idOf(event.stream)),
      }),
    ],
  )

const namespace = '6ba7b810-9dad-11d1-80b4-00c04fd430c8'

export const stored = (
  type: string,
  data: unknown,
  id: string,
  schema = events.schemaOf(type),
): NewEvent => ({
  id: uuid(id, namespace),
  type,
  data,
  metadata: { actor: 'tester', causationId: 'cause', correlationId: 'conversation', schema },
})

let serial = 0

/** Appends and returns the position. */
export const add = async (store: EventStore, stream: string, event: NewEvent): Promise<bigint> => {
  const appended = await store.append(stream, 'any', [event])()
  if (appended._tag === 'Left') throw new Error(`append refused: ${appended.left.kind}`)
  return appended.right.position
}

export const pay = (store: EventStore, account: string, amount: number): Promise<bigint> =>
  add(store, `account-${account}`, stored('Paid', { amount }, `paid ${++serial}`))

export const closeAccount = (store: EventStore, account: string): Promise<bigint> =>
  add(store, `account-${account}`, stored('Closed', {}, `closed ${++serial}`))

/** An event that no account listens to. */
export const noise = (store: EventStore): Promise<bigint> =>
  add(store, 'weather-here', stored('Rained', {}, `rain ${++serial}`, 1))

/** `payments` payments of 1 to three accounts in turn. */
export const fill = async (store: EventStore, payments: number): Promise<bigint> => {
  let position = -1n
  for (let i = 0; i < payments; i++) position = await pay(store, `${i % 3}`, 1)
  return position
}

export const totalOf = (views: ViewStore): Row | undefined => views.query('totals', {})[0]

export const balancesOf = (views: ViewStore): Readonly<Record<string, unknown>> =>
  Object.fromEntries(views.query('balances', {}).map((row) => [row.account, row.balance]))
