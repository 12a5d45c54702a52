import { ingestCategory } from '../../domain/chain/inputs.ts'
import { rules } from '../../domain/chain/rules.ts'
import type { Subscription } from '../runtime/leader-subscription.ts'
import { type HandOverDependencies, handOver } from './hand-over.ts'

/** Events that are handed over together. */
const batchSize = 500

/** A rule of the chain: what is stored from its begin on is handed over. */
export const handOverStored = (deps: HandOverDependencies, begin: () => Promise<bigint>): Subscription => ({
  name: `chain-${deps.work.rule}`,
  filter: { categories: [ingestCategory], types: rules[deps.work.rule].listens.ingestObject },
  batchSize,
  handle: async ({ events }, isLeader) => {
    const after = await begin()
    if (!isLeader()) return false
    await handOver(
      events.filter(({ position }) => position > after),
      deps,
    )
    return true
  },
})
