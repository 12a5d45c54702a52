import { InvalidNote, UntrustedNote, type Verifier } from '@fonds/tlog'
import { errorMessage } from '../../../async/errors.ts'
import { orThrow } from '../../../async/unavailable.ts'
import { acceptedEvents, differencesStream } from '../../../domain/kernel/proof/tree-events.ts'
import type { EventFilter, EventStore } from '../../../ports/event-store.ts'
import type { ProofLog } from '../../../ports/proof-log.ts'
import { readOrStop } from '../../../processors/runtime/read-or-stop.ts'
import type { Examination } from '../../../projections/runtime/rebuild.ts'
import type { System } from '../../system.ts'
import { BrokenTree, openHead, originIn } from '../open-tree.ts'
import { verifiersOf } from '../signers.ts'
import { createAsSealed } from './as-sealed.ts'
import { checkLog } from './check-log.ts'
import { keepWhole } from './check-state.ts'
import { type Difference, differencesDigest } from './differences.ts'

/** How the log stands beside its tree. */
export interface Examined {
  readonly verdict: 'same' | 'different' | 'accepted'
  readonly origin: string
  /** SHA-256 of the differences, and of what the log has in their places. */
  readonly digest: string
  readonly count: number
  /** The first differences, a sentence each without a full stop. */
  readonly first: readonly string[]
}

/** A sentence without a full stop. */
export const whyHeld = ({ first, count }: Pick<Examined, 'first' | 'count'>): string =>
  `the log is not what was sealed: ${first[0]}${count > 1 ? `; and ${count - 1} more` : ''}`

type ExaminedSystem = Pick<System, 'eventStore' | 'proofLog' | 'clock'>

interface Tree {
  readonly files: ProofLog
  readonly head: string
  readonly origin: string
  readonly verifiers: readonly Verifier[]
}

const mostNamed = 20

interface LogExamination extends Examination {
  /** The result of the end; undefined: there is no tree here, or not its keys. */
  found(): Examined | undefined
}

/**
 * Compares the sealed events that pass a filter with the entries of this home's tree as they are folded. Where they differ, the whole log
 * is compared, once for all filters: a part alone cannot tell what was moved, or has another type.
 */
export const createExaminations = (
  system: ExaminedSystem,
  signal?: AbortSignal,
): ((filter: EventFilter) => Promise<LogExamination>) => {
  let whole: Promise<Examined> | undefined
  const examineOnce = (tree: Tree): Promise<Examined> => {
    whole ??= examineWhole(system, tree, signal ?? new AbortController().signal)
    return whole
  }
  return async (filter) => {
    const begin = ({ files, head, verifiers }: Tree) =>
      createAsSealed({ eventStore: system.eventStore, files, filter, signal }, openHead(head, verifiers))
    const before = await treeHere(system)
    let comparison = before && (await readingTree(async () => begin(before)))
    let found: Examined | undefined
    const examine = async (): Promise<Examined | undefined> => {
      const tree = await treeHere(system)
      if (!tree) return undefined
      const isSame = await readingTree(async () => {
        const known = tree.origin === before?.origin ? comparison : begin(tree)
        return typeof known === 'object' && known.end(openHead(tree.head, tree.verifiers).size)
      })
      return isSame === true ? same(tree.origin) : examineOnce(tree)
    }
    return {
      take: async (after, part) => {
        if (typeof comparison !== 'object') return
        const { take } = comparison
        const broken = await readingTree(() => take(after, part))
        if (broken !== undefined) comparison = broken
      },
      isSealed: async () => {
        found = await examine()
        return found?.verdict !== 'different'
      },
      found: () => found,
    }
  }
}

const same = (origin: string): Examined => ({
  ...{ verdict: 'same', origin, digest: differencesDigest().base64(), ...nothing },
})

const nothing = { count: 0, first: [] } as const

const treeHere = async ({ proofLog }: ExaminedSystem): Promise<Tree | undefined> => {
  const files = await proofLog()
  const head = await files.head()
  const keys = head && (await files.keys())
  if (!keys) return undefined
  const origin = originIn(head.text)
  return { files, head: head.text, origin, verifiers: verifiersOf(origin, keys) }
}

/** Damaged files of the tree count as one difference: a sentence. */
const readingTree = async <A>(read: () => Promise<A>): Promise<A | string> => {
  try {
    return await read()
  } catch (error) {
    if (error instanceof BrokenTree) return error.message
    if (error instanceof InvalidNote || error instanceof UntrustedNote)
      return `the checkpoint of the Merkle tree ${errorMessage(error)}`
    throw error
  }
}

const examineWhole = async (
  { eventStore, clock }: ExaminedSystem,
  { files, head, verifiers, origin }: Tree,
  signal: AbortSignal,
): Promise<Examined> => {
  // All of them: who accepts some must not accept others unseen.
  const digest = differencesDigest()
  const sentences: string[] = []
  let count = 0
  const add = (difference: Difference) => {
    count++
    digest.add(difference)
    if (sentences.length < mostNamed) sentences.push(difference.says)
  }
  const checked = await readingTree(() =>
    checkLog(eventStore, files, head, verifiers, {
      ...{ onDifference: add, onProgress: () => {}, signal },
      most: Number.POSITIVE_INFINITY,
    }),
  )
  if (typeof checked === 'string') {
    add(broken(checked))
    sentences.unshift(checked)
  }
  const first = [...new Set(sentences)].slice(0, mostNamed)
  await keepWhole(files, { origin, at: clock.now(), differences: first })
  const found = { origin, digest: digest.base64(), count, first }
  if (count === 0) return { verdict: 'same', ...found }
  return {
    verdict: (await isAccepted(eventStore, origin, found.digest)) ? 'accepted' : 'different',
    ...found,
  }
}

const broken = (sentence: string): Difference => ({
  ...{ kind: 'changed', stream: sentence, revision: -1n, leaf: undefined, says: sentence },
})

/** Throws `UnavailableError`. */
const isAccepted = async (
  eventStore: Pick<EventStore, 'read'>,
  origin: string,
  digest: string,
): Promise<boolean> => {
  const [last] = await orThrow(eventStore.read(differencesStream, 'end', 'backward', 1))
  if (!last) return false
  const { data } = readOrStop(acceptedEvents, last)
  return data.origin === origin && data.digest === digest
}
