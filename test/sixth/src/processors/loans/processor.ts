import * as t from 'io-ts'
import { Text } from '../../domain/kernel/codecs.ts'
import { earlier } from '../../domain/kernel/time.ts'
import {
  type LoanMessage,
  loanDecider,
  loanStream,
  ordersTopic,
  slipsTopic,
} from '../../domain/loans/loan.ts'
import type { Clock } from '../../ports/clock.ts'
import { operatorCommand } from '../runtime/operator-command.ts'
import type { Processor } from '../runtime/processor.ts'
import { routeTo } from '../runtime/route.ts'

export const loansProcessor = (days: () => number, clock: Clock): Processor => ({
  name: 'fonds.loans.desk',
  topics: [ordersTopic, slipsTopic],
  route: async (messages) =>
    (messages as readonly LoanMessage[]).map(({ source: actor, ...message }) => {
      const by = { actor, at: earlier(message.time, clock.now()) }
      const { item } = message.data
      return message.type === 'item.ordered'
        ? [
            routeTo(loanDecider, loanStream(item), {
              type: 'Order',
              reader: message.data.reader,
              days: days(),
              ...by,
            }),
          ]
        : [routeTo(loanDecider, loanStream(item), { type: 'Print', slip: message.data.slip, ...by })]
    }),
})

export const returnItem = operatorCommand({
  name: 'loans.return',
  description: 'Notes that an original is back in its place.',
  codec: t.type({ item: Text }),
  example: { item: 'Ms. 12' },
  route: ({ item }, by) => routeTo(loanDecider, loanStream(item), { type: 'Return', ...by }),
  short: {
    description: 'It may be ordered again from then on.',
    arguments: ['item'],
    done: ({ item }) => `${item} is back`,
    examples: [['return "Ms. 12" --actor bob --reason "left on the desk"', 'it is in its place']],
  },
})
