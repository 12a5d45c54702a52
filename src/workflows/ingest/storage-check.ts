import { UnavailableError } from '../../async/unavailable.ts'
import { adoptedRoot, refusalSoFar } from '../../processors/ingest/storage-guard.ts'
import { type Finding, fail, ok } from '../finding.ts'
import type { IngestContext } from './context.ts'

/**
 * Checks whether the storage root in the settings is the archive's. Returns nothing for an archive that has none yet,
 * nor while the log, which knows it, cannot be read: that has findings of its own.
 */
export const storageRoot = async (context: IngestContext): Promise<readonly Finding[]> => {
  try {
    const adopted = await adoptedRoot(context)
    if (!adopted) return []
    const refusal = await refusalSoFar(context)
    return refusal === undefined
      ? [ok('storage', `${adopted.root}, the archive's storage root, is there`)]
      : [fail('storage', refusal, 'nothing is taken in here before')]
  } catch (error) {
    if (error instanceof UnavailableError) return []
    throw error
  }
}
