import { type Checkpoint, isSameHash, parseHash, tileWidth } from '@fonds/tlog'
import { edgeNodes, leafHash, treeEdge } from '@fonds/tlog/compute'
import { isRight } from 'fp-ts/lib/Either.js'
import { plural } from '../../../domain/kernel/amounts.ts'
import { type EventLeaf, leafName, parseEventEntry } from '../../../domain/kernel/proof/event-leaf.ts'
import { placeOf } from '../check/differences.ts'
import { exportEntries, type ThingsScope, UnreadableExport } from './export-files.ts'
import type { Findings } from './findings.ts'
import { checkStated } from './stated.ts'

/* Whether an export of things has all events of their streams. */

type Rest = NonNullable<ThingsScope['rest']>

interface Last {
  readonly index: bigint
  readonly revision: bigint
}

/** `add`: with each event, in the order of the tree. */
export const checkThings = (
  folder: string,
  head: Checkpoint,
  { things, rest }: ThingsScope,
  findings: Findings,
) => {
  const { size, root } = head
  const streams = new Set(things.flatMap((one) => one.streams))
  const last = new Map<string, Last>()
  const seen = new Set<bigint>()
  let [own, elsewhere] = [0, 0]

  /** Each event names the leaf of the event before it in its stream. */
  const follow = (index: bigint, leaf: EventLeaf, before: Last | undefined): void => {
    if (before === undefined) {
      if (leaf.previous !== undefined)
        findings.fails(
          `leaf ${index}, ${placeOf(leaf)}, follows leaf ${leaf.previous}: events before it were left out`,
        )
      else if (leaf.revision > 0n)
        findings.unchecked(
          `what happened before leaf ${index}, ${placeOf(leaf)}: the tree begins with it, and its stream does not`,
        )
    } else if (leaf.previous !== before.index || leaf.revision !== before.revision + 1n)
      findings.fails(
        `leaf ${index}, ${placeOf(leaf)}, follows leaf ${leaf.previous ?? 'none'}, not leaf ${before.index}: events were left out`,
      )
  }

  /** The entries behind a leaf, with the hashes before it, have the signed root: so they are all that there are. */
  const checkRest = async ({ from: first, before, stated }: Rest): Promise<void> => {
    const from = BigInt(first)
    const hashes = before.map(parseHash).filter((hash) => hash !== undefined)
    const isPossible =
      from >= 0n && from < size && from % BigInt(tileWidth) === 0n && hashes.length === edgeNodes(from).length
    if (!isPossible || hashes.length < before.length)
      throw new UnreadableExport('export.json does not say where its rest begins')
    const rows = stated && checkStated(stated, head, from, findings)
    for (const [stream, { index }] of last)
      if (index < from - 1n && rows?.leaves.get(stream) !== index)
        findings.fails(
          `of ${stream} nothing is shown between its last event and leaf ${from}${rows ? `: leaf ${index} is not the one that was stated` : ''}`,
        )
    const tree = treeEdge(from, hashes)
    for await (const entry of exportEntries(folder, size, from)) {
      const leaf = parseEventEntry(entry)
      if (isRight(leaf) && streams.has(leafName(leaf.right.stream)) && !seen.has(tree.size))
        findings.fails(`leaf ${tree.size}, ${placeOf(leaf.right)}: this event was left out of events.ndjson`)
      tree.append(leafHash(entry))
    }
    if (!isSameHash(tree.root(), root))
      findings.fails(`the entries from leaf ${from} on are not those that were signed`)
    else if (findings.failures === 0)
      findings.holds(
        `${[...streams].join(', ')} had ${plural(own, 'event')} and no other when ${size} leaves were signed${rows ? `, if what leaf ${rows.index} states of the first ${rows.size} is right` : ''}`,
      )
  }

  return {
    add: (index: bigint, leaf: EventLeaf): void => {
      const stream = leafName(leaf.stream)
      seen.add(index)
      if (!streams.has(stream)) {
        elsewhere++
        return
      }
      own++
      follow(index, leaf, last.get(stream))
      last.set(stream, { index, revision: leaf.revision })
    },
    end: async (): Promise<void> => {
      for (const stream of streams)
        if (!last.has(stream)) findings.fails(`of ${stream} there is no event, and export.json names it`)
      if (rest) await checkRest(rest)
      else
        findings.unchecked(
          'that nothing happened behind the last of these events: the entries that would show it are not in the export',
        )
      findings.unchecked(
        `that these streams are all that the archive has of these things (${[...streams].join(', ')})`,
      )
      if (elsewhere > 0)
        findings.unchecked(
          `that ${plural(elsewhere, 'event')} of other streams are all in which these things are named`,
        )
    },
  }
}
