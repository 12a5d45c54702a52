import type { System } from '../../app/system.ts'
import { sideBySide } from '../../async/side-by-side.ts'
import type { ContentObservation } from '../../domain/fixity/messages.ts'
import type { MoveProofs } from '../../domain/fixity/store/events.ts'
import { proofOfMove } from '../../domain/fixity/store/moving.ts'
import { rootProblem, storeRoot } from '../../domain/fixity/store/root.ts'
import { items, stores } from '../../domain/fixity/views.ts'
import { countRows, is, row } from '../../domain/kernel/read-views.ts'
import { moveStore } from '../../processors/fixity/move-store.ts'
import { wantedAlgorithms } from '../../workers/fixity/examine.ts'
import { findStore } from '../../workers/fixity/find-store.ts'
import type { HashOutcome } from '../../workers/fixity/hash-content.ts'
import type { HashPool } from '../../workers/fixity/hash-pool.ts'
import { fixityContext } from '../../workflows/fixity/context.ts'
import { recordingBucketUse } from '../../workflows/fixity/record-bucket-use.ts'
import { type ItemRow, recordedItems } from '../../workflows/fixity/recording/moves.ts'
import { carryOut, RejectedError } from '../ask-command.ts'
import { openHashPool } from './open-hash-pool.ts'

/** Result of `fonds fixity move-store`. */
export interface MoveSummary extends Readonly<MoveProofs> {
  readonly store: string
  readonly from: string
  readonly root: string
  /** True if the store has the new root now: every item was proven. */
  readonly moved: boolean
  /** Recorded items that were compared. */
  readonly items: number
  /** Items that were not proven. */
  readonly unproven: number
  /** The first of these, with the reason. */
  readonly notes: readonly { readonly path: string; readonly note: string }[]
  readonly notesLeftOut: number
}

interface MoveOptions {
  readonly actor: string
  readonly reason: string
  readonly signal: AbortSignal
  readonly onProgress: (step: { readonly done: number; readonly total: number }) => void
}

/** Items that are read side by side; the threads take them one after the other. */
const width = 64
const maxNotes = 1000

/**
 * Reads every recorded item at the store's root and at the new one. Moves the store if each is proven to be the same;
 * copies nothing. Throws `RejectedError`.
 */
export const moveStoreTo = async (
  system: System,
  store: string,
  root: string,
  { actor, reason, signal, onProgress }: MoveOptions,
): Promise<MoveSummary> => {
  const { viewStore } = system
  const from = await presentRoot(system, store, root)
  const counts = { same: 0, byRecord: 0, inNeither: 0, bytes: 0 }
  const notes: { path: string; note: string }[] = []
  let done = 0
  let unproven = 0
  const total = countRows(viewStore, items, is('store', store), is('removed', 0))
  const pool = openHashPool(system)
  const prove = async (item: ItemRow) => {
    const { path, size, checksums } = item
    const recorded = { checksums, ...(size !== null && { size }) }
    const [before, after] = await Promise.all([
      seenAt(pool, from, item, signal),
      seenAt(pool, root, item, signal),
    ])
    const proof = proofOfMove({ recorded, before, after })
    if (after.status === 'read') counts.bytes += after.size
    if (proof.kind !== 'none') counts[proof.kind]++
    else if (unproven++ < maxNotes) notes.push({ path, note: proof.why })
    onProgress({ done: ++done, total })
  }
  const proveAll = async (isMeant: (item: ItemRow) => boolean) => {
    let batch: ItemRow[] = []
    for (const item of recordedItems(viewStore, store)) {
      if (!isMeant(item)) continue
      batch.push(item)
      if (batch.length < width) continue
      await sideBySide(batch, width, prove)
      batch = []
    }
    await sideBySide(batch, width, prove)
  }
  try {
    const started = system.clock.now()
    const isOlder = ({ recordedAt }: ItemRow) => (recordedAt ?? '') < started
    const proveEach = async () => {
      await proveAll(isOlder)
      // Others may have recorded more meanwhile.
      await proveAll((item) => !isOlder(item))
    }
    // The new root is no store's before it is moved.
    await recordingBucketUse(system, proveEach, new Map([[storeRoot(root), store]]))
  } finally {
    await pool.close()
  }
  const moved = unproven === 0
  if (moved) await carryOut(system, moveStore, { store, from, root, proof: counts }, { actor, reason })
  const notesLeftOut = unproven - notes.length
  return { store, from, root, moved, items: done, ...counts, unproven, notes, notesLeftOut }
}

/** Returns the present root. Throws `RejectedError` if the store cannot move, or nothing of it is at the new root. */
const presentRoot = async (system: System, store: string, root: string): Promise<string> => {
  const known = row(system.viewStore, stores, is('store', store))
  if (!known)
    throw new RejectedError(
      `there is no store ${store}; see \`fonds query fixity-stores\` for those there are`,
    )
  const { kind, root: from } = known
  if (kind === 'external' || from === null)
    throw new RejectedError(`store ${store} is external: its reader knows where it is`)
  const problem = rootProblem(root)
  if (problem) throw new RejectedError(`the new root of store ${store} ${problem}`)
  if (from === root) throw new RejectedError(`store ${store} is at ${root} already`)
  const found = await findStore(fixityContext(system), store, root)
  if (!found.isThere)
    throw new RejectedError(`store ${store} cannot move: ${found.why}; copy its content there first`)
  return from
}

/** Reads an item, with a SHA-256 beside the digests that are recorded. */
const seenAt = async (
  pool: HashPool,
  root: string,
  { path, checksums }: ItemRow,
  signal: AbortSignal,
): Promise<ContentObservation> => {
  const algorithms = [...new Set([...wantedAlgorithms(checksums), 'sha-256' as const])]
  const outcome = await pool.hash({ root, path, algorithms, signal })
  signal.throwIfAborted()
  return observationOf(outcome)
}

const observationOf = (outcome: HashOutcome): ContentObservation => {
  switch (outcome.status) {
    case 'read':
      return { status: 'read', size: outcome.bytes, checksums: [...outcome.checksums] }
    case 'machine':
      return { status: 'failed', error: outcome.reason }
    case 'aborted':
      return { status: 'failed', error: 'the reading was stopped' }
    default:
      return outcome
  }
}
