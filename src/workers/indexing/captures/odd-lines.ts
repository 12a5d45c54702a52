/** Counts lines of crawl logs that give no capture, though they mark or may mark a duplicate. */
export interface OddLines {
  count(kind: OddLine, place: LinePlace): void
  /** A sentence for each kind. */
  warnings(): readonly string[]
}

export type OddLine = 'unusable' | 'too long'

interface LinePlace {
  readonly number: number
  /** Offset of the record in its file. */
  readonly offset: number
}

export const createOddLines = (): OddLines => {
  const counted = new Map<OddLine, { count: number; readonly first: LinePlace }>()
  return {
    count: (kind, first) => {
      const found = counted.get(kind)
      if (found) found.count++
      else counted.set(kind, { count: 1, first })
    },
    warnings: () =>
      [...counted].map(
        ([
          kind,
          {
            count,
            first: { number, offset },
          },
        ]) =>
          `${sentences[kind]}: ${count}, the first is line ${number} of the record at byte ${offset}; no capture comes of them`,
      ),
  }
}

const sentences: Readonly<Record<OddLine, string>> = {
  unusable:
    'lines of crawl logs that mark a duplicate, without a file, an offset, a URL or a time that can be used',
  'too long': 'lines of crawl logs that are longer than 256 KiB',
}
