import { left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { NonNegativeInteger, Text, Time } from '../../../src/domain/kernel/codecs.ts'
import type { Command, Decider } from '../../../src/domain/kernel/decider.ts'
import { type EventsOf, eventSet, eventSpec } from '../../../src/domain/kernel/event-set.ts'
import type { Message, TopicSpec } from '../../../src/domain/kernel/message.ts'
import { messageSpec } from '../../../src/domain/kernel/message.ts'
import type { Rejection } from '../../../src/domain/kernel/rejection.ts'
import type { Processor, Route } from '../../../src/processors/runtime/processor.ts'
import { routeTo } from '../../../src/processors/runtime/route.ts'

/* A toy workflow: accounts that take deposits, pay out what they have, and can be frozen. */

const Moved = t.type({ amount: NonNegativeInteger, at: Time })

export const accountEvents = eventSet(
  eventSpec('Deposited', 'Money came in.', Moved),
  eventSpec('Withdrawn', 'Money went out.', Moved),
  eventSpec('Frozen', 'Nothing goes out any more.', t.type({})),
)

export type AccountEvent = EventsOf<typeof accountEvents>

export type AccountCommand = Command &
  (
    | { readonly type: 'Deposit' | 'Withdraw'; readonly amount: number }
    | { readonly type: 'Freeze' }
    /** What a bug does. */
    | { readonly type: 'Break' | 'Babble' }
  )

export interface Account {
  readonly balance: number
  readonly frozen: boolean
  /** When money last moved. */
  readonly movedAt: string
}

export const accounts: Decider<Account, AccountCommand, AccountEvent, Rejection> = {
  category: 'account',
  events: accountEvents,
  initial: { balance: 0, frozen: false, movedAt: '' },
  evolve: (state, { type, data }) => {
    switch (type) {
      case 'Deposited':
        return { ...state, balance: state.balance + data.amount, movedAt: data.at }
      case 'Withdrawn':
        return { ...state, balance: state.balance - data.amount, movedAt: data.at }
      case 'Frozen':
        return { ...state, frozen: true }
    }
  },
  decide: (command, state) => {
    const { at } = command
    switch (command.type) {
      case 'Deposit':
        return right(
          command.amount === 0 ? [] : [{ type: 'Deposited', data: { amount: command.amount, at } }],
        )
      case 'Withdraw':
        if (state.frozen) return left({ code: 'frozen', message: 'it is frozen; thaw it first' })
        return state.balance < command.amount
          ? left({ code: 'overdrawn', message: `it holds ${state.balance}; ask for less` })
          : right([{ type: 'Withdrawn', data: { amount: command.amount, at } }])
      case 'Freeze':
        return right(state.frozen ? [] : [{ type: 'Frozen', data: {} }])
      case 'Break':
        throw new Error('the decider is broken')
      case 'Babble':
        return right([{ type: 'Deposited', data: { amount: Number.NaN, at } }])
    }
  },
}

export const accountStream = (id: string): string => `account-${id}`

const Order = t.intersection([t.type({ account: Text }), t.partial({ amount: NonNegativeInteger })])
type Order = t.TypeOf<typeof Order>

const types = {
  deposit: 'Deposit',
  withdraw: 'Withdraw',
  freeze: 'Freeze',
  break: 'Break',
  babble: 'Babble',
} as const
export type OrderType = keyof typeof types

export const ordersTopic: TopicSpec = {
  name: 'fonds.accounts.orders',
  description: 'What account holders want.',
  messages: Object.keys(types).map((type) => messageSpec(type, type, Order, { account: 'a', amount: 1 })),
  keyOf: (data) => (data as Order).account,
}

export const routeOrder = (message: Message): Route => {
  const { account, amount = 0 } = message.data as Order
  const type = types[message.type as OrderType]
  const command = { type, amount, actor: message.source, at: message.time } as AccountCommand
  return routeTo(accounts, accountStream(account), command)
}

export const accountProcessor: Processor = {
  name: 'fonds.accounts',
  topics: [ordersTopic],
  route: async (messages) => messages.map((message) => [routeOrder(message)]),
}
