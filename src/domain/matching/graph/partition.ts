import { bytes, integers } from './columns.ts'
import type { FactTable } from './facts.ts'
import { Flags } from './flags.ts'

/**
 * Which nodes are connected, and which components are to be told.
 *
 * A component is a ring of nodes with one label, the number of one of them. A link that comes joins two rings: the smaller
 * one takes the other's label. A link that goes only makes the component doubtful; `settle` searches each doubtful one
 * once, however many links it lost.
 *
 * To be told are the component that a changed work is in, and whatever has become of the one it was in before ("home").
 * What a work joined and left again in between is not.
 */
export class Partition {
  readonly #facts: FactTable
  /** By node; 0 for those in no component. */
  label = integers(0)
  #next = integers(0)
  /** Nodes, by label. */
  #size = integers(0)
  readonly #doubtful = new Flags()

  /** By node: the label it had when it was last told; by that label: whether a work of it has changed since. */
  #home = integers(0)
  #changed = bytes(0)
  /** Labels of the components to be told. */
  readonly #marked = new Flags()
  /** By node: whether it was told of, in whatever component. */
  #known = bytes(0)
  /** Nodes that have left the graph, or may have, since the last telling. */
  #absent = new Set<number>()

  constructor(facts: FactTable) {
    this.#facts = facts
    this.#fit()
    const nodes: number[] = []
    for (let node = 1; node < facts.end; node++) if (facts.isPresent(node)) nodes.push(node)
    this.#part(nodes)
    for (const node of nodes) {
      this.#home[node] = this.label[node]!
      this.#known[node] = 1
    }
  }

  /** Of one component, in the order of its ring. */
  nodes(label: number): number[] {
    const nodes: number[] = []
    let node = label
    do {
      nodes.push(node)
      node = this.#next[node]!
    } while (node !== label)
    return nodes
  }

  /** Puts a node into the graph, connected to nothing, unless it is there. */
  add(node: number): void {
    if (this.label.length < this.#facts.room) this.#fit()
    if (this.label[node]) return
    this.label[node] = node
    this.#next[node] = node
    this.#size[node] = 1
    this.#home[node] ||= node
  }

  /** Of a changed work: tells what it is in now and what it was in. */
  mark(node: number): void {
    this.#changed[this.#home[node]!] = 1
    this.#marked.set(this.label[node]!)
  }

  /** An active link between two nodes came. */
  join(one: number, other: number): void {
    let kept = this.label[one]!
    let lost = this.label[other]!
    if (kept === lost) return
    if (this.#size[kept]! < this.#size[lost]!) [kept, lost] = [lost, kept]
    for (let node = lost; this.label[node] === lost; node = this.#next[node]!) this.label[node] = kept
    const next = this.#next[kept]!
    this.#next[kept] = this.#next[lost]!
    this.#next[lost] = next
    this.#size[kept]! += this.#size[lost]!
    if (this.#doubtful.has(lost)) this.#doubtful.set(kept)
    this.#doubtful.clear(lost)
    this.#marked.clear(lost)
    this.#marked.set(kept)
  }

  /** An active link of this node went. */
  doubt(node: number): void {
    if (this.#size[this.label[node]!]! > 1) this.#doubtful.set(this.label[node]!)
  }

  /** A node outside the graph lost a link to it. */
  loosen(node: number): void {
    if (!this.label[node]) this.#absent.add(node)
  }

  /** Searches each doubtful component. What becomes of it keeps the order of its ring. */
  settle(): void {
    for (const doubtful of this.#doubtful.drain()) {
      const nodes = this.nodes(doubtful)
      this.#marked.clear(doubtful)
      for (const node of nodes) {
        this.label[node] = 0
        if (!this.#facts.isPresent(node)) this.#absent.add(node)
      }
      this.#part(nodes.filter((node) => this.#facts.isPresent(node)))
    }
  }

  /** The order in which the nodes of a component come from now on: one that is sorted is sorted again in no time. */
  arrange(nodes: readonly number[]): void {
    let before = nodes.at(-1)!
    for (const node of nodes) {
      this.#next[before] = node
      before = node
    }
  }

  /**
   * Whether a list of what was told names a component at this node: one node in each. What is to be told anyway is left
   * out, and told then, also where it turns out to be as it was before.
   */
  isListed(node: number): boolean {
    if (this.#home[node] !== node || !this.label[node]) return false
    if (!this.#marked.has(this.label[node]!)) return true
    this.#changed[node] = 1
    return false
  }

  /**
   * Tells: gives the labels of what is to be told, and unmarks it. `absent` are the nodes that have left the graph, or were
   * in it only in between; those that were told of are `dropped`.
   */
  tell(): { labels: readonly number[]; absent: readonly number[]; dropped: readonly number[] } {
    this.settle()
    const labels = this.#marked.drain()
    for (const label of labels)
      for (const node of this.nodes(label)) {
        this.#home[node] = label
        this.#changed[node] = 0
        this.#known[node] = 1
      }
    const absent = [...this.#absent].filter((node) => !this.label[node])
    const dropped = absent.filter((node) => this.#known[node])
    for (const node of absent) this.#home[node] = this.#changed[node] = this.#known[node] = 0
    this.#absent = new Set()
    return { labels, absent, dropped }
  }

  /** Makes components of nodes that have no label: rings in the order given, each labelled by its first. */
  #part(nodes: readonly number[]): void {
    for (const node of nodes) if (!this.label[node]) this.#search(node)
    for (let i = nodes.length - 1; i >= 0; i--) {
      const node = nodes[i]!
      const label = this.label[node]!
      if (node === label) continue
      this.#next[node] = this.#next[label]!
      this.#next[label] = node
    }
  }

  /** Labels all that can be reached. No recursion: chains may be of any length. */
  #search(start: number): void {
    const { label } = this
    const { links } = this.#facts
    let size = 0
    let marked = false
    label[start] = start
    this.#next[start] = start
    const reached = [start]
    const reach = (node: number, link: number): void => {
      if (label[node] || !this.#facts.isActive(link)) return
      label[node] = start
      reached.push(node)
    }
    for (let node = reached.pop(); node !== undefined; node = reached.pop()) {
      size++
      marked ||= this.#changed[this.#home[node]!] === 1
      for (let link = links.firstOut[node]!; link; link = links.nextOut[link]!) reach(links.to[link]!, link)
      for (let link = links.firstIn[node]!; link; link = links.nextIn[link]!) reach(links.from[link]!, link)
    }
    this.#size[start] = size
    if (marked) this.#marked.set(start)
  }

  #fit(): void {
    const { room } = this.#facts
    this.label = integers(room, this.label)
    this.#next = integers(room, this.#next)
    this.#size = integers(room, this.#size)
    this.#home = integers(room, this.#home)
    this.#changed = bytes(room, this.#changed)
    this.#known = bytes(room, this.#known)
    this.#doubtful.fit(room)
    this.#marked.fit(room)
  }
}
