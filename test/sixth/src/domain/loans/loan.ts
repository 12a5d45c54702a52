import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { Text, Time } from '../kernel/codecs.ts'
import type { Decider } from '../kernel/decider.ts'
import { streamName } from '../kernel/event.ts'
import { type EventsOf, eventSet, eventSpec } from '../kernel/event-set.ts'
import { type MessagesOf, messageSpec, type TopicSpec } from '../kernel/message.ts'
import type { Rejection } from '../kernel/rejection.ts'
import { addMillis, DAY } from '../kernel/time.ts'
import { text, type ViewShape } from '../kernel/view.ts'

/* Originals that readers order to the reading room: a slip is printed for each, and they are due back some days later. */

const keyOf = (data: unknown): string => (data as { readonly item: string }).item

export const ordersTopic = {
  name: 'fonds.loans.orders',
  description: 'Originals that readers order.',
  messages: [
    messageSpec('item.ordered', 'A reader orders an original.', t.type({ item: Text, reader: Text }), {
      item: 'Ms. 12',
      reader: 'ada',
    }),
  ],
  keyOf,
} as const satisfies TopicSpec

export const slipsTopic = {
  name: 'fonds.loans.slips',
  description: 'Slips that a worker printed.',
  messages: [
    messageSpec('slip.printed', 'The slip of a loan was printed.', t.type({ item: Text, slip: Text }), {
      item: 'Ms. 12',
      slip: 'Ms.%2012.txt',
    }),
  ],
  keyOf,
} as const satisfies TopicSpec

export type LoanMessage = MessagesOf<typeof ordersTopic | typeof slipsTopic>

export const category = 'loan'
export const loanStream = (item: string): string => streamName(category, item)

export const loanEvents = eventSet(
  eventSpec(
    'ItemOrdered',
    'A reader has ordered an original.',
    t.type({ reader: Text, at: Time, due: Time }),
  ),
  eventSpec('SlipPrinted', 'The slip lies beside the original.', t.type({ slip: Text, at: Time })),
  eventSpec('ItemReturned', 'The original is back.', t.type({ actor: Text, reason: Text, at: Time })),
)
type LoanEvent = EventsOf<typeof loanEvents>

type LoanCommand = { readonly actor: string; readonly at: string } & (
  | { readonly type: 'Order'; readonly reader: string; readonly days: number }
  | { readonly type: 'Print'; readonly slip: string }
  | { readonly type: 'Return'; readonly reason: string }
)

/** Undefined: it is in its place. */
type Loan = { readonly reader: string; readonly slip?: string } | undefined

export const loanDecider: Decider<Loan, LoanCommand, LoanEvent, Rejection> = {
  category,
  events: loanEvents,
  initial: undefined,
  evolve: (loan, event) => {
    switch (event.type) {
      case 'ItemOrdered':
        return { reader: event.data.reader }
      case 'SlipPrinted':
        return loan && { ...loan, slip: event.data.slip }
      case 'ItemReturned':
        return undefined
    }
  },
  decide: (command, loan) => {
    const { at } = command
    if (command.type === 'Order') {
      const { reader, days } = command
      return loan
        ? E.left({ code: 'on-loan', message: `${loan.reader} has it; order it again when it is back` })
        : E.right([{ type: 'ItemOrdered', data: { reader, at, due: addMillis(at, days * DAY) } }])
    }
    if (!loan) return E.left({ code: 'not-on-loan', message: 'it is in its place' })
    if (command.type === 'Return')
      return E.right([{ type: 'ItemReturned', data: { actor: command.actor, reason: command.reason, at } }])
    return E.right(loan.slip === undefined ? [{ type: 'SlipPrinted', data: { slip: command.slip, at } }] : [])
  },
}

export const loans = {
  name: 'loans',
  description: 'Originals in the reading room.',
  key: ['item'],
  columns: { item: 'text', reader: text(), due: text(), slip: 'text' },
  indexes: [['due']],
  history: {},
} as const satisfies ViewShape
