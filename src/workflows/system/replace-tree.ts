import { parseCheckpoint, parseNote, toBase64 } from '@fonds/tlog'
import * as E from 'fp-ts/lib/Either.js'
import { orThrow } from '../../async/unavailable.ts'
import type { TreeReplaced } from '../../domain/kernel/proof/tree-events.ts'
import type { Rejection } from '../../domain/kernel/rejection.ts'
import { lastReplaced, treeMark } from '../../processors/runtime/tree-mark.ts'
import type { WorkflowContext } from '../workflow-context.ts'

type Tree = Pick<TreeReplaced, 'origin' | 'earlier'>

/** The tree of this home, or of the log, and the origin of the next. Throws `UnavailableError`. */
export const treeToReplace = async (system: WorkflowContext): Promise<E.Either<Rejection, Tree>> => {
  const { eventStore } = system
  const files = await system.proofLog()
  const head = await files.head()
  const mark = await treeMark(eventStore)
  const replaced = await lastReplaced(eventStore)
  const earlier = head
    ? { origin: head.text.split('\n', 1)[0]!, ...sizeOf(head.text) }
    : mark && { origin: mark }
  if (!earlier)
    return E.left({ code: 'no-tree', message: 'this log has no Merkle tree yet: `fonds start` begins one' })
  // The same again, until it was carried out.
  if (replaced && replaced.earlier.origin === earlier.origin)
    return E.right({ origin: replaced.origin, earlier: replaced.earlier })
  return E.right({ origin: await newOrigin(system), earlier })
}

const sizeOf = (head: string): Pick<TreeReplaced['earlier'], 'size' | 'root'> => {
  try {
    const { size, root } = parseCheckpoint(parseNote(head).text)
    return { size: `${size}`, root: toBase64(root) }
  } catch {
    // A damaged head says nothing.
    return {}
  }
}

/** An origin of this log that none of its trees had before. Throws `UnavailableError`. */
export const newOrigin = async ({
  config,
  eventStore,
  clock,
}: Pick<WorkflowContext, 'config' | 'eventStore' | 'clock'>): Promise<string> => {
  const log = (await orThrow(eventStore.identity())).replace(/[^A-Za-z0-9._-]/g, '_')
  return `${config.proofName}/${log}/${clock.now().replace(/[-:]|\.\d+/g, '')}`
}
