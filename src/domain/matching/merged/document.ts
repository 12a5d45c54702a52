import * as t from 'io-ts'
import { PositiveInteger } from '../../kernel/codecs.ts'
import { Fields } from '../fields.ts'
import { WorkId } from '../work.ts'

/** Most works that a merged work names of those it was merged from, and most characters of them; `size` counts them all. */
export const maxNamed = 1000
export const maxNamedCharacters = 100_000

/** Bytes as JSON. A topic takes 1 MiB a message, a log as much an append: the rest is for the envelope. */
export const maxDocumentBytes = 1_000_000

/** What readers get for a work. `component` names the graph it was made from. */
export const Document = t.union(
  [
    t.intersection([
      t.type({
        kind: t.literal('merged'),
        component: WorkId,
        size: PositiveInteger,
        /** Those that redirect here, sorted; the first of them, as far as there is room. */
        from: t.array(WorkId),
        fields: Fields,
      }),
      t.partial({ title: t.string }),
    ]),
    t.type({ kind: t.literal('redirect'), component: WorkId, to: WorkId }),
    /** Nothing in its component is visible. */
    t.type({ kind: t.literal('hidden'), component: WorkId }),
    t.type({ kind: t.literal('deleted'), component: WorkId }),
  ],
  'document',
)
export type Document = t.TypeOf<typeof Document>

/** Bytes as JSON. */
export const sizeOf = (document: Document): number =>
  new TextEncoder().encode(JSON.stringify(document)).length
