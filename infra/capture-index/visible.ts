import type { Publication, Run } from './manifest.ts'
import { type Origins, publicationsOf } from './origins.ts'

/** Which lines of a run are shown: all, none, or those of certain origins. */
export type Visible = 'all' | 'none' | ((origin: number) => boolean)

/** Undefined where the table of the run has to be read. */
export const visibleAtOnce = (
  run: Run,
  isRemoved: boolean,
  asOf: bigint | undefined,
): Visible | undefined => {
  if (asOf === undefined) {
    if (isRemoved) return 'none'
    if (run.ended.length === 0) return 'all'
    return run.publication ? 'none' : undefined
  }
  if (!run.publication) return undefined
  return heldAt(run.publication, run.ended[0]?.[1], asOf) ? 'all' : 'none'
}

export const visibleIn = (run: Run, origins: Origins, asOf: bigint | undefined): Visible => {
  const ends = new Map(run.ended)
  const holds = origins.publications.map((publication) =>
    asOf === undefined
      ? !ends.has(publication.number)
      : heldAt(publication, ends.get(publication.number), asOf),
  )
  if (holds.every((held) => held)) return 'all'
  return (origin) => publicationsOf(origins, origin).some((publication) => holds[publication])
}

const heldAt = ({ from, to }: Publication, ended: string | undefined, at: bigint): boolean => {
  const end = to ?? ended
  return BigInt(from) <= at && (end === undefined || at < BigInt(end))
}
