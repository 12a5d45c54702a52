import { byId } from '../work.ts'
import { applyFact, type GraphTables } from './apply-fact.ts'
import type { Component, Fact, Family } from './component.ts'
import { ComponentReader } from './component-reader.ts'
import { FactTable, unseen } from './fact-table.ts'
import { LinkChanges } from './link-changes.ts'
import { Partition } from './partition.ts'
import { readFacts, writeFacts } from './snapshot.ts'

/** What some facts led to. */
export interface Change {
  /**
   * The components they touched, as they are now; those of one family are to be told at once. Made one by one: they must be
   * read before the next fact comes, and throw otherwise. Large components first (by works, then by smallest id).
   */
  readonly families: Iterable<Family>
  readonly count: number
  /** Placeholders that were published before and that nobody names any more, sorted. */
  readonly dropped: readonly string[]
}

/** Some of the components, and the place in the graph to go on at. */
interface Page {
  readonly components: readonly Component[]
  /** Undefined behind the last one. */
  readonly next: number | undefined
}

/** `seed`: any number. One that nobody can guess keeps ids from being made to collide in the table of ids. */
export const createGraph = (seed?: number): Graph => new Graph(new FactTable(seed))

/** Undefined where the bytes are not of this version of the format, or nonsense: the log is to be folded anew. */
export const readGraph = (bytes: Uint8Array, seed?: number): Graph | undefined => {
  const facts = readFacts(bytes, seed)
  return facts && new Graph(facts)
}

/**
 * The works and their components, kept up to date in memory: a pure function of the latest fact of each work (M9). The
 * order of facts of one work is the caller's to keep; nothing else about their order can be seen.
 */
export class Graph {
  readonly #facts: FactTable
  readonly #partition: Partition
  readonly #changes: LinkChanges
  readonly #tables: GraphTables
  readonly #reader: ComponentReader
  #pending = 0
  /** Counts the facts, so that a change that is read too late can tell. */
  #edition = 0

  constructor(facts: FactTable) {
    this.#facts = facts
    this.#partition = new Partition(facts)
    this.#changes = new LinkChanges(facts, this.#partition)
    this.#tables = { facts, partition: this.#partition, changes: this.#changes }
    this.#reader = new ComponentReader(this.#tables)
  }

  /** Facts and touches since the last `take`. */
  get pending(): number {
    return this.#pending
  }

  /** Works that a source described. */
  get works(): number {
    return this.#facts.works
  }

  /** Works and placeholders. */
  get size(): number {
    return this.#facts.works + this.#facts.placeholders
  }

  /**
   * The last fact of a work counts. Its old and its new component are to be published, also where nothing changed (M6,
   * M13).
   */
  apply(fact: Fact): void {
    this.#pending++
    this.#edition++
    applyFact(this.#tables, fact)
  }

  /**
   * Its component is to be published again; the work stands at `revision` now, where one is given. False for a work that
   * no source described.
   */
  touch(id: string, revision?: number): boolean {
    const node = this.#facts.ids.find(id)
    if (!node || this.#facts.state[node] === unseen) return false
    this.#pending++
    if (revision !== undefined) {
      this.#edition++
      this.#facts.revision[node] = revision
    }
    this.#partition.markChanged(node)
    return true
  }

  /**
   * These works are to be published again, with the next change and in one family: somebody was told that they are one, by a
   * change of facts that come again before that.
   */
  touchTogether(ids: readonly string[]): void {
    this.#pending += ids.length
    this.#partition.markTogether(ids.map((id) => this.#facts.numberOf(id)))
  }

  take(): Change {
    this.#partition.refresh()
    this.#changes.decide()
    const { labels, families, absent, dropped } = this.#partition.publish()
    const names = dropped.map((node) => this.#reader.name(node)).sort(byId)
    for (const node of absent) this.#facts.forget(node)
    this.#pending = 0
    const edition = this.#edition
    const read = () => this.#read(this.#reader.inOrder(labels, families), edition)
    return { families: { [Symbol.iterator]: read }, count: labels.length, dropped: names }
  }

  *#read(families: Iterable<readonly number[]>, edition: number): Generator<Family> {
    for (const family of families) {
      if (this.#edition !== edition)
        throw new Error('A change was read on after another fact had come; read it all before the next one')
      yield {
        components: family.map((label) => this.#reader.read(label)),
        links: family.flatMap((label) => [...this.#changes.of(label)]),
      }
    }
  }

  /** A work that was described, or a placeholder that is named. */
  has(id: string): boolean {
    return this.#labelOf(id) !== 0
  }

  /** Also of a placeholder. */
  componentOf(id: string): Component | undefined {
    const label = this.#labelOf(id)
    return label ? this.#reader.read(label) : undefined
  }

  #labelOf(id: string): number {
    this.#partition.refresh()
    return this.#partition.label[this.#facts.ids.find(id)]!
  }

  /**
   * The components from a place in the graph on, until there are `maxWorks` works. From 0 to the end each comes once. What
   * is still to be published is left out, for the next `take`; what was published meanwhile may come again. Places are good
   * for this graph only, not for one that is read from its snapshot.
   */
  list(from: number, maxWorks: number): Page {
    this.#partition.refresh()
    const components: Component[] = []
    let node = Math.max(from, 1)
    for (let left = maxWorks; left > 0 && node < this.#facts.end; node++)
      if (this.#partition.isListed(node)) {
        const listed = this.#reader.read(this.#partition.label[node]!)
        components.push(listed)
        left -= listed.members.length
      }
    return { components, next: node < this.#facts.end ? node : undefined }
  }

  /** A snapshot of the graph as it is at this call. Nothing may be pending: that would never be published. */
  parts(): Iterable<Uint8Array> {
    if (this.#pending > 0)
      throw new Error('A snapshot would forget what is still to be published; take() it first')
    return writeFacts(this.#facts)
  }
}
