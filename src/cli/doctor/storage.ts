import { isLeft } from 'fp-ts/lib/Either.js'
import type { System } from '../../app/system.ts'
import { refusalOf } from '../../domain/ingest/storage/refusal.ts'
import { adoptedRoot } from '../../processors/ingest/storage-guard.ts'
import { type Finding, fail, ok } from './finding.ts'

/** Is the storage root that the setting names the archive's? Nothing is said of an archive that has none yet. */
export const storageRoot = async (system: System): Promise<readonly Finding[]> => {
  const adopted = await adoptedRoot(system)
  if (!adopted) return []
  const found = await system.storageRoot.look()()
  const refusal = isLeft(found) ? found.left.reason : refusalOf(found.right, adopted)
  return refusal === undefined
    ? [ok('storage', `${adopted.root}, the archive's storage root, is there`)]
    : [fail('storage', refusal, 'nothing is taken in here before')]
}
