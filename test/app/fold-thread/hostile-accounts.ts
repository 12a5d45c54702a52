import { isMainThread } from 'node:worker_threads'
import { accounts } from '../../projections/runtime/accounts.ts'

/** Payments of these amounts end the thread that folds them, where it is not the main one: in the middle of a transaction. */
export const amounts = { exits: 666, throws: 667 } as const

/** Accounts whose payments can end a thread. */
export default [
  accounts({
    before: (amount) => {
      if (isMainThread) return
      if (amount === amounts.exits) process.exit(1)
      if (amount === amounts.throws)
        queueMicrotask(() => {
          throw new Error('the thread breaks')
        })
    },
  }),
]
