import { byId } from '../work.ts'
import { applyFact, type GraphTables } from './apply-fact.ts'
import type { Component, Fact, Family } from './component.ts'
import { ComponentReader } from './component-reader.ts'
import { FactTable, unseen } from './fact-table.ts'
import { LinkChanges } from './link-changes.ts'
import { Partition } from './partition.ts'
import { readFacts, writeFacts } from './snapshot.ts'

/** Result of a set of facts. */
export interface Change {
  /**
   * The affected components, in their current state; those of one family must be published together. Produced one by
   * one: they must be read before the next fact is applied, and throw otherwise. Large components first (by works, then
   * by smallest id).
   */
  readonly families: Iterable<Family>
  readonly count: number
  /** Placeholders that were published before and that no work links to any more, sorted. */
  readonly dropped: readonly string[]
}

/** Some of the components, and the place in the graph to continue from. */
interface Page {
  readonly components: readonly Component[]
  /** Undefined after the last one. */
  readonly next: number | undefined
}

/** `seed`: any number. An unpredictable seed prevents deliberate collisions in the table of ids. */
export const createGraph = (seed?: number): Graph => new Graph(new FactTable(seed))

/** Undefined if the bytes are invalid or of another version of the format: the log must be folded again. */
export const readGraph = (bytes: Uint8Array, seed?: number): Graph | undefined => {
  const facts = readFacts(bytes, seed)
  return facts && new Graph(facts)
}

/**
 * The works and their components, kept up to date in memory: a pure function of the latest fact of each work (M9). The
 * caller must keep the order of one work's facts; their order has no other effect.
 */
export class Graph {
  readonly #facts: FactTable
  readonly #partition: Partition
  readonly #changes: LinkChanges
  readonly #tables: GraphTables
  readonly #reader: ComponentReader
  #pending = 0
  /** Counts the facts, to detect that a change is read too late. */
  #edition = 0

  constructor(facts: FactTable) {
    this.#facts = facts
    this.#partition = new Partition(facts)
    this.#changes = new LinkChanges(facts, this.#partition)
    this.#tables = { facts, partition: this.#partition, changes: this.#changes }
    this.#reader = new ComponentReader(this.#tables)
  }

  /** Number of facts and touches since the last `take`. */
  get pending(): number {
    return this.#pending
  }

  /** Number of works that a source described. */
  get works(): number {
    return this.#facts.works
  }

  /** Number of works and placeholders. */
  get size(): number {
    return this.#facts.works + this.#facts.placeholders
  }

  /**
   * Applies a fact; the last one of a work counts. Its old and its new component are to be published, even if unchanged
   * (M6, M13).
   */
  apply(fact: Fact): void {
    this.#pending++
    this.#edition++
    applyFact(this.#tables, fact)
  }

  /**
   * Marks the component of a work for publishing, and sets the work's revision if one is given. Returns false for a
   * work that no source described.
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
   * Marks these works for publishing with the next change, in one family: they were already published as one component,
   * by a change of facts that come again before that.
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

  /** True for a work that a source described, and for a placeholder that a work links to. */
  has(id: string): boolean {
    return this.#labelOf(id) !== 0
  }

  /** Also defined for a placeholder. */
  componentOf(id: string): Component | undefined {
    const label = this.#labelOf(id)
    return label ? this.#reader.read(label) : undefined
  }

  #labelOf(id: string): number {
    this.#partition.refresh()
    return this.#partition.label[this.#facts.ids.find(id)]!
  }

  /**
   * Returns the components from a place in the graph on, until there are `maxWorks` works. From 0 to the end each comes
   * once. Components still to be published are left out, for the next `take`; components published meanwhile may come
   * again. Places are valid for this graph only, not for one that is read from its snapshot.
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

  /**
   * Returns a snapshot of the graph at the time of this call. Throws if facts or touches are pending: they would never
   * be published.
   */
  parts(): Iterable<Uint8Array> {
    if (this.#pending > 0)
      throw new Error('A snapshot would forget what is still to be published; take() it first')
    return writeFacts(this.#facts)
  }
}
