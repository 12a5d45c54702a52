import { isLeft } from 'fp-ts/lib/Either.js'
import { errorMessage } from '../../async/errors.ts'
import { compareHeads } from '../../domain/ingest/object/storage.ts'
import type { FoundRoot, Lacking } from '../../domain/ingest/storage/refusal.ts'
import { objects, versions } from '../../domain/ingest/views.ts'
import { is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import type { ObjectStore } from '../../ports/object-store.ts'
import type { ViewStore } from '../../ports/view-store.ts'

export interface KnownObjects {
  readonly viewStore: Pick<ViewStore, 'query'>
  readonly objectStore: () => Promise<ObjectStore>
}

/**
 * Objects compared from each end of their order, which does not follow time: to compare each of a million would take an
 * hour.
 */
const comparedAtEachEnd = 100

type ObjectRow = RowOf<typeof objects>

/**
 * Returns whether the log knows objects, and the first reason why this root lacks one of them. Reads nothing of an
 * empty root.
 */
export const lacking = async (
  { isEmpty }: FoundRoot,
  deps: KnownObjects,
): Promise<{ readonly knowsObjects: boolean; readonly lacks: Lacking }> => {
  const known = knownObjects(deps)
  const knowsObjects = known.length > 0
  if (isEmpty || !knowsObjects) return { knowsObjects, lacks: undefined }
  const store = await deps.objectStore().catch(errorMessage)
  if (typeof store === 'string') return { knowsObjects, lacks: store }
  for (const row of known) {
    const lacks = await lackingOf(row, store, deps)
    if (lacks !== undefined) return { knowsObjects, lacks }
  }
  return { knowsObjects, lacks: undefined }
}

const knownObjects = ({ viewStore }: KnownObjects): readonly ObjectRow[] => {
  const stored = [{ column: 'version', is: '>', value: 0 }] as const
  const some = (desc: boolean) =>
    rowsIfFolded(viewStore, objects, {
      where: stored,
      orderBy: [{ column: 'object', ...(desc && { descending: true }) }],
      limit: comparedAtEachEnd,
    })
  return [...new Map([...some(false), ...some(true)].map((row) => [row.object, row])).values()]
}

/** A later version in storage is no fault: its writer may not have reported it yet. */
const lackingOf = async (
  { object, version }: ObjectRow,
  store: ObjectStore,
  { viewStore }: KnownObjects,
): Promise<Lacking> => {
  const head = await store.head(object)()
  if (isLeft(head)) return `${object} cannot be read there`
  if (!head.right) return `${object}, which the log knows, is not there`
  const [known] = rowsIfFolded(viewStore, versions, {
    where: [is('object', object), is('version', version)],
    limit: 1,
  })
  switch (compareHeads(head.right, known ?? { version, inventoryDigest: head.right.inventoryDigest })) {
    case 'behind':
      return `${object} has version ${head.right.version} there, and the log knows version ${version}`
    case 'other':
      return `version ${version} of ${object} is another there than the log knows`
    default:
      return undefined
  }
}
