import { isOn as isRuleOn } from '../../domain/chain/rules.ts'
import { adopt } from '../../processors/chain/adoption.ts'
import { beginOf } from '../../processors/chain/begin.ts'
import { noteFindings } from '../../processors/chain/findings.ts'
import { adoptCommand } from '../../processors/chain/operator-commands.ts'
import { handOverStored } from '../../processors/chain/subscriptions.ts'
import { viewsReachOf } from '../../processors/runtime/views-reach.ts'
import { chain } from '../../projections/chain/projection.ts'
import { emptyWorkflow, type Workflow } from '../workflow.ts'
import { fixityStoreOf } from './fixity-store.ts'
import { chainModel } from './model.ts'
import { chainQuestions } from './questions.ts'
import type { ChainConfig } from './settings.ts'

/** The chain: rules between workflows, which know nothing of each other. What is switched off is not registered. */
export const chainWorkflow: Workflow<ChainConfig> = {
  ...emptyWorkflow,
  ...chainModel,
  questions: chainQuestions,
  commands: [adoptCommand],
  reactions: (context) =>
    isRuleOn('fixity', context.config.chain)
      ? [noteFindings(context.viewStore, viewsReachOf(chain.name, context))]
      : [],
  subscriptions: (context) => {
    if (!isRuleOn('fixity', context.config.chain)) return []
    const deps = {
      ...context,
      objectStore: context.adapters.ingest.objectStore,
      fixityStore: fixityStoreOf(context),
    }
    return [handOverStored(deps, beginOf('fixity', context)), adopt(deps)]
  },
  duties: (context) =>
    isRuleOn('fixity', context.config.chain)
      ? [
          // The rule begins with the first term, not with the first object: nothing that comes is taken for older.
          () => {
            const begun = beginOf('fixity', context)().catch((err: unknown) =>
              context.log.warn({ err }, 'the chain begins with the next object'),
            )
            return { stop: async () => void (await begun) }
          },
        ]
      : [],
  checks: async (context) => (await import('./checks.ts')).chainChecks(context),
}
