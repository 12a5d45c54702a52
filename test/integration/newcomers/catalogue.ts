/* A small catalogue with a graph that is right though one link holds it together, and one that is wrong. */

interface Work {
  readonly id: string
  readonly source: string
  readonly sourceVersion: number
  readonly title?: string
  readonly links: readonly { readonly to: string; readonly reason: string }[]
  readonly fields?: Readonly<Record<string, unknown>>
}

const scanOf = (id: string): Work => ({
  id: `${id}-scan`,
  source: 'scans',
  sourceVersion: 1,
  links: [{ to: id, reason: 'digitised from' }],
})

const book = (
  id: string,
  title: string,
  year: number,
  links: Work['links'] = [],
  sourceVersion = 1,
): Work => ({
  id,
  source: 'library',
  sourceVersion,
  title,
  links,
  fields: { year },
})

/** Two volumes of one herbal; and two atlases that somebody took for one. */
export const works: readonly Work[] = [
  book('herbal-1', 'A herbal of the Alps, volume 1', 1821, [{ to: 'herbal-2', reason: 'continued by' }]),
  book('herbal-2', 'A herbal of the Alps, volume 2', 1823),
  book('heavens', 'Atlas of the heavens', 1661, [{ to: 'anatomy', reason: 'same as' }]),
  book('anatomy', 'Atlas of anatomy', 1748),
  ...['herbal-1', 'herbal-2', 'heavens', 'anatomy'].map(scanOf),
]

/** The library describes the second volume anew: the same but for its date, then with another title. */
export const redated = book('herbal-2', 'A herbal of the Alps, volume 2', 1824, [], 2)
export const retitled = book('herbal-2', 'A flora of Tyrol', 1824, [], 3)

export const dataOf = (work: Work): Readonly<Record<string, unknown>> => ({
  sourceModifiedAt: '2026-01-31T12:00:00.000Z',
  state: 'visible',
  ...work,
})

export const ndjson = (some: readonly Work[]): string =>
  some.map((work) => `${JSON.stringify(dataOf(work))}\n`).join('')
