import type { Cause } from '../../../workflows/cause.ts'
import { counted } from '../../../workflows/cause.ts'
import type { System } from '../../system.ts'
import { checkStateOf } from './check-state.ts'

/** Results of the last comparisons of the log with this home's tree: the first differences, a sentence each. Throws `UnavailableError`. */
export const foundDifferences = async ({
  proofLog,
}: Pick<System, 'proofLog'>): Promise<readonly string[]> => {
  const files = await proofLog()
  const head = await files.head()
  const origin = head?.text.split('\n', 1)[0]
  return (origin !== undefined && (await checkStateOf(files, origin))?.differences) || []
}

/** Notices tell it, whoever found it: the sealer, `fonds proof check` or a rebuild. */
export const differenceCauses = async (system: Pick<System, 'proofLog'>): Promise<readonly Cause[]> => {
  const differences = await foundDifferences(system)
  return counted(differences.length, (count) => ({
    key: 'proof',
    says: `the log is not what was sealed: ${differences[0]}${count > 1 ? `; and at least ${count - 1} more` : ''}`,
    brief: 'the log is not what was sealed',
    todo: '`fonds proof check` names all differences; compare with a backup, and keep both',
  }))
}
