import { type Checkpoint, isSameHash, type Verifier } from '@fonds/tlog'
import { edgeNodes, nodeHashes, treeEdge } from '@fonds/tlog/compute'
import { MINUTE } from '../../domain/kernel/time.ts'
import type { RetiredKey } from '../../ports/proof-log.ts'
import { type HeadElsewhere, headsElsewhere } from '../../workflows/system/heads-elsewhere.ts'
import type { System } from '../system.ts'
import { type TileFiles, tileBytes } from './open-tree.ts'

/** Finds out whether others hold more of a tree than is here, or another one of its name. */
export type FindOvertaken = (tree: {
  readonly files: TileFiles
  readonly head: Checkpoint
  readonly keys: readonly Verifier[]
  /** Keys before these. */
  readonly retired?: readonly RetiredKey[]
  readonly signal: AbortSignal
}) => Promise<string | undefined>

/** A stopped sealer tries again each ten seconds: it asks other people's servers once a minute. */
export const findOvertaken = (
  system: Pick<System, 'proofPolicy' | 'proofFilesAt' | 'log' | 'clock'>,
): FindOvertaken => {
  let asked: { readonly at: number; readonly heads: readonly HeadElsewhere[] } | undefined

  return async ({ files, head, keys, retired, signal }) => {
    const now = system.clock.monotonic()
    if (!asked || now - asked.at >= MINUTE)
      asked = {
        at: now,
        heads: await headsElsewhere(system, {
          origin: head.origin,
          keys,
          ...(retired && { retired }),
          signal,
        }),
      }
    for (const one of asked.heads) {
      const reason = await whyOvertaken(files, head, one)
      if (reason !== undefined) return reason
    }
    return undefined
  }
}

/** In a sentence without a full stop; undefined where the tree here grew from the other head. */
const whyOvertaken = async (
  files: TileFiles,
  here: Checkpoint,
  { witness, head: { origin, size, root } }: HeadElsewhere,
): Promise<string | undefined> => {
  const signed = `the witness ${witness} has a head of ${size} leaves of ${origin}, which this archive signed`
  if (size > here.size)
    return `${signed}, and the tree here has ${here.size}: it was put back from before, so nothing is signed`
  if (size === 0n) return undefined
  const edge = await nodeHashes(edgeNodes(size), here.size, (tile) => tileBytes(files, tile))
  return isSameHash(treeEdge(size, edge).root(), root)
    ? undefined
    : `${signed}, and the tree here does not go on from it: there are two histories of one name, so nothing is signed`
}
