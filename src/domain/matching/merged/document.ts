import * as t from 'io-ts'
import { PositiveInteger } from '../../kernel/codecs.ts'
import { Fields } from '../fields.ts'
import { WorkId } from '../work.ts'

/**
 * Limits on the redirecting works that a merged work names: their number, and their characters; `size` counts them all.
 */
export const maxNamed = 1000
export const maxNamedCharacters = 100_000

/** Bytes as JSON. A topic accepts 1 MiB per message, a log as much per append: the remainder is for the envelope. */
export const maxDocumentBytes = 1_000_000

/** The document that readers get for a work. `component` names the graph it was made from. */
export const Document = t.union(
  [
    t.intersection([
      t.type({
        kind: t.literal('merged'),
        component: WorkId,
        size: PositiveInteger,
        /** Works that redirect to this one, sorted; only the first of them that fit. */
        from: t.array(WorkId),
        fields: Fields,
      }),
      t.partial({ title: t.string }),
    ]),
    t.type({ kind: t.literal('redirect'), component: WorkId, to: WorkId }),
    /** No work in its component is visible. */
    t.type({ kind: t.literal('hidden'), component: WorkId }),
    t.type({ kind: t.literal('deleted'), component: WorkId }),
  ],
  'document',
)
export type Document = t.TypeOf<typeof Document>

/** Returns the size in bytes as JSON. */
export const sizeOf = (document: Document): number =>
  new TextEncoder().encode(JSON.stringify(document)).length
