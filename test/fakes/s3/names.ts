import type { Algorithm, ChecksumType } from './checksums.ts'

export interface ListedName {
  readonly key: string
  readonly size: number
  /** Without quotes. */
  readonly etag?: string
  readonly modifiedAt?: Date
  readonly storageClass?: string
  readonly checksums?: Readonly<Partial<Record<Algorithm, string>>>
  readonly checksumType?: ChecksumType | undefined
}

/** Gives the names from `key` on, that one included, in the order of their UTF-8 bytes. */
export type NameSource = (key: string) => Iterable<ListedName>

/** Below, equal or above 0, by UTF-8 bytes: JavaScript compares by UTF-16 units, which differs above U+FFFF. */
export const compareKeys = (a: string, b: string): number => {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)]
    if (left === right) continue
    const [isHighLeft, isHighRight] = [isSurrogate(left), isSurrogate(right)]
    return isHighLeft === isHighRight ? left - right : isHighLeft ? 1 : -1
  }
  return a.length - b.length
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff

/** Sorts when it is asked, and not before. */
export class SortedNames {
  readonly #all: () => readonly ListedName[]
  #sorted: readonly ListedName[] | undefined

  constructor(all: () => readonly ListedName[]) {
    this.#all = all
  }

  forget(): void {
    this.#sorted = undefined
  }

  *from(key: string): Iterable<ListedName> {
    this.#sorted ??= this.#all().toSorted((a, b) => compareKeys(a.key, b.key))
    const names = this.#sorted
    let [low, high] = [0, names.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compareKeys(names[middle]!.key, key) < 0) low = middle + 1
      else high = middle
    }
    for (let at = low; at < names.length; at++) yield names[at]!
  }
}
