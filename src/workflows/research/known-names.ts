import { orThrow } from '../../async/unavailable.ts'
import { is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import type { Researcher } from '../../domain/research/episode/commands.ts'
import { clips, episodes } from '../../domain/research/views.ts'
import { policyState } from '../../processors/research/policy-lookup.ts'
import { researcherNames } from '../../processors/research/researcher-names.ts'
import type { OperatorCommand } from '../../processors/runtime/operator-command.ts'
import type { SystemCommand } from '../workflow.ts'
import type { WorkflowContext } from '../workflow-context.ts'

/* Names that people and programs give, where the log has references in their place. */

type Naming = Pick<WorkflowContext, 'config' | 'personal' | 'states'>

/** A researcher who takes an item: the name is kept from now on. Throws `UnavailableError`. */
export const researcherInLog =
  ({ config, personal, states }: Naming) =>
  async (researcher: string): Promise<Researcher> => {
    if (config.personalValues === 'off') return { researcher }
    const [reference] = await orThrow(personal.sealTyped([researcher]), 'personal values')
    return (await researcherNames({ personal, states })(new Set([reference!])))(reference!)
  }

/** Commands find a researcher or a curator by either name, and keep none that the log does not have. */
export const byKnownNames = (command: OperatorCommand): SystemCommand => ({
  ...command,
  byLog: (input, context) => withNames(input as Names, context),
})

interface Names {
  readonly researcher?: string
  readonly curator?: string
}

const withNames = async (input: Names, context: WorkflowContext): Promise<Names> => {
  const { researcher, curator } = input
  const given = researcher ?? curator
  if (given === undefined || context.config.personalValues === 'off') return input
  const reference = await orThrow(context.personal.referenceOf(given), 'personal values')
  if (reference === undefined) return input
  if (researcher !== undefined) {
    const nameOf = await researcherNames(context)(new Set([reference]))
    return { ...input, researcher: nameOf(reference).researcher }
  }
  const formerly = (await isPlain(given, context)) && { formerly: given }
  return { ...input, curator: reference, ...formerly }
}

/** True if the log names a curator so. */
const isPlain = async (curator: string, { viewStore, states }: WorkflowContext): Promise<boolean> => {
  const { pinnedCurators, excludedCurators } = await policyState(states)
  return (
    pinnedCurators.has(curator) ||
    excludedCurators.has(curator) ||
    [episodes, clips].some(
      (view) => rowsIfFolded(viewStore, view, { where: [is('curator', curator)], limit: 1 }).length > 0,
    )
  )
}
