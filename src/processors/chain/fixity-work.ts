import { countsOf, messagesOf } from '../../domain/chain/handing-over.ts'
import type { ObjectStore } from '../../ports/object-store.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import type { RuleWork } from './hand-over.ts'
import { withdrawalMessages } from './withdrawal.ts'

interface Dependencies {
  readonly viewStore: Pick<ViewStore, 'query'>
  readonly objectStore: () => Promise<Pick<ObjectStore, 'added'>>
  /** Makes sure that fixity knows the storage root; returns its name there. */
  readonly fixityStore: () => Promise<string>
}

/** The rule `fixity`: files of versions are under fixity. */
export const fixityWork = (deps: Dependencies): RuleWork => ({
  rule: 'fixity',
  store: deps.fixityStore,
  offer: async ({ of, brought, listed }) => ({
    messages: messagesOf(of, brought, listed),
    ...countsOf(brought, of.isLast),
  }),
  withdraw: (withdrawal) => withdrawalMessages(withdrawal, deps),
})
