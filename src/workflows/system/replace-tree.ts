import { type Checkpoint, parseCheckpoint, parseNote, toBase64 } from '@fonds/tlog'
import { rawPublicKey, verifierOf } from '@fonds/tlog/compute'
import * as E from 'fp-ts/lib/Either.js'
import { orThrow } from '../../async/unavailable.ts'
import type { TreeReplaced } from '../../domain/kernel/proof/tree-events.ts'
import type { Rejection } from '../../domain/kernel/rejection.ts'
import { lastReplaced, treeMark } from '../../processors/runtime/tree-mark.ts'
import type { WorkflowContext } from '../workflow-context.ts'
import { headsElsewhere } from './heads-elsewhere.ts'

type Tree = Pick<TreeReplaced, 'origin' | 'earlier'>

type ReplacingContext = Pick<
  WorkflowContext,
  'config' | 'eventStore' | 'clock' | 'log' | 'proofLog' | 'proofPolicy' | 'proofFilesAt'
>

/** The tree of this home, or of the log, and the origin of the next. Throws `UnavailableError`. */
export const treeToReplace = async (system: ReplacingContext): Promise<E.Either<Rejection, Tree>> => {
  const { eventStore } = system
  const files = await system.proofLog()
  const head = await files.head()
  const mark = await treeMark(eventStore)
  const replaced = await lastReplaced(eventStore)
  const origin = head ? head.text.split('\n', 1)[0]! : mark
  if (origin === undefined)
    return E.left({ code: 'no-tree', message: 'this log has no Merkle tree yet: `fonds start` begins one' })
  // The same again, until it was carried out.
  if (replaced && replaced.earlier.origin === origin)
    return E.right({ origin: replaced.origin, earlier: replaced.earlier })
  const newest = newestOf([...headIn(head?.text), ...(await headsAtWitnesses(system, origin))])
  const known = newest && { size: `${newest.size}`, root: toBase64(newest.root) }
  return E.right({ origin: await newOrigin(system), earlier: { origin, ...known } })
}

/** A damaged head says nothing. */
export const headIn = (text: string | undefined): readonly Checkpoint[] => {
  try {
    return text === undefined ? [] : [parseCheckpoint(parseNote(text).text)]
  } catch {
    return []
  }
}

/** A home that was put back from before, or without its tree, has no newest head: a witness may. */
const headsAtWitnesses = async (system: ReplacingContext, origin: string): Promise<readonly Checkpoint[]> => {
  const keys = await (await system.proofLog()).keys()
  const found = await headsElsewhere(system, {
    origin,
    keys: keys ? [verifierOf(origin, 'ed25519', rawPublicKey(keys.ed25519))] : [],
    signal: new AbortController().signal,
  })
  return found.map(({ head }) => head)
}

const newestOf = (heads: readonly Checkpoint[]): Checkpoint | undefined =>
  heads.toSorted((a, b) => Number(b.size - a.size))[0]

/** An origin of this log that none of its trees had before. Throws `UnavailableError`. */
export const newOrigin = async ({
  config,
  eventStore,
  clock,
}: Pick<WorkflowContext, 'config' | 'eventStore' | 'clock'>): Promise<string> => {
  const log = (await orThrow(eventStore.identity())).replace(/[^A-Za-z0-9._-]/g, '_')
  return `${config.proofName}/${log}/${clock.now().replace(/[-:]|\.\d+/g, '')}`
}
