import { tileWidth, type Verifier } from '@fonds/tlog'
import { isLeft } from 'fp-ts/lib/Either.js'
import { parseEventEntry } from '../../../domain/kernel/proof/event-leaf.ts'
import { DAY, HOUR } from '../../../domain/kernel/time.ts'
import type { EventStore } from '../../../ports/event-store.ts'
import type { ProofLog } from '../../../ports/proof-log.ts'
import { eventAt } from '../find-place.ts'
import { BrokenTree, entryReader, openHead } from '../open-tree.ts'
import { checkLog } from './check-log.ts'
import { type CheckState, checkStateOf, mostKept } from './check-state.ts'
import { compareLog } from './compare-log.ts'
import { expectTilesOf } from './expect-tiles.ts'

/*
 * A part of the log is compared with the tree each hour, and the tree's entries with its hashes, so that each is at least once in
 * thirty days. Where a part differs the whole log is compared at once: a part alone cannot tell what was moved across its edge.
 */

const parts = (30 * DAY) / HOUR
const leastLeaves = 4 * tileWidth

interface CheckDependencies {
  readonly eventStore: EventStore
  readonly files: ProofLog
  readonly verifiers: readonly Verifier[]
  /** Signed head of the tree. */
  readonly head: string
  /** ISO 8601. */
  readonly now: string
  readonly signal: AbortSignal
}

/** Compares the next part if an hour has passed, and keeps what was found. Undefined if it was aborted before any. Throws `UnavailableError`. */
export const checkNextPart = async (deps: CheckDependencies): Promise<CheckState | undefined> => {
  const { files, head, verifiers, now } = deps
  const { origin, size } = openHead(head, verifiers)
  const state = await checkStateOf(files, origin)
  const age = state ? Date.parse(now) - Date.parse(state.at) : HOUR
  if (state && age >= 0 && age < HOUR) return state
  const begun = state && BigInt(state.next) < size ? BigInt(state.next) : 0n
  const share = size / BigInt(parts) + 1n
  const count = share > BigInt(leastLeaves) ? share : BigInt(leastLeaves)
  const end = begun + count < size ? begun + count : size
  const isWhole = end === size
  const found = await differencesIn(deps, size, begun, end)
  if (deps.signal.aborted) return state
  const next: CheckState =
    found.length > 0
      ? { origin, at: now, next: '0', wholeAt: now, differences: [...found] }
      : {
          ...{ origin, at: now, next: `${isWhole ? 0n : end}` },
          wholeAt: isWhole ? now : (state?.wholeAt ?? null),
          // They stay until all parts from the first on were compared without one.
          differences: isWhole ? [] : (state?.differences ?? []),
        }
  await files.keepCheckState(JSON.stringify(next))
  return next
}

/** Where the part differs, the whole log is compared: its differences. Damaged files of the tree count as one. */
const differencesIn = async (
  deps: CheckDependencies,
  size: bigint,
  from: bigint,
  end: bigint,
): Promise<readonly string[]> => {
  try {
    return (await isSame(deps, size, from, end)) ? [] : await allDifferences(deps)
  } catch (error) {
    if (deps.signal.aborted) return []
    if (error instanceof BrokenTree) return [error.message]
    throw error
  }
}

const isSame = async (
  { eventStore, files, signal }: CheckDependencies,
  size: bigint,
  from: bigint,
  end: bigint,
): Promise<boolean> => {
  const entry = entryReader(files, size)
  async function* entries(): AsyncGenerator<Uint8Array> {
    for (let index = from; index < end; index++) {
      signal.throwIfAborted()
      yield await entry(index)
      const width = BigInt(tileWidth)
      if (index % width === width - 1n) await expectTilesOf(files, index / width, size)
    }
  }
  let differences = 0
  const after = await positionBefore(eventStore, entry, from)
  const count = () => void differences++
  await compareLog(eventStore, entries(), count, () => {}, { after, countsUnsealed: false })
  return differences === 0
}

/** Position of the event of the nearest leaf before, which its stream still shows. */
const positionBefore = async (
  eventStore: EventStore,
  entry: (index: bigint) => Promise<Uint8Array>,
  from: bigint,
): Promise<bigint> => {
  for (let index = from - 1n; index >= 0n; index--) {
    const leaf = parseEventEntry(await entry(index))
    const event = isLeft(leaf) ? undefined : await eventAt(eventStore, leaf.right)
    if (event) return event.position
  }
  return -1n
}

const allDifferences = async ({
  eventStore,
  files,
  head,
  verifiers,
  signal,
}: CheckDependencies): Promise<string[]> => {
  const found: string[] = []
  await checkLog(eventStore, files, head, verifiers, {
    onDifference: ({ says }) => {
      if (found.length < mostKept) found.push(says)
    },
    onProgress: () => {},
    signal,
  })
  return found
}
