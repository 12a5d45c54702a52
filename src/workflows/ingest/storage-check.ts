import { UnavailableError } from '../../async/unavailable.ts'
import { adoptedRoot, refusalSoFar } from '../../processors/ingest/storage-guard.ts'
import { type Finding, fail, ok } from '../finding.ts'
import type { WorkflowContext } from '../workflow-context.ts'

/**
 * Is the storage root that the setting names the archive's? Nothing is said of an archive that has none yet, nor while the log,
 * which knows it, cannot be read: that has findings of its own.
 */
export const storageRoot = async (system: WorkflowContext): Promise<readonly Finding[]> => {
  try {
    const adopted = await adoptedRoot(system)
    if (!adopted) return []
    const refusal = await refusalSoFar(system)
    return refusal === undefined
      ? [ok('storage', `${adopted.root}, the archive's storage root, is there`)]
      : [fail('storage', refusal, 'nothing is taken in here before')]
  } catch (error) {
    if (error instanceof UnavailableError) return []
    throw error
  }
}
