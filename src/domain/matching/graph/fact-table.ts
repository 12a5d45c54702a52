import { bytes, capacityFor, integers, numbers } from './columns.ts'
import { Ids } from './ids.ts'
import { Links } from './links.ts'

export const unseen = 0
export const live = 1
export const deleted = 2

/**
 * The latest fact of every work, by number: all that a graph is made from. A node is a work or an id that a link names;
 * links of deleted works are kept, for when they come back.
 */
export class FactTable {
  readonly ids: Ids
  readonly links = new Links()
  /** By node: `unseen`, `live` or `deleted`. */
  state = bytes(0)
  revision = numbers(0)
  /** Links of live works to it: while there are any, an unseen id is in the graph, as a placeholder. */
  references = integers(0)
  /** Described works, and ids without a description that live works name. */
  works = 0
  placeholders = 0

  constructor(seed?: number) {
    this.ids = new Ids(seed)
  }

  /** Nodes have numbers below this. */
  get end(): number {
    return this.ids.end
  }

  /** Nodes that there is room for. */
  get capacity(): number {
    return this.state.length
  }

  /** The number of an id; unknown ones get one. */
  numberOf(id: string): number {
    const known = this.ids.find(id)
    if (known) return known
    const node = this.ids.add(id)
    if (node >= this.capacity) this.reserve(capacityFor(node))
    return node
  }

  reserve(nodes: number): void {
    this.state = bytes(nodes, this.state)
    this.revision = numbers(nodes, this.revision)
    this.references = integers(nodes, this.references)
    this.links.reserve(nodes)
  }

  /** A source has described it: `live` or `deleted`. */
  setState(node: number, state: number): void {
    if (this.state[node] === unseen) {
      this.works++
      if (this.references[node]) this.placeholders--
    }
    this.state[node] = state
  }

  /** A live work names it. */
  addReference(node: number): void {
    if (this.references[node]!++ === 0 && this.state[node] === unseen) this.placeholders++
  }

  /** A work does not name it any more, or is not live any more. */
  removeReference(node: number): void {
    if (--this.references[node]! === 0 && this.state[node] === unseen) this.placeholders--
  }

  /** Whether it is in the graph: a described work, or named by a live one. */
  isPresent(node: number): boolean {
    return this.state[node] !== unseen || this.references[node]! > 0
  }

  /** A deleted work cuts its links, an id that was never described connects. */
  isActive(link: number): boolean {
    return this.state[this.links.from[link]!] === live && this.state[this.links.to[link]!] !== deleted
  }

  /** Forgets an id that nothing is known of and that no link names. */
  forget(node: number): void {
    if (this.state[node] === unseen && !this.links.firstIn[node]) this.ids.remove(node)
  }
}
