import type { WorkUpdated } from '../../domain/matching/messages.ts'

/* A small catalogue: records of a library, its pictures and its digitised books; and the four manuscripts A, B, C, D. */

type Links = Readonly<Record<string, string>>

const record = (
  id: string,
  source: string,
  state: WorkUpdated['state'],
  title: string | undefined,
  links: Links = {},
  fields: Record<string, unknown> = {},
): WorkUpdated => ({
  id,
  source,
  sourceVersion: 1,
  sourceModifiedAt: '2021-04-01T00:00:00.000Z',
  state,
  ...(title !== undefined && { title }),
  links: Object.entries(links).map(([to, reason]) => ({ to, reason })),
  fields,
})

export const catalogue: readonly WorkUpdated[] = [
  record(
    'herbal',
    'library',
    'visible',
    'A herbal of the Alps',
    {},
    { subjects: ['Botany'], shelf: 'EPB/2114' },
  ),
  record('herbal-scan', 'digitised', 'invisible', undefined, { herbal: 'digitised from' }, { pages: 212 }),
  record(
    'gentian-plate',
    'pictures',
    'visible',
    'Gentian, plate IX',
    { herbal: 'is a picture in' },
    { subjects: ['Gentian', 'Botany'] },
  ),
  // Two records that cite a number nobody has described are about the same thing, too.
  record('edelweiss-plate', 'pictures', 'visible', 'Edelweiss, plate X', { 'shelfmark EPB/2115': 'cites' }),
  record('herbal-copy', 'library', 'visible', 'A herbal of the Alps, another copy', {
    'shelfmark EPB/2115': 'cites',
  }),
  record('herbal-draft', 'library', 'deleted', 'A herbal of the Alps, draft', {
    herbal: 'same as',
    'herbal-copy': 'same as',
  }),
]

const manuscript = (id: string, sourceVersion: number, links: Links): WorkUpdated => ({
  ...record(id, 'library', 'visible', `Sanskrit manuscript ${id}`, links),
  sourceVersion,
  sourceModifiedAt: `2021-04-01T00:00:0${sourceVersion - 1}.000Z`,
})

/** At first A and B are a pair, and C and D. */
export const wrongPairs: readonly WorkUpdated[] = [
  manuscript('A', 1, { B: 'same as' }),
  manuscript('B', 1, {}),
  manuscript('C', 1, { D: 'same as' }),
  manuscript('D', 1, { C: 'same as' }),
]

/** A, B, C and D were corrected in this order. The updates come in another one, some at once. */
export const corrections: readonly (readonly WorkUpdated[])[] = [
  [manuscript('D', 5, { A: 'same as' })],
  [manuscript('A', 2, { D: 'same as' }), manuscript('C', 4, { B: 'same as' })],
  [manuscript('B', 3, { C: 'same as' })],
]
