import { causeBytes, textBytes, withLinks } from './cause-links.ts'
import type { Component, Family } from './component.ts'
import type { Cause, GraphChanged, Group, Member } from './events.ts'
import type { DecidingLink } from './link-changes.ts'

/** Content of one event of a change, without its place in the change. */
export type ChangePart = Pick<GraphChanged, 'causes' | 'groups' | 'dropped'>

export interface SplitLimits {
  /** Most members, placeholders, causes and dropped ids per event. */
  readonly maxEntries: number
  /** Bytes as JSON. */
  readonly maxEventBytes: number
  readonly maxAppendBytes: number
}

/** A log accepts at most 1 MiB per append; the remainder is for the envelope of the data. */
export const splitLimits: SplitLimits = {
  maxEntries: 1000,
  maxEventBytes: 256 * 1024,
  maxAppendBytes: 768 * 1024,
}

/** A change, by its appends: the content of the events of each. None is empty. */
export type SplitChange = readonly (readonly ChangePart[])[]

/**
 * Returns the result of a set of facts as changes of one append each, all or nothing. Components of one family are
 * never in two changes: a family too large for one append is a change of several. Changes are made while families are
 * read, so that millions of works are never in memory at once. `causes`, by work, is emptied on the way: each cause is
 * stored beside the group of its work.
 *
 * A component too large for one event is split into pieces, in consecutive events.
 */
export function* splitIntoChanges(
  families: Iterable<Family>,
  causes: Map<string, Cause>,
  dropped: readonly string[],
  limits: SplitLimits = splitLimits,
): Generator<SplitChange> {
  let change: Sized[] = []
  let bytes = 0
  for (const inseparable of pieces(families, causes, dropped, limits)) {
    const more = inseparable.reduce((sum, { size }) => sum + size.bytes, 0)
    if (bytes > 0 && bytes + more > limits.maxAppendBytes) {
      yield appendsOf(change, limits)
      change = []
      bytes = 0
    }
    for (const piece of inseparable) change.push(piece)
    bytes += more
  }
  if (change.length > 0) yield appendsOf(change, limits)
}

const appendsOf = (change: readonly Sized[], limits: SplitLimits): SplitChange => {
  const appends: ChangePart[][] = [[]]
  let bytes = 0
  for (const { cut, size } of joined(change)) {
    if (bytes > 0 && bytes + size.bytes > limits.maxAppendBytes) {
      appends.push([])
      bytes = 0
    }
    appends.at(-1)!.push(cut)
    bytes += size.bytes
  }
  return appends
}

interface Sized {
  readonly cut: ChangePart
  readonly size: Size
}

/** `share`: the fraction of an event's capacity; 1 is all of it. */
interface Size {
  readonly share: number
  /** Upper bound. */
  readonly bytes: number
}

/** Joins as many pieces as fit into one event. */
function* joined(pieces: Iterable<Sized>): Generator<Sized> {
  let event: Sized | undefined
  for (const piece of pieces) {
    if (!event) event = piece
    else if (event.size.share + piece.size.share > 1) {
      yield event
      event = piece
    } else {
      event.cut.causes.push(...piece.cut.causes)
      event.cut.groups.push(...piece.cut.groups)
      event.cut.dropped.push(...piece.cut.dropped)
      event = { cut: event.cut, size: sum(event.size, piece.size) }
    }
  }
  if (event) yield event
}

/** Returns lists of pieces that belong into one change. */
function* pieces(
  families: Iterable<Family>,
  causes: Map<string, Cause>,
  dropped: readonly string[],
  limits: SplitLimits,
): Generator<readonly Sized[]> {
  for (const { components, links } of families) {
    const byWork = Map.groupBy(links, ({ work }) => work)
    const maxLinkBytes = limits.maxEventBytes / 32
    yield components.flatMap((component) => [
      ...piecesOf(component, takeCauses(component, causes, byWork, maxLinkBytes), limits),
    ])
  }
  const rest = entriesOf([...causes.values()], causeBytes, limits)
  causes.clear()
  for (const some of spread(rest, eventsFor(rest.size)))
    yield [{ cut: { causes: some.entries, groups: [], dropped: [] }, size: some.size }]
  const droppedEntries = entriesOf(dropped, textBytes, limits)
  for (const some of spread(droppedEntries, eventsFor(droppedEntries.size)))
    yield [{ cut: { causes: [], groups: [], dropped: some.entries }, size: some.size }]
}

const takeCauses = (
  { members }: Component,
  causes: Map<string, Cause>,
  links: ReadonlyMap<string, readonly DecidingLink[]>,
  maxLinkBytes: number,
): Cause[] => {
  const taken: Cause[] = []
  if (causes.size === 0) return taken
  for (const [id] of members) {
    const cause = causes.get(id)
    if (!cause) continue
    for (const one of withLinks(cause, links.get(id) ?? [], maxLinkBytes)) taken.push(one)
    causes.delete(id)
  }
  return taken
}

function* piecesOf(component: Component, causes: readonly Cause[], limits: SplitLimits): Generator<Sized> {
  const frame = frameSize(component, limits)
  const members = entriesOf(component.members, memberBytes, limits)
  const placeholders = entriesOf(component.placeholders, textBytes, limits)
  const why = entriesOf(causes, causeBytes, limits)
  const size = sum(sum(members.size, placeholders.size), why.size)
  const count = size.share + frame.share <= 1 ? 1 : eventsFor(size)
  const parts = [spread(members, count), spread(placeholders, count), spread(why, count)] as const
  for (let piece = 0; piece < count; piece++) {
    const [some, others, reasons] = [parts[0][piece]!, parts[1][piece]!, parts[2][piece]!]
    const group: Group = {
      component: component.members[0]![0],
      size: component.members.length,
      piece,
      pieces: count,
      members: some.entries,
      placeholders: others.entries,
      ...(component.bridge && { bridge: component.bridge }),
    }
    yield {
      cut: { causes: reasons.entries, groups: [group], dropped: [] },
      size: sum(sum(some.size, others.size), sum(reasons.size, frame)),
    }
  }
}

/** Entries of one kind, with the size of each and in all. */
interface Entries<A> {
  readonly entries: A[]
  readonly size: Size
  readonly sizeOf: (entry: A) => Size
}

const entriesOf = <A>(list: readonly A[], bytesOf: (entry: A) => number, limits: SplitLimits): Entries<A> => {
  const shareOf = (bytes: number) => Math.max(1 / limits.maxEntries, bytes / limits.maxEventBytes)
  const sizeOf = (entry: A): Size => {
    const bytes = bytesOf(entry)
    return { bytes, share: shareOf(bytes) }
  }
  // Added up without an object for each: a whole catalogue passes through here.
  let [bytes, share] = [0, 0]
  for (const entry of list) {
    const own = bytesOf(entry)
    bytes += own
    share += shareOf(own)
  }
  return { entries: [...list], size: { bytes, share }, sizeOf }
}

/** Target fill of an event: each may get one entry of each kind too many, and has its frame. */
const wellFilled = 0.8

const eventsFor = ({ share }: Size): number => Math.ceil(share / wellFilled)

/** Divides entries into a number of parts of nearly the same size, in order. */
const spread = <A>(all: Entries<A>, count: number): readonly Pick<Entries<A>, 'entries' | 'size'>[] => {
  if (count === 1) return [all]
  const parts = Array.from({ length: count }, () => ({ entries: [] as A[], size: nothing }))
  let before = 0
  for (const entry of all.entries) {
    const part = parts[Math.min(count - 1, Math.floor((before / all.size.share) * count))]!
    const size = all.sizeOf(entry)
    part.entries.push(entry)
    part.size = sum(part.size, size)
    before += size.share
  }
  return parts
}

const nothing: Size = { share: 0, bytes: 0 }

const sum = (one: Size, other: Size): Size => ({
  share: one.share + other.share,
  bytes: one.bytes + other.bytes,
})

const memberBytes = ([id]: Member): number => textBytes(id) + 20

const frameSize = ({ members, bridge }: Component, { maxEventBytes: eventBytes }: SplitLimits): Size => {
  const ends = bridge ? textBytes(bridge.from) + textBytes(bridge.to) + 50 : 0
  const bytes = 140 + textBytes(members[0]![0]) + ends
  return { bytes, share: bytes / eventBytes }
}
