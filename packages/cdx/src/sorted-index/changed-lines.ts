import type { Manifest, Publication, Run } from './manifest.ts'
import { type Origins, publicationsOf } from './origins.ts'
import type { RunView } from './scan.ts'
import type { ChangedLine, ChangesWanted, ScanRange } from './types.ts'
import { type Rank, shown, type Visible } from './visible.ts'

interface Candidate {
  readonly line: Buffer
  /** Holds without a lookup: a publication that nothing hides has the line. */
  readonly holds: boolean
}

interface Reading {
  scan(range: ScanRange): AsyncIterable<readonly Uint8Array[]>
  tableOf(run: Run): Origins
}

/** Lines that are looked up at once. */
const lookUps = 64

/** Merges keep the positions between which a line held, so that they do not change the result. */
export async function* changedLines(
  { since, upTo, from }: ChangesWanted,
  readView: (
    viewOf: (manifest: Manifest) => RunView<Candidate>,
    from: Uint8Array | undefined,
  ) => AsyncIterable<readonly Candidate[]>,
  { scan, tableOf }: Reading,
): AsyncGenerator<readonly ChangedLine[]> {
  const isWithin = (position: string | undefined): boolean =>
    position !== undefined && BigInt(position) > since && BigInt(position) <= upTo

  const viewOf = ({ lastRemoval = 0 }: Manifest): RunView<Candidate> => {
    const rankOf = ({ from, to, posted, number }: Publication, end = to): Rank => {
      if (!isWithin(from) && !isWithin(end)) return 0
      const holds = end === undefined && (!posted || (posted === 'added' && number > lastRemoval))
      return holds ? shown : 1
    }
    return {
      includesRemoved: true,
      visible: (run) => visibleBy(tableOf(run), (one) => rankOf(one, endIn(run, one))),
      take: (line, rank) => (rank > 0 ? { line, holds: rank === shown } : undefined),
    }
  }

  const holdsNow = async (line: Buffer): Promise<boolean> => {
    const next = Buffer.concat([line, Buffer.from([0])])
    for await (const found of scan({ from: line, to: next })) return found.length > 0
    return false
  }

  for await (const batch of readView(viewOf, from))
    for (let at = 0; at < batch.length; at += lookUps)
      yield await Promise.all(
        batch
          .slice(at, at + lookUps)
          .map(async ({ line, holds }) => ({ line, holds: holds || (await holdsNow(line)) })),
      )
}

const endIn = ({ ended }: Run, { number, to }: Publication): string | undefined =>
  to ?? ended.find(([one]) => one === number)?.[1]

const visibleBy = (origins: Origins, rankOf: (publication: Publication) => Rank): Visible => {
  const ranks = origins.publications.map(rankOf)
  const [first = 0] = ranks
  if (ranks.every((rank) => rank === first)) return first === 0 ? 'none' : first
  return (origin) => Math.max(...publicationsOf(origins, origin).map((publication) => ranks[publication]!))
}
