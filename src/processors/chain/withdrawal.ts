import { isLeft } from 'fp-ts/lib/Either.js'
import { UnavailableError } from '../../async/unavailable.ts'
import { type Brought, removed, type Sent, sharedMessages } from '../../domain/chain/handing-over.ts'
import type { DossierState } from '../../domain/chain/state.ts'
import { parts as partsView } from '../../domain/chain/views.ts'
import { is } from '../../domain/kernel/read-views.ts'
import { pagesOf } from '../../domain/kernel/view-pages.ts'
import type { ObjectStore } from '../../ports/object-store.ts'
import type { ViewStore } from '../../ports/view-store.ts'

export interface Withdrawal {
  readonly object: string
  /** The last version that is left; 0: none. */
  readonly keep: number
  readonly reason: string
  readonly state: DossierState
}

interface Dependencies {
  readonly viewStore: Pick<ViewStore, 'query'>
  readonly objectStore: () => Promise<Pick<ObjectStore, 'added'>>
}

/**
 * Takes the files of withdrawn versions from the schedule. Those at the top of an object that is left are the last version's
 * again. Throws `UnavailableError` until all that was handed over is recorded.
 */
export const withdrawalMessages = async (
  { object, keep, reason, state }: Withdrawal,
  deps: Dependencies,
): Promise<{ readonly messages: readonly Sent[]; readonly parts: number; readonly shared: number }> => {
  const { from = [], parts: expected = 0 } = state.withdrawing ?? {}
  // Those that were withdrawn before the process ended are there, too: a repetition sends the same.
  const there = [...pagesOf(deps.viewStore, partsView, { where: [is('object', object)] })].flat()
  if (there.length < expected)
    throw new UnavailableError(
      `${there.length} of the ${expected} files of ${object} are recorded so far; their withdrawal waits`,
    )
  const top = await topOf(object, keep, state, deps)
  const again = new Set(top?.shared.map(({ place }) => `${top.folder}/${place}`))
  const taken = there.filter(({ version, path }) => from.includes(version) && !again.has(path))
  const store = there[0]?.store
  const restored =
    top && store !== undefined ? sharedMessages({ object, version: keep, batch: undefined, store }, top) : []
  return {
    messages: [...taken.map((part) => removed(part.store, part.path, reason)), ...restored],
    parts: taken.length,
    shared: restored.length,
  }
}

/** Files at the top of the object by its last version that is left; undefined if none is, or it was never handed over. */
const topOf = async (
  object: string,
  keep: number,
  { versions }: DossierState,
  { objectStore }: Dependencies,
): Promise<Pick<Brought, 'folder' | 'shared'> | undefined> => {
  const last = versions.get(keep)
  if (!last?.handedOver.includes('fixity')) return undefined
  const found = await (await objectStore()).added(object, keep, last.inventoryDigest)()
  if (isLeft(found) && found.left.kind === 'Unavailable') throw new UnavailableError(found.left.reason)
  return isLeft(found) ? undefined : found.right
}
