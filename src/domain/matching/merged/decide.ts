import * as E from 'fp-ts/lib/Either.js'
import type { Command, Decider } from '../../kernel/decider.ts'
import type { Rejection } from '../../kernel/rejection.ts'
import { canonicalJson } from '../canonical-json.ts'
import type { Document } from './document.ts'
import { category, type MergedEvent, mergedEvents } from './events.ts'

/** The document of a work, made from the graph of this version. */
interface Index extends Command {
  readonly type: 'Index'
  readonly work: string
  readonly generation: number
  readonly version: number
  readonly document: Document
}

interface IndexRejection extends Rejection {
  readonly code: 'older-graph'
}

/** What is held for a work, by generation: versions of different generations are never compared. */
type Indexed = ReadonlyMap<number, { readonly version: number; readonly content: string }>

/**
 * The documents of one work: the newest graph's is kept, whatever order they come in (M10). An equal version is
 * accepted (M11), a lower one rejected with what was offered and what is held (M12).
 */
export const mergedDecider: Decider<Indexed, Index, MergedEvent, IndexRejection> = {
  category,
  events: mergedEvents,
  initial: new Map(),
  evolve: (indexed, { data: { generation, version, document } }) =>
    new Map(indexed).set(generation, { version, content: canonicalJson(document) }),
  decide: ({ work, generation, version, document, at }, indexed) => {
    const held = indexed.get(generation)
    if (held && version < held.version)
      return E.left({
        code: 'older-graph',
        message: `the document of ${work} in generation ${generation} is of graph ${held.version}; one of graph ${version} came later and is not needed`,
        details: { work, generation, offered: version, held: held.version },
      })
    return held?.version === version && held.content === canonicalJson(document)
      ? E.right([])
      : E.right([{ type: 'WorkMerged', data: { generation, version, document, at } }])
  },
}
