/** The fields of a line: a key, and a capture. */
export type Column =
  | 'key'
  | 'time'
  | 'url'
  | 'mime'
  | 'status'
  | 'digest'
  | 'redirect'
  | 'flags'
  | 'length'
  | 'offset'
  | 'file'
  | 'originalLength'
  | 'originalOffset'
  | 'originalFile'

/** The fields of an answer. No line has `dupecount`: the answer counts it. */
export type OutputColumn = Column | 'dupecount'

/** The texts of a line. CDXJ has two more, of a request by POST or PUT. */
export type Texts = Readonly<Partial<Record<Column | 'method' | 'requestBody', string>>>

const facts = ['key', 'time', 'url', 'mime', 'status', 'digest'] as const
const place = ['offset', 'file'] as const
const original = ['originalLength', 'originalOffset', 'originalFile'] as const

const cdx7: readonly Column[] = [...facts, 'length']
const cdx9: readonly Column[] = [...facts, 'redirect', ...place]
const cdx10: readonly Column[] = [...facts, 'redirect', 'flags', ...place]
const cdx11: readonly Column[] = [...facts, 'redirect', 'flags', 'length', ...place]

/** Columns by their number; 12 to 14 are 9 to 11 with the record that a revisit repeats. */
export const layouts: ReadonlyMap<number, readonly Column[]> = new Map(
  [cdx7, cdx9, cdx10, cdx11, [...cdx9, ...original], [...cdx10, ...original], [...cdx11, ...original]].map(
    (columns) => [columns.length, columns],
  ),
)
