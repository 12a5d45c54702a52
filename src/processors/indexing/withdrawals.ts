import { orThrow } from '../../async/unavailable.ts'
import { decider } from '../../domain/indexing/decide.ts'
import { type ArchiveFile, category, fileOf } from '../../domain/indexing/file.ts'
import { idOf } from '../../domain/kernel/event.ts'
import type { Subscription } from '../runtime/leader-subscription.ts'
import type { StreamStates } from '../runtime/stream-states.ts'

/** Removes the lines of withdrawn files from the index. It is idempotent. */
export const withdrawals = (
  { states }: { readonly states: StreamStates },
  withdraw: (file: ArchiveFile) => Promise<void>,
): Subscription => ({
  name: 'indexing-withdrawals',
  filter: { categories: [category], types: ['FileWithdrawn'] },
  handle: async ({ events }, isLeader) => {
    for (const { stream } of events) {
      if (!isLeader()) return false
      // The file may have been restored since, with lines that stay.
      const { state } = await orThrow(() => states.load(decider, stream))
      if (state.status === 'withdrawn') await withdraw(fileOf(idOf(stream)))
    }
    return true
  },
})
