import { describe, it } from 'vitest'
import { archiveStores } from './archive-stores.ts'
import { type FaultKind, failEachCall } from './each-call.ts'
import { incomingStores } from './incoming-stores.ts'
import { indexStores } from './index-stores.ts'
import { proofStores } from './proof-stores.ts'

const kinds: readonly FaultKind[] = ['full', 'read-only', 'broken', 'short']
const stores = Object.entries({ ...archiveStores, ...indexStores, ...incomingStores, ...proofStores })

describe.each(stores)('%s', (_, store) => {
  it.each(kinds)(
    'is whole or not there, and comes when it is done again: a disk that is %s at each call in turn',
    async (kind) => {
      await failEachCall(store, kind)
    },
  )
})
