import { capacityFor, integers } from './columns.ts'
import type { FactTable } from './fact-table.ts'
import type { Partition } from './partition.ts'
import { UnionFind } from './union-find.ts'

/** A link that joined works, or whose loss separated them, and the fact that caused it: one of `from` or of `to`. */
export interface DecidingLink {
  readonly from: string
  readonly to: string
  readonly effect: 'made' | 'lost'
  readonly work: string
  readonly revision: number
}

interface Lost {
  readonly from: number
  readonly to: number
  readonly fact: number
}

/** Nodes have numbers below this, so that a pair of them fits in one number. */
const maxNodes = 2 ** 26

/**
 * The links that became active since the last publishing, and those that became inactive, each with the fact that
 * caused it. A link that changed and changed back is left out. Recorded from the first publishing on: facts applied
 * before count as published.
 */
export class LinkChanges {
  readonly #facts: FactTable
  readonly #partition: Partition
  #isKept = false
  /** The facts since the last publishing, from 1: their works and revisions. */
  #works: number[] = [0]
  #revisions: number[] = [0]
  /** By link: the fact that made it active; 0 if none did since. */
  #madeBy = integers(0)
  /** Links in the order in which they became active, and their facts. */
  #made: number[] = []
  #makers: number[] = []
  #lost = new Map<number, Lost>()
  #isDecided = false
  /** By label, once decided: an index into `#made`, from 1, and by such an index the next one. */
  #firstMade = integers(0)
  #nextMade = integers(0)
  /** The labels that have any deciding links of effect `made`. */
  #joined: number[] = []
  #partedBy = new Map<number, DecidingLink[]>()
  readonly #parts = new UnionFind()

  constructor(facts: FactTable, partition: Partition) {
    this.#facts = facts
    this.#partition = partition
  }

  /** Starts the changes of a fact. */
  begin(node: number, revision: number): void {
    if (this.#isDecided) this.#clear()
    if (!this.#isKept) return
    this.#works.push(node)
    this.#revisions.push(revision)
  }

  made(link: number): void {
    if (!this.#isKept || this.#lost.delete(this.#pairOf(link))) return
    if (link >= this.#madeBy.length) this.#madeBy = integers(capacityFor(link), this.#madeBy)
    const fact = this.#works.length - 1
    this.#madeBy[link] = fact
    this.#made.push(link)
    this.#makers.push(fact)
  }

  /** Must be called before the link is used for another pair. */
  lost(link: number): void {
    if (!this.#isKept) return
    if (this.#madeBy[link]) this.#madeBy[link] = 0
    else {
      const { from, to } = this.#facts.links
      this.#lost.set(this.#pairOf(link), { from: from[link]!, to: to[link]!, fact: this.#works.length - 1 })
    }
  }

  /** Must be called once components are refreshed, before they count as published. */
  decide(): void {
    if (this.#isDecided) this.#clear()
    this.#decideMade()
    for (const lost of Map.groupBy(this.#lost.values(), ({ from }) =>
      this.#partition.publishedLabel(from),
    ).values())
      this.#decideLost(lost)
    this.#isKept = true
    this.#isDecided = true
  }

  /** Finds, by component, the links that joined its parts: the first ones that did. */
  #decideMade(): void {
    const { from } = this.#facts.links
    this.#nextMade = integers(this.#made.length + 1)
    if (this.#made.length > 0 && this.#firstMade.length < this.#facts.capacity)
      this.#firstMade = integers(this.#facts.capacity, this.#firstMade)
    for (let made = this.#made.length; made > 0; made--) {
      const link = this.#made[made - 1]!
      if (this.#madeBy[link] !== this.#makers[made - 1]) continue
      this.#madeBy[link] = 0
      const label = this.#partition.label[from[link]!]!
      if (!this.#firstMade[label]) this.#joined.push(label)
      this.#nextMade[made] = this.#firstMade[label]!
      this.#firstMade[label] = made
    }
    for (const label of this.#joined) this.#keepJoining(label)
  }

  /**
   * Keeps, in a component's list, the links that joined parts of it. Two components may each hold works of the same
   * former two.
   */
  #keepJoining(label: number): void {
    const { from, to } = this.#facts.links
    let kept = 0
    for (let made = this.#firstMade[label]!; made; ) {
      const [link, next] = [this.#made[made - 1]!, this.#nextMade[made]!]
      const one = this.#partition.publishedLabel(from[link]!)
      if (this.#parts.join(one, this.#partition.publishedLabel(to[link]!))) {
        this.#nextMade[made] = kept
        kept = made
      }
      made = next
    }
    this.#firstMade[label] = kept
    this.#parts.clear()
  }

  /** Finds the links that held the parts of a former component together: the last ones that did. */
  #decideLost(lost: readonly Lost[]): void {
    const { ids } = this.#facts
    for (const { from, to, fact } of lost.toSorted((one, other) => other.fact - one.fact)) {
      if (this.#partition.publishedLabel(from) !== this.#partition.publishedLabel(to)) continue
      const [one, other] = [this.#labelOf(from), this.#labelOf(to)]
      if (one === other || !this.#parts.join(one, other)) continue
      const work = this.#works[fact]!
      const label = this.#partition.label[work]!
      const found = this.#partedBy.get(label) ?? []
      this.#partedBy.set(label, found)
      found.push({
        from: ids.name(from)!,
        to: ids.name(to)!,
        effect: 'lost',
        work: ids.name(work)!,
        revision: this.#revisions[fact]!,
      })
    }
    this.#parts.clear()
  }

  /** Returns a node's current label; a node that has left the graph counts as a part of its own. */
  #labelOf(node: number): number {
    return this.#partition.label[node] || node
  }

  /** Returns the deciding links whose work is in this component, until the next fact. */
  *of(label: number): Generator<DecidingLink> {
    const { ids, links } = this.#facts
    for (let made = this.#firstMade[label] ?? 0; made; made = this.#nextMade[made]!) {
      const link = this.#made[made - 1]!
      const fact = this.#makers[made - 1]!
      yield {
        from: ids.name(links.from[link]!)!,
        to: ids.name(links.to[link]!)!,
        effect: 'made',
        work: ids.name(this.#works[fact]!)!,
        revision: this.#revisions[fact]!,
      }
    }
    yield* this.#partedBy.get(label) ?? []
  }

  #pairOf(link: number): number {
    return this.#facts.links.from[link]! * maxNodes + this.#facts.links.to[link]!
  }

  #clear(): void {
    for (const label of this.#joined) this.#firstMade[label] = 0
    this.#joined = []
    this.#works = [0]
    this.#revisions = [0]
    this.#made = []
    this.#makers = []
    this.#lost = new Map()
    this.#partedBy = new Map()
    this.#isDecided = false
  }
}
