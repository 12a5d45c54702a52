import { adopt } from '../../processors/chain/adoption.ts'
import { beginOf } from '../../processors/chain/begin.ts'
import { noteFindings } from '../../processors/chain/findings.ts'
import { noteIndexing } from '../../processors/chain/indexed.ts'
import { adoptCommand } from '../../processors/chain/operator-commands.ts'
import { handOverStored } from '../../processors/chain/subscriptions.ts'
import { viewsReachOf } from '../../processors/runtime/views-reach.ts'
import { chain } from '../../projections/chain/projection.ts'
import { emptyWorkflow, type Workflow } from '../workflow.ts'
import { chainModel, rulesOn } from './model.ts'
import { chainQuestions } from './questions.ts'
import type { ChainConfig } from './settings.ts'
import { workIn } from './work.ts'

/** The chain: rules between workflows, which know nothing of each other. What is switched off is not registered. */
export const chainWorkflow: Workflow<ChainConfig> = {
  ...emptyWorkflow,
  ...chainModel,
  questions: chainQuestions,
  commands: [adoptCommand],
  reactions: (context) => {
    const reach = viewsReachOf(chain.name, context)
    const reactions = {
      fixity: () => noteFindings(context.viewStore, reach),
      indexing: () => noteIndexing(context.viewStore, reach),
    }
    return rulesOn(context.config).map((rule) => reactions[rule]())
  },
  subscriptions: (context) => {
    const on = rulesOn(context.config)
    if (on.length === 0) return []
    const deps = { ...context, on, objectStore: context.adapters.ingest.objectStore }
    const workOf = workIn(context)
    return [
      ...on.map((rule) => handOverStored({ ...deps, work: workOf(rule) }, beginOf(rule, context))),
      adopt({ ...deps, workOf }),
    ]
  },
  duties: (context) =>
    // Rules begin with the first term, not with the first object: nothing that comes is taken for older.
    rulesOn(context.config).map((rule) => () => {
      const begun = beginOf(rule, context)().catch((err: unknown) =>
        context.log.warn({ err, rule }, 'the rule of the chain begins with the next object'),
      )
      return { stop: async () => void (await begun) }
    }),
  checks: async (context) => (await import('./checks.ts')).chainChecks(context),
}
