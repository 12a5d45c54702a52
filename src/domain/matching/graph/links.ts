import { capacityFor, integers } from './columns.ts'

/**
 * Links by number, in a list at their source and a list at their target. To walk one:
 * `for (let link = links.firstOut[node]!; link; link = links.nextOut[link]!)`.
 */
export class Links {
  /** By node. */
  firstOut = integers(0)
  firstIn = integers(0)
  /** By link. */
  from = integers(0)
  to = integers(0)
  nextOut = integers(0)
  nextIn = integers(0)
  #beforeIn = integers(0)
  #end = 1
  /** Numbers of removed links, chained by `nextOut`. */
  #free = 0
  #count = 0

  get count(): number {
    return this.#count
  }

  /** Makes room for so many nodes. */
  reserve(nodes: number): void {
    this.firstOut = integers(nodes, this.firstOut)
    this.firstIn = integers(nodes, this.firstIn)
  }

  /** Gives its number. */
  add(from: number, to: number): number {
    const link = this.#number()
    this.from[link] = from
    this.to[link] = to
    this.nextOut[link] = this.firstOut[from]!
    this.firstOut[from] = link
    const second = this.firstIn[to]!
    this.nextIn[link] = second
    this.#beforeIn[link] = 0
    if (second) this.#beforeIn[second] = link
    this.firstIn[to] = link
    this.#count++
    return link
  }

  /**
   * Keeps the links from this node to those in `wanted` and removes the others, which `removed` can still read; `wanted` then
   * holds those to be added.
   */
  keep(from: number, wanted: Set<number>, removed: (link: number) => void): void {
    let link = this.firstOut[from]!
    this.firstOut[from] = 0
    while (link) {
      const following = this.nextOut[link]!
      const to = this.to[link]!
      if (wanted.delete(to)) {
        this.nextOut[link] = this.firstOut[from]!
        this.firstOut[from] = link
      } else {
        this.#removeIn(link, to)
        this.nextOut[link] = this.#free
        this.#free = link
        this.#count--
        removed(link)
      }
      link = following
    }
  }

  #removeIn(link: number, to: number): void {
    const before = this.#beforeIn[link]!
    const after = this.nextIn[link]!
    if (before) this.nextIn[before] = after
    else this.firstIn[to] = after
    if (after) this.#beforeIn[after] = before
  }

  #number(): number {
    const free = this.#free
    if (free) {
      this.#free = this.nextOut[free]!
      return free
    }
    if (this.#end >= this.from.length) this.#grow(capacityFor(this.#end))
    return this.#end++
  }

  #grow(links: number): void {
    this.from = integers(links, this.from)
    this.to = integers(links, this.to)
    this.nextOut = integers(links, this.nextOut)
    this.nextIn = integers(links, this.nextIn)
    this.#beforeIn = integers(links, this.#beforeIn)
  }
}
