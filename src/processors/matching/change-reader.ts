import { estimatedBytes, recentCache } from '@fonds/toolbox'
import { UnavailableError } from '../../async/unavailable.ts'
import { type GraphChanged, graphStream, type Member } from '../../domain/matching/graph/events.ts'
import { isContinued } from '../../domain/matching/graph/whole-change.ts'
import type { EventStore } from '../../ports/event-store.ts'
import { createReadGraphLog, type GraphEntry, type GraphLocation } from './graph-log.ts'

/** Reads changes of graphs from the log. All calls throw `UnavailableError`. */
export interface ChangeReader {
  /** The changes at these locations, in the same order; undefined if there is no event or another one. */
  at(locations: readonly GraphLocation[]): Promise<readonly (GraphChanged | undefined)[]>
  /** False if the last event of the change at this location was never written, because the matcher ended. */
  isWhole(location: GraphLocation, change: GraphChanged): Promise<boolean>
  /**
   * All members, sorted by id, of a component of which the change at this location holds a piece. Undefined if an older
   * matcher did not publish it to the end: a later change publishes it again.
   */
  wholeComponent(
    location: GraphLocation,
    change: GraphChanged,
    component: string,
  ): Promise<readonly Member[] | undefined>
}

/** `cacheBytes`: for events that were decoded and for whole components, half each. */
export const createChangeReader = (
  eventStore: Pick<EventStore, 'read'>,
  cacheBytes = 2 * 1024 ** 2,
): ChangeReader => {
  const readGraphLog = createReadGraphLog(eventStore, cacheBytes / 2)
  /** Each piece asks for its whole component. */
  const recent = recentCache<readonly Member[]>(cacheBytes / 2, estimatedBytes)
  /** Each event of a change asks for its end. */
  const wholes = recentCache<boolean>(100)

  const entryAt = async (generation: number, revision: number): Promise<GraphEntry> =>
    revision < 0 ? 'other' : (await readGraphLog([{ generation, revision }]))[0]!

  const notYet = (generation: number, what: string) =>
    new UnavailableError(`${graphStream(generation)}: the rest of ${what} is not written yet`)

  const hasEnd = async ({ generation, revision }: GraphLocation, version: number): Promise<boolean> => {
    for (let at = revision + 1; ; at++) {
      const entry = await entryAt(generation, at)
      if (entry === 'nothing') throw notYet(generation, `the change ${version}`)
      if (entry === 'other' || entry.version !== version) return false
      if (!isContinued(entry)) return true
    }
  }

  /** Collects the pieces in the events around one of them; undefined if a piece is missing between others. */
  const collect = async (
    { generation, revision }: GraphLocation,
    pieces: Pieces,
  ): Promise<readonly Member[] | undefined> => {
    for (let at = revision - 1; !pieces.hasFirst(); at--)
      if (!pieces.take(await entryAt(generation, at))) return undefined
    for (let at = revision + 1; !pieces.hasLast(); at++) {
      const entry = await entryAt(generation, at)
      if (entry === 'nothing') throw notYet(generation, `the component ${pieces.component}`)
      if (!pieces.take(entry)) return undefined
    }
    return pieces.whole()
  }

  return {
    at: async (locations) => {
      const entries = await readGraphLog(locations)
      return entries.map((entry) => (typeof entry === 'string' ? undefined : entry))
    },

    isWhole: async (location, change) => {
      if (!isContinued(change)) return true
      const name = `${location.generation}/${change.version}`
      const known = wholes.get(name)
      if (known !== undefined) return known
      const isWhole = await hasEnd(location, change.version)
      wholes.set(name, isWhole)
      return isWhole
    },

    wholeComponent: async (location, change, component) => {
      const name = `${location.generation}/${change.version}/${component}`
      const known = recent.get(name)
      if (known) return known
      const whole = await collect(location, new Pieces(component, change))
      if (whole) recent.set(name, whole)
      return whole
    },
  }
}

/** The pieces of one component in the events of one version. */
class Pieces {
  readonly component: string
  readonly #version: number
  readonly #members = new Map<number, readonly Member[]>()
  #count = 0

  constructor(component: string, change: GraphChanged) {
    this.component = component
    this.#version = change.version
    this.take(change)
  }

  /** Returns false if an event holds no missing piece. */
  take(entry: GraphEntry): boolean {
    if (typeof entry === 'string' || entry.version !== this.#version) return false
    const before = this.#members.size
    for (const { component, piece, pieces, members } of entry.groups)
      if (component === this.component) {
        this.#members.set(piece, members)
        this.#count = pieces
      }
    return this.#members.size > before
  }

  hasFirst(): boolean {
    return this.#members.has(0)
  }

  hasLast(): boolean {
    return this.#members.has(this.#count - 1)
  }

  whole(): readonly Member[] | undefined {
    if (this.#members.size < this.#count) return undefined
    return [...this.#members].sort(([a], [b]) => a - b).flatMap(([, members]) => members)
  }
}
