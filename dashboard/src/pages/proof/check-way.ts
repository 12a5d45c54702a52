import {
  type Checkpoint,
  climb,
  inclusionPath,
  isSameHash,
  leafHash,
  type PathStep,
  type ProofFile,
  toBase64,
} from '@fonds/tlog/web'
import type { Step } from './step.ts'

export interface Way {
  /** From the leaf up: the last is the root. */
  readonly hashes: readonly Uint8Array[]
  readonly beside: readonly PathStep[]
  readonly index: bigint
  readonly size: bigint
}

/** Checks that a leaf and the hashes of its proof give the root of a head; without a way for a proof of another length. */
export const checkWay = async (
  entry: Uint8Array,
  { index, proof }: Pick<ProofFile, 'index' | 'proof'>,
  { size, root }: Pick<Checkpoint, 'size' | 'root'>,
): Promise<{ readonly step: Step; readonly way: Way | undefined }> => {
  const beside = inclusionPath({ index, size, proof }) ?? []
  const isWay = beside.length === proof.length && index < size
  const hashes = await climb(await leafHash(entry), beside)
  const computed = hashes.at(-1)!
  return {
    step: {
      name: `The leaf and ${proof.length} hashes give the root`,
      isPassed: isWay && isSameHash(computed, root),
      computed: isWay ? short(computed) : `no leaf ${index} has a proof of ${proof.length} hashes`,
      kept: short(root),
      from: `the head of ${size} leaves`,
    },
    way: isWay ? { hashes, beside, index, size } : undefined,
  }
}

/** The beginning of a hash, in base64, as the checkpoint writes it. */
export const short = (hash: Uint8Array): string => `${toBase64(hash).slice(0, 10)}…`
