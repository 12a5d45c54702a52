import { setImmediate } from 'node:timers/promises'
import { toBase64 } from '@fonds/tlog'
import { emptyTree, leafHash } from '@fonds/tlog/compute'
import * as E from 'fp-ts/lib/Either.js'
import type { ViewSealed } from '../../domain/kernel/proof/statements.ts'
import { rowEntryOf } from '../../domain/kernel/proof/view-row.ts'
import type { Rejection } from '../../domain/kernel/rejection.ts'
import type { Row } from '../../domain/kernel/view.ts'
import type { ViewSnapshot, ViewStore } from '../../ports/view-store.ts'
import { catchUp } from '../../projections/runtime/catch-up.ts'
import type { WorkflowContext } from '../workflow-context.ts'
import { projectionsOf } from '../workflow-model.ts'
import { program } from './program.ts'

export type SealedView = Omit<ViewSealed, 'at' | 'reason'>

/** Rows between two turns of other work: some 5 ms. */
const breath = 1000

/** A row with its entry. */
export interface RowLeaf {
  readonly row: Row
  readonly entry: Uint8Array
}

/** The rows of a view with their entries, in the order of the key, some at a time. Memory does not grow with them. */
export async function* rowLeaves(
  snapshot: ViewSnapshot,
  view: string,
  signal?: AbortSignal,
): AsyncGenerator<readonly RowLeaf[]> {
  const shape = snapshot.views.find(({ name }) => name === view)!
  const entryOf = rowEntryOf(shape)
  let some: RowLeaf[] = []
  for (const row of snapshot.rows(view)) {
    some.push({ row, entry: Buffer.from(entryOf(row)) })
    if (some.length < breath) continue
    yield some
    some = []
    signal?.throwIfAborted()
    await setImmediate()
  }
  yield some
}

/** The statement on a view as it is in a snapshot. */
export const sealOf = async (
  snapshot: ViewSnapshot,
  view: string,
  signal?: AbortSignal,
): Promise<SealedView> => {
  const { projection, version, position } = snapshot.generation(view)
  const tree = emptyTree()
  for await (const leaves of rowLeaves(snapshot, view, signal))
    for (const { entry } of leaves) tree.append(leafHash(entry))
  return {
    ...{ projection, view, version, program: program(), position: `${position}` },
    ...{ rows: Number(tree.size), root: toBase64(tree.root()) },
  }
}

/** Does something with one moment of the views. */
export const inSnapshot = async <A>(
  viewStore: Pick<ViewStore, 'snapshot'>,
  work: (snapshot: ViewSnapshot) => Promise<A>,
): Promise<A> => {
  const snapshot = await viewStore.snapshot()
  try {
    return await work(snapshot)
  } finally {
    snapshot.close()
  }
}

/** The statement on a view, once it is folded to the end of the log. Throws `UnavailableError`. */
export const viewToSeal = async (
  view: string,
  { workflows, eventStore, viewStore }: Pick<WorkflowContext, 'workflows' | 'eventStore' | 'viewStore'>,
): Promise<E.Either<Rejection, SealedView>> => {
  const projections = projectionsOf(workflows)
  const projection = projections.find(({ views }) => views.some(({ name }) => name === view))
  if (!projection)
    return E.left({
      code: 'no-such-view',
      message: `there is no view ${view}; there are ${projections.flatMap(({ views }) => views.map(({ name }) => name)).join(', ')}`,
    })
  await catchUp({ eventStore, viewStore, projections: [projection] })
  return E.right(await inSnapshot(viewStore, (snapshot) => sealOf(snapshot, view)))
}
