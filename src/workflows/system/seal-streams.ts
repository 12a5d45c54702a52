import { setImmediate } from 'node:timers/promises'
import { toBase64 } from '@fonds/tlog'
import { emptyTree, type GrowingTree, leafHash } from '@fonds/tlog/compute'
import * as E from 'fp-ts/lib/Either.js'
import type { StreamsSealed } from '../../domain/kernel/proof/statements.ts'
import { lineOfKey, streamEntry } from '../../domain/kernel/proof/stream-row.ts'
import type { Rejection } from '../../domain/kernel/rejection.ts'
import type { CommittedHeads, ProofLog } from '../../ports/proof-log.ts'
import type { WorkflowContext } from '../workflow-context.ts'
import { headIn } from './replace-tree.ts'

export type SealedStreams = Omit<StreamsSealed, 'at' | 'reason'>

/** Rows between two turns of other work: some 5 ms. */
const breath = 1000

/**
 * The rows of streams as text, `<stream> <leaf>` a line, some at a time; each is a leaf of the tree that is given. Memory does not
 * grow with them.
 */
export async function* rowsText(
  streams: Iterable<readonly [stream: string, leaf: number]>,
  tree: GrowingTree,
  signal?: AbortSignal,
): AsyncGenerator<string> {
  let some: string[] = []
  for (const [key, leaf] of streams) {
    const line = lineOfKey(key)
    tree.append(leafHash(Buffer.from(streamEntry(line, leaf))))
    some.push(`${line} ${leaf}\n`)
    if (some.length < breath) continue
    yield some.join('')
    some = []
    signal?.throwIfAborted()
    await setImmediate()
  }
  yield some.join('')
}

type LeavesOfMoment = Pick<CommittedHeads, 'place' | 'all'>

/** The statement on the newest leaves of a moment. Keeps their rows, from which exports take theirs. Throws `UnavailableError`. */
export const sealOfStreams = async (
  files: Pick<ProofLog, 'keepStreamRows'>,
  { place: { origin, size }, all }: LeavesOfMoment,
  signal?: AbortSignal,
): Promise<SealedStreams> => {
  const tree = emptyTree()
  await files.keepStreamRows(size, rowsText(all(), tree, signal))
  return { origin, size: `${size}`, streams: Number(tree.size), root: toBase64(tree.root()) }
}

type HeadFiles = Pick<ProofLog, 'head' | 'committedHeads'>

/**
 * Does something with the newest leaves of one moment, at which a head was published; undefined if the tree of this home has none. The
 * sealer goes on meanwhile. Throws `UnavailableError`.
 */
export const inMoment = async <A>(
  files: HeadFiles,
  work: (leaves: LeavesOfMoment) => Promise<A>,
): Promise<A | undefined> => {
  const leaves = files.committedHeads()
  if (!leaves) return undefined
  try {
    return (await isOfHead(files, leaves)) ? await work(leaves) : undefined
  } finally {
    leaves.close()
  }
}

/** A checkpoint that was put back, or taken away, is of another tree or another size. */
const isOfHead = async (files: HeadFiles, { place }: LeavesOfMoment): Promise<boolean> => {
  const [head] = headIn((await files.head())?.text)
  return head?.origin === place.origin && head.size >= place.size && place.size > 0n
}

/** The statement on the newest leaves as they are sealed now. Throws `UnavailableError`. */
export const streamsToSeal = async ({
  proofLog,
}: Pick<WorkflowContext, 'proofLog'>): Promise<E.Either<Rejection, SealedStreams>> => {
  const files = await proofLog()
  const sealed = await inMoment(files, (leaves) => sealOfStreams(files, leaves))
  return E.fromNullable({
    code: 'no-tree',
    message: `the home has no Merkle tree with an event in it: run \`fonds start\` first, or the command where ${files.folder} has the tree`,
  })(sealed)
}
