import type { TurnCause } from '../../../domain/matching/turn-cause.ts'
import type { TurnRow } from '../tables.ts'

/** Two works came into one graph, or no longer are in one. */
export interface CoMembershipChange {
  readonly together: boolean
  readonly at: string
  readonly version: number
  readonly causes: readonly TurnCause[]
}

/** The graphs of a work: its turns, oldest first, and its present graph. */
interface Membership {
  readonly turns: readonly TurnRow[]
  readonly graph: number
}

/** When two works met and parted, oldest first. */
export const coMembership = (a: Membership, b: Membership): readonly CoMembershipChange[] => {
  const found: CoMembershipChange[] = []
  let [inA, inB] = [start(a), start(b)]
  let together = inA !== null && inA === inB
  const moves = [
    ...a.turns.map((turn) => ({ turn, isA: true })),
    ...b.turns.map((turn) => ({ turn, isA: false })),
  ]
  const byVersion = Map.groupBy(moves, ({ turn }) => turn.version)
  for (const [version, both] of [...byVersion].sort(([one], [other]) => one - other)) {
    for (const { turn, isA } of both)
      if (isA) inA = turn.graph
      else inB = turn.graph
    const now = inA !== null && inA === inB
    if (now === together) continue
    together = now
    const causes = both.flatMap(({ turn }) => (together ? turn.joinedBy : turn.leftBy) ?? [])
    const different = [...new Map(causes.map((cause) => [JSON.stringify(cause), cause])).values()]
    found.push({ together, at: both[0]!.turn.at, version, causes: different })
  }
  return found
}

/** The graph before the first turn. A work without turns was always in its graph: listing a generation makes none. */
const start = ({ turns: [first], graph }: Membership): number | null => (first ? first.was : graph)
