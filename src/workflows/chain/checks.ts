import { dossiers } from '../../domain/chain/views.ts'
import { plural } from '../../domain/kernel/amounts.ts'
import { countRows, is } from '../../domain/kernel/read-views.ts'
import { type Finding, fail, ok, warn } from '../finding.ts'
import type { WorkflowContext } from '../workflow-context.ts'
import { otherRoot, rootInLog, rootOf } from './fixity-store.ts'
import { isOn, rulesOn } from './model.ts'
import type { ChainConfig } from './settings.ts'

/** Whether objects can be handed over, and how many are at risk. No line where no rule is on. */
export const chainChecks = async ({
  config,
  eventStore,
  viewStore,
}: Pick<WorkflowContext<ChainConfig>, 'config' | 'eventStore' | 'viewStore'>): Promise<
  readonly Finding[]
> => {
  if (!isOn(config)) return []
  const root = rootOf(config)
  const known = rulesOn(config).includes('fixity')
    ? await rootInLog({ eventStore }, config.chainStore)
    : undefined
  if (known !== undefined && known !== root)
    return [
      fail(
        'chain',
        otherRoot(config.chainStore, known, root),
        'until then nothing that is stored is under fixity',
      ),
    ]
  if (!viewStore.shape(dossiers.name)) return []
  const atRisk = countRows(viewStore, dossiers, is('state', 'at-risk'))
  return [
    atRisk === 0
      ? ok('chain', 'no object is at risk')
      : warn(
          'chain',
          `${plural(atRisk, 'object')} at risk`,
          '`fonds chain objects --state at-risk` names them',
        ),
  ]
}
