import { tileWidth, toBase64 } from '@fonds/tlog'
import { edgeNodes, nodeHashes } from '@fonds/tlog/compute'
import { type Either, isLeft } from 'fp-ts/lib/Either.js'
import { eventEntry, leafName, leafText } from '../../../domain/kernel/proof/event-leaf.ts'
import { exportForm, exportLine } from '../../../domain/kernel/proof/export-line.ts'
import { leafOf } from '../../../domain/kernel/proof/leaf-of.ts'
import type { StoredEvent } from '../../../domain/kernel/stored-event.ts'
import type { EventStore } from '../../../ports/event-store.ts'
import type { ProofLog } from '../../../ports/proof-log.ts'
import { placeOf } from '../check/differences.ts'
import { storedAt } from '../find-place.ts'
import { openHead, tileBytes } from '../open-tree.ts'
import { proofOf } from '../prove-event.ts'
import { createDeletions, type Deletions } from '../removals.ts'
import { expectStated, statedJson, statedStreams } from '../streams/stated-streams.ts'
import { type EventPlace, type FoundEntry, findLeaves } from '../thing/find-leaves.ts'
import { copyEntries } from './copy-tree.ts'
import type { ExportParts } from './export-parts.ts'
import { newFolder } from './new-folder.ts'
import { NotAsSealed } from './paired-leaves.ts'
import { scopeOf } from './things-scope.ts'
import { writeAbout } from './write-about.ts'
import { writeLines } from './write-lines.ts'

/** A thing by the name that people call it by, and where its events are. */
export interface Thing {
  readonly thing: string
  /** Its own streams. */
  readonly streams: readonly string[]
  /** Events of other streams that concern it. */
  readonly elsewhere: readonly EventPlace[]
}

interface ThingsOptions {
  /** Without the entries behind its last events, which show that there are no more. */
  readonly isOpenEnded?: boolean
  /** With all entries behind them, though a statement on their streams would make some needless. */
  readonly isWhole?: boolean
  readonly onProgress: (leaves: number, of: number) => void
  readonly signal: AbortSignal
}

export interface ExportedThings {
  readonly folder: string
  readonly origin: string
  /** Leaves of the tree. */
  readonly size: number
  /** Events of the things' own streams. */
  readonly events: number
  /** Events of other streams that concern them. */
  readonly elsewhere: number
  /** Events whose bytes the log does not hold any more. */
  readonly deleted: number
  /** Events of these streams that are not sealed yet. */
  readonly unsealed: number
  /** Streams that have a leaf. */
  readonly streams: readonly string[]
  /** Entries that show that there are no more; undefined: none. */
  readonly rest: number | undefined
  /** The statement that stands for the entries before them: its leaf, and how many leaves it counts; undefined: none is needed. */
  readonly stated: { readonly leaf: number; readonly size: number } | undefined
}

type ThingParts = Omit<ExportParts, 'eventStore' | 'files'> & {
  readonly eventStore: Pick<EventStore, 'readStored' | 'readAll' | 'read' | 'metadata' | 'head'>
  readonly files: Pick<ProofLog, 'folder' | 'tile' | 'streamRows'>
}

/** None of the events is sealed. */
export class NothingSealed extends Error {
  override readonly name = 'NothingSealed'
}

/**
 * Writes all sealed events of things, each with its proof, and the entries of the tree behind the last ones: so that nobody can
 * leave an event out. Where the archive stated since which events are the last of their streams, that and the entries behind it. Left: why there is no such folder. Throws `NotAsSealed`, `NothingSealed`, `BrokenTree`, `UnavailableError`.
 */
export const exportThings = (
  parts: ThingParts,
  to: string,
  things: readonly Thing[],
  options: ThingsOptions,
): Promise<Either<string, ExportedThings>> => newFolder(to, (folder) => fill(folder, parts, things, options))

const fill = async (
  folder: string,
  parts: ThingParts,
  things: readonly Thing[],
  options: ThingsOptions,
): Promise<Omit<ExportedThings, 'folder'>> => {
  const { eventStore, files, verifiers, now } = parts
  const head = openHead(parts.head, verifiers)
  const streams = [...new Set(things.flatMap((one) => one.streams))]
  const wanted = { streams, events: things.flatMap((one) => one.elsewhere) }
  const found = await findLeaves(files, head.size, wanted, options)
  const newest = newestOf(found, streams)
  if (newest.size === 0) throw new NothingSealed(`no event of ${things.map(({ thing }) => thing).join(', ')}`)
  let [elsewhere, deleted] = [0, 0]
  const deletions = createDeletions(eventStore)
  await writeLines(`${folder}/events.ndjson`, async (add) => {
    for (const one of found) {
      options.signal.throwIfAborted()
      const event = await asSealed(eventStore, one, deletions)
      if (event === undefined) deleted++
      if (!newest.has(one.stream)) elsewhere++
      const proof = await proofOf(files, head, one.index, one.entry)
      await add(exportLine({ index: one.index, entry: Buffer.from(one.entry).toString(), event, proof }))
    }
  })
  const last = restFrom([...newest.values()].map(({ index }) => index))
  const stated =
    options.isOpenEnded || options.isWhole
      ? undefined
      : await statedStreams(eventStore, files, head, [...newest.keys()], last + BigInt(tileWidth))
  if (stated) expectStated(stated, newest)
  const from = stated ? restFrom([stated.size]) : last
  const rest = options.isOpenEnded
    ? undefined
    : {
        ...{ from: Number(from), before: await edgeOf(parts, from, head.size) },
        ...(stated && { stated: await statedJson(files, head, stated) }),
      }
  if (rest) await copyEntries(files, from, head.size, folder)
  const sealed = things.map(({ thing, streams }) => ({
    thing,
    streams: streams.filter((stream) => newest.has(stream)).map((stream) => leafName(leafText(stream))),
  }))
  await writeAbout(folder, parts, {
    scope: { form: exportForm, of: 'things', things: sealed, ...(rest && { rest }) },
    readme: {
      head,
      events: found.length,
      deleted,
      scope: scopeOf(sealed, elsewhere, { hasRest: rest !== undefined, stated }),
      at: now,
    },
  })
  return {
    ...{ origin: head.origin, size: Number(head.size), events: found.length - elsewhere, elsewhere, deleted },
    unsealed: await unsealedOf(eventStore, streams, newest),
    streams: [...newest.keys()],
    rest: rest && Number(head.size - from),
    stated: stated && { leaf: Number(stated.index), size: Number(stated.size) },
  }
}

/** The last leaf of each stream. Throws `NotAsSealed` where a leaf does not follow from the one before it. */
const newestOf = (
  found: readonly FoundEntry[],
  streams: readonly string[],
): ReadonlyMap<string, FoundEntry> => {
  const own = new Set(streams)
  const newest = new Map<string, FoundEntry>()
  for (const one of found) {
    if (!own.has(one.stream)) continue
    const before = newest.get(one.stream)
    const follows =
      before === undefined ||
      (one.leaf.previous === before.index && one.leaf.revision === before.leaf.revision + 1n)
    if (!follows)
      throw new NotAsSealed(
        `leaf ${one.index}, ${placeOf(one.leaf)}, was not sealed as the one behind leaf ${before.index}`,
      )
    newest.set(one.stream, one)
  }
  return newest
}

const asSealed = async (
  eventStore: ThingParts['eventStore'],
  { index, stream, entry, leaf }: FoundEntry,
  { whyDeleted }: Deletions,
): Promise<StoredEvent | undefined> => {
  const named = { ...leaf, stream }
  const event = await storedAt(eventStore, named)
  if (event && eventEntry(leafOf(event, leaf.previous)) !== Buffer.from(entry).toString())
    throw new NotAsSealed(`${placeOf(leaf)} is not as leaf ${index} of the tree has it`)
  if (!event && !(await whyDeleted(named)))
    throw new NotAsSealed(`${placeOf(leaf)} was sealed as leaf ${index}, and is not in the log`)
  return event
}

/** The first leaf of the bundle that has the earliest of the last leaves. */
const restFrom = (last: readonly bigint[]): bigint => {
  const first = last.reduce((least, index) => (index < least ? index : least))
  return first - (first % BigInt(tileWidth))
}

/** Hashes of the tree before a leaf. */
const edgeOf = async ({ files }: ThingParts, from: bigint, size: bigint): Promise<readonly string[]> =>
  (await nodeHashes(edgeNodes(from), size, (tile) => tileBytes(files, tile))).map(toBase64)

const unsealedOf = async (
  eventStore: ThingParts['eventStore'],
  streams: readonly string[],
  newest: ReadonlyMap<string, FoundEntry>,
): Promise<number> => {
  let unsealed = 0n
  for (const stream of streams) {
    const read = await eventStore.read(stream, 'end', 'backward', 1)()
    const last = isLeft(read) ? undefined : read.right[0]?.revision
    const sealed = newest.get(stream)?.leaf.revision ?? -1n
    if (last !== undefined && last > sealed) unsealed += last - sealed
  }
  return Number(unsealed)
}
