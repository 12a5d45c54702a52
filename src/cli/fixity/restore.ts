import type { System } from '../../app/system.ts'
import { sideBySide } from '../../async/side-by-side.ts'
import type { RestoreTier } from '../../domain/fixity/store/events.ts'
import { visible } from '../../domain/kernel/visible.ts'
import type { ArchivedObject, BucketRestorer } from '../../ports/bucket-restorer.ts'
import { restoreArchived } from '../../processors/fixity/restore-archived.ts'
import { fixityContext } from '../../workflows/fixity/context.ts'
import { carryOut, RejectedError } from '../ask-command.ts'
import { archivedItems, bucketOfStore, type RestoreScope, width } from './archived-items.ts'

/** Archived objects in scope, each counted once. */
export interface RestoreEstimate {
  readonly store: string
  readonly root: string
  /** Those to ask for: neither restored nor being restored. */
  readonly objects: number
  /** Bytes of `objects`. */
  readonly bytes: number
  /** `objects` and their bytes by class. */
  readonly classes: Readonly<Record<string, { readonly objects: number; readonly bytes: number }>>
  readonly underWay: number
  /** Their bytes can be read. */
  readonly restored: number
}

/** Result of `fonds fixity restore`. */
export interface RestoreSummary extends RestoreEstimate {
  readonly days: number
  readonly tier: RestoreTier
  /** Those of `objects` for which the bucket was asked, and did not refuse. */
  readonly accepted: number
  /** The others of `objects`: refused, or not asked for after a refusal that concerns all. */
  readonly refused: number
  /** The first of these, with the reason. */
  readonly notes: readonly { readonly path: string; readonly note: string }[]
}

export interface RestoreOptions extends RestoreScope {
  readonly days: number
  readonly tier: RestoreTier
  readonly actor: string
  readonly reason: string
}

const maxNotes = 1000

/** Counts what is archived in scope, and asks for nothing. Throws `RejectedError` and `UnavailableError`. */
export const estimateRestore = (
  system: System,
  store: string,
  scope: RestoreScope,
  signal: AbortSignal,
): Promise<RestoreEstimate> =>
  withRestorer(system, store, async (restorer, root) =>
    estimateOf(store, root, await archivedItems(system, store, restorer, scope, signal)),
  )

/**
 * Records who has what restored, then asks the bucket for each object. Throws `RejectedError` and `UnavailableError`; nothing
 * was asked for then.
 */
export const restoreItems = (
  system: System,
  store: string,
  { days, tier, actor, reason, ...scope }: RestoreOptions,
  signal: AbortSignal,
): Promise<RestoreSummary> =>
  withRestorer(system, store, async (restorer, root) => {
    const found = await archivedItems(system, store, restorer, scope, signal)
    const estimate = estimateOf(store, root, found)
    const { objects, bytes } = estimate
    const asked = found.filter(isAskedFor)
    failIfTooSoon(tier, asked)
    if (objects > 0) {
      const { prefix = '', item } = scope
      const input = {
        store,
        root,
        prefix,
        days,
        tier,
        objects,
        bytes,
        ...(item !== undefined && { path: item }),
      }
      await carryOut(system, restoreArchived, input, { actor, reason })
    }
    const outcome = await askForEach(restorer, asked, { days, tier, signal })
    return { ...estimate, days, tier, ...outcome }
  })

const withRestorer = async <A>(
  system: System,
  store: string,
  work: (restorer: BucketRestorer, root: string) => Promise<A>,
): Promise<A> => {
  const root = bucketOfStore(system, store)
  const restorer = await fixityContext(system).openRestorer(root)
  try {
    return await work(restorer, root)
  } finally {
    await restorer.close()
  }
}

const isAskedFor = ({ state }: ArchivedObject): boolean => state === 'archived'

const estimateOf = (store: string, root: string, found: readonly ArchivedObject[]): RestoreEstimate => {
  const classes: Record<string, { objects: number; bytes: number }> = {}
  const total = { objects: 0, bytes: 0 }
  for (const { storageClass, size } of found.filter(isAskedFor)) {
    classes[storageClass] ??= { objects: 0, bytes: 0 }
    for (const sum of [total, classes[storageClass]]) {
      sum.objects++
      sum.bytes += size
    }
  }
  const inState = (state: ArchivedObject['state']) => found.filter((one) => one.state === state).length
  return { store, root, ...total, classes, underWay: inState('under-way'), restored: inState('restored') }
}

/** S3 has no expedited restoration out of the deep archive. */
const failIfTooSoon = (tier: RestoreTier, asked: readonly ArchivedObject[]): void => {
  const deep = asked.find(({ storageClass }) => storageClass.startsWith('DEEP_ARCHIVE'))
  if (tier === 'Expedited' && deep)
    throw new RejectedError(
      `${visible(deep.path)} is in ${deep.storageClass}, which has no tier Expedited; give --tier Standard or Bulk`,
    )
}

const askForEach = async (
  restorer: BucketRestorer,
  asked: readonly ArchivedObject[],
  options: Parameters<BucketRestorer['restore']>[1],
): Promise<Pick<RestoreSummary, 'accepted' | 'refused' | 'notes'>> => {
  const notes: { path: string; note: string }[] = []
  let accepted = 0
  let refusedForAll = false
  await sideBySide(asked, width, async (object) => {
    options.signal.throwIfAborted()
    if (refusedForAll) return
    const answer = await restorer.restore(object, options)
    if (answer.kind !== 'refused') accepted++
    else {
      refusedForAll ||= answer.isForAll
      if (notes.length < maxNotes) notes.push({ path: object.path, note: answer.why })
    }
  })
  return { accepted, refused: asked.length - accepted, notes }
}
