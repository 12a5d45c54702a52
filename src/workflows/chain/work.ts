import { orThrow } from '../../async/unavailable.ts'
import type { RuleName } from '../../domain/chain/rules.ts'
import { carriedIn } from '../../processors/chain/carried-by.ts'
import { embargoIn } from '../../processors/chain/embargo-of-version.ts'
import { fixityWork } from '../../processors/chain/fixity-work.ts'
import type { RuleWork } from '../../processors/chain/hand-over.ts'
import { indexingWork } from '../../processors/chain/indexing-work.ts'
import { viewsReachOf } from '../../processors/runtime/views-reach.ts'
import { chain } from '../../projections/chain/projection.ts'
import type { WorkflowContext } from '../workflow-context.ts'
import { fixityStoreOf, rootOf } from './fixity-store.ts'
import type { ChainConfig } from './settings.ts'

/** Returns what each rule does in this system. */
export const workIn = (context: WorkflowContext<ChainConfig>): ((rule: RuleName) => RuleWork) => {
  const { config, eventStore, viewStore, execute, clock, adapters } = context
  const reach = viewsReachOf(chain.name, context)
  const works: Readonly<Record<RuleName, RuleWork>> = {
    fixity: fixityWork({
      viewStore,
      objectStore: adapters.ingest.objectStore,
      fixityStore: fixityStoreOf(context),
    }),
    indexing: indexingWork({
      ...{ viewStore, execute, clock, embargoOf: embargoIn(adapters.ingest.objectStore) },
      carriedBy: carriedIn(adapters.ingest.objectStore),
      ...{ store: config.chainStore, root: rootOf(config) },
      viewsCatchUp: async () => reach(await orThrow(eventStore.head()), new AbortController().signal),
    }),
  }
  return (rule) => works[rule]
}
