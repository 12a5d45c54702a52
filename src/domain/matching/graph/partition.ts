import { bytes, integers } from './columns.ts'
import type { FactTable } from './fact-table.ts'
import { Families } from './families.ts'
import { Flags } from './flags.ts'

interface Published {
  readonly labels: readonly number[]
  /** By label: the labels that share works of one component as last published, for labels that share one. */
  readonly families: ReadonlyMap<number, readonly number[]>
  readonly absent: readonly number[]
  readonly dropped: readonly number[]
}

/**
 * Tracks which nodes are connected, and which components are to be published.
 *
 * A component is a ring of nodes with one label, the number of one of them. A new link joins two rings: the smaller one
 * takes the other's label. A removed link only makes the component stale; `refresh` searches each stale one once,
 * however many links it lost.
 *
 * To be published are a changed work's current component, and the components that now hold nodes of the one it was in
 * when last published. A component that a work joined and left again in between is not.
 */
export class Partition {
  readonly #facts: FactTable
  /** By node; 0 for nodes in no component. */
  label = integers(0)
  #next = integers(0)
  /** Number of nodes, by label. */
  #size = integers(0)
  readonly #stale = new Flags()

  /** By node: the label it was last published with; by that label: whether a work of it has changed since. */
  #publishedLabel = integers(0)
  #changed = bytes(0)
  /** By that label: one of the current labels of its nodes, during publishing. */
  #heir = integers(0)
  /** Labels of the components to be published. */
  readonly #unpublished = new Flags()
  /** By node: whether it was ever published, in any component. */
  #wasPublished = bytes(0)
  /** Nodes that were published as one component by a change that did not include all of its facts. */
  #countedTogether: (readonly number[])[] = []
  /** Nodes that have left the graph, or may have, since the last publishing. */
  #absent = new Set<number>()

  constructor(facts: FactTable) {
    this.#facts = facts
    this.#reserve()
    const nodes: number[] = []
    for (let node = 1; node < facts.end; node++) if (facts.isPresent(node)) nodes.push(node)
    this.#assignLabels(nodes)
    for (const node of nodes) {
      this.#publishedLabel[node] = this.label[node]!
      this.#wasPublished[node] = 1
    }
  }

  /**
   * Returns the label that a node was last published with: its own number if it never was; 0 for nodes in no component.
   */
  publishedLabel(node: number): number {
    return this.#publishedLabel[node] ?? 0
  }

  /** Returns the nodes of one component, in the order of its ring. */
  nodes(label: number): number[] {
    const nodes: number[] = []
    let node = label
    do {
      nodes.push(node)
      node = this.#next[node]!
    } while (node !== label)
    return nodes
  }

  /** Adds a node to the graph, without links, unless it is present. */
  add(node: number): void {
    if (this.label.length < this.#facts.capacity) this.#reserve()
    if (this.label[node]) return
    this.label[node] = node
    this.#next[node] = node
    this.#size[node] = 1
    this.#publishedLabel[node] ||= node
  }

  /** Marks a changed work: its current component and the one it was last published in are to be published. */
  markChanged(node: number): void {
    this.#changed[this.#publishedLabel[node]!] = 1
    this.#unpublished.set(this.label[node]!)
  }

  /**
   * Marks nodes that were published as one component: their current components are to be published together. Nodes that
   * are in no component yet are included if they are in one at the next publishing.
   */
  markTogether(nodes: readonly number[]): void {
    for (const node of nodes) if (this.label[node]) this.markChanged(node)
    this.#countedTogether.push(nodes)
  }

  /** Joins the components of two nodes that have a new active link. */
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
    if (this.#stale.has(lost)) this.#stale.set(kept)
    this.#stale.clear(lost)
    this.#unpublished.clear(lost)
    this.#unpublished.set(kept)
  }

  /** Marks the component of a node as stale after one of its active links was removed. */
  invalidate(node: number): void {
    if (this.#size[this.label[node]!]! > 1) this.#stale.set(this.label[node]!)
  }

  /** Records that a node outside the graph lost a link to it. */
  linkLost(node: number): void {
    if (!this.label[node]) this.#absent.add(node)
  }

  /** Searches each stale component. The resulting components keep the order of its ring. */
  refresh(): void {
    for (const stale of this.#stale.drain()) {
      const nodes = this.nodes(stale)
      this.#unpublished.clear(stale)
      for (const node of nodes) {
        this.label[node] = 0
        if (!this.#facts.isPresent(node)) this.#absent.add(node)
      }
      this.#assignLabels(nodes.filter((node) => this.#facts.isPresent(node)))
    }
  }

  /** Sets the order of a component's nodes. A ring that is sorted is cheap to sort again. */
  reorder(nodes: readonly number[]): void {
    let before = nodes.at(-1)!
    for (const node of nodes) {
      this.#next[before] = node
      before = node
    }
  }

  /**
   * True if a list of the published components has one at this node: each component has one such node. A component
   * still to be published is left out; it is then published even if it proves to be unchanged.
   */
  isListed(node: number): boolean {
    if (this.#publishedLabel[node] !== node || !this.label[node]) return false
    if (!this.#unpublished.has(this.label[node]!)) return true
    this.#changed[node] = 1
    return false
  }

  /**
   * Returns the labels of the components to be published, which count as published from now on. `absent` are the nodes
   * that have left the graph, or were in it only in between; those of them that were published are `dropped`.
   */
  publish(): Published {
    this.refresh()
    const labels = this.#unpublished.drain()
    const families = this.#familiesOf(labels)
    for (const label of labels)
      for (const node of this.nodes(label)) {
        this.#heir[this.#publishedLabel[node]!] = 0
        this.#publishedLabel[node] = label
        this.#changed[node] = 0
        this.#wasPublished[node] = 1
      }
    const absent = [...this.#absent].filter((node) => !this.label[node])
    const dropped = absent.filter((node) => this.#wasPublished[node])
    for (const node of absent) this.#publishedLabel[node] = this.#changed[node] = this.#wasPublished[node] = 0
    this.#absent = new Set()
    return { labels, families: families.byMember(), absent, dropped }
  }

  #familiesOf(labels: readonly number[]): Families {
    const families = new Families()
    for (const label of labels)
      for (const node of this.nodes(label)) {
        const before = this.#publishedLabel[node]!
        const heir = this.#heir[before]!
        if (!heir) this.#heir[before] = label
        else if (heir !== label) families.join(heir, label)
      }
    for (const nodes of this.#countedTogether) {
      const [first, ...others] = new Set(nodes.map((node) => this.label[node]!).filter((label) => label > 0))
      for (const other of others) families.join(first!, other)
    }
    this.#countedTogether = []
    return families
  }

  /** Labels nodes that have no label: each component is a ring in the order given, labelled by its first node. */
  #assignLabels(nodes: readonly number[]): void {
    for (const node of nodes) if (!this.label[node]) this.#search(node)
    for (let i = nodes.length - 1; i >= 0; i--) {
      const node = nodes[i]!
      const label = this.label[node]!
      if (node === label) continue
      this.#next[node] = this.#next[label]!
      this.#next[label] = node
    }
  }

  /** Labels all reachable nodes. No recursion: chains may be of any length. */
  #search(start: number): void {
    const { label } = this
    const { links } = this.#facts
    let size = 0
    let isChanged = false
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
      isChanged ||= this.#changed[this.#publishedLabel[node]!] === 1
      for (let link = links.firstOut[node]!; link; link = links.nextOut[link]!) reach(links.to[link]!, link)
      for (let link = links.firstIn[node]!; link; link = links.nextIn[link]!) reach(links.from[link]!, link)
    }
    this.#size[start] = size
    if (isChanged) this.#unpublished.set(start)
  }

  #reserve(): void {
    const { capacity } = this.#facts
    this.label = integers(capacity, this.label)
    this.#next = integers(capacity, this.#next)
    this.#size = integers(capacity, this.#size)
    this.#publishedLabel = integers(capacity, this.#publishedLabel)
    this.#changed = bytes(capacity, this.#changed)
    this.#heir = integers(capacity, this.#heir)
    this.#wasPublished = bytes(capacity, this.#wasPublished)
    this.#stale.reserve(capacity)
    this.#unpublished.reserve(capacity)
  }
}
