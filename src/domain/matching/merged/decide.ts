import * as E from 'fp-ts/lib/Either.js'
import type { Command, Decider } from '../../kernel/decider.ts'
import type { Rejection } from '../../kernel/rejection.ts'
import { saySame } from '../canonical-json.ts'
import type { Document } from './document.ts'
import { category, type MergedEvent, mergedEvents } from './events.ts'

interface MergedCommand extends Command {
  readonly work: string
  readonly generation: number
  readonly version: number
}

/** Stores the document of a work, made from the graph of this version. */
export interface Index extends MergedCommand {
  readonly type: 'Index'
  readonly document: Document
}

/** Sets the version of all documents of the component that the work names. */
export interface MarkGraph extends MergedCommand {
  readonly type: 'MarkGraph'
  readonly revision: number
  readonly size: number
  /** The works whose documents are written after this; undefined: any may be. */
  readonly written: readonly string[] | undefined
  /** Document of the work itself, if it is one of these: it is marked and written in one append. */
  readonly document: Document | undefined
}

interface IndexRejection extends Rejection {
  readonly code: 'older-graph'
}

/** The version of a component's documents. */
export interface Mark {
  readonly version: number
  readonly revision: number
  readonly written: readonly string[] | undefined
}

/** The stored state of a work in one generation. */
export interface Held {
  /** Version of its last document: 0 if there is none. */
  readonly version: number
  /** As JSON; `null` if there is none. */
  readonly content: string
  /** Mark of the component that it names. */
  readonly mark?: Mark
}

/** By generation: versions of different generations are never compared. */
export type Indexed = ReadonlyMap<number, Held>

const nothing: Held = { version: 0, content: 'null' }

/** Undefined if nothing is stored. */
export const heldOf = (indexed: Indexed, generation: number): Held | undefined => indexed.get(generation)

/** 0 if nothing is stored. */
export const heldVersion = ({ version, mark }: Held = nothing): number =>
  Math.max(version, mark?.version ?? 0)

/**
 * Decides about the documents of one work: the newest graph's is kept, whatever order they come in (M10). An equal
 * version is accepted (M11), a lower one rejected with the offered and the held version (M12). A work that names a
 * component is in it, so the mark of the component applies to the work, too.
 */
export const mergedDecider: Decider<Indexed, Index | MarkGraph, MergedEvent, IndexRejection> = {
  category,
  events: mergedEvents,
  initial: new Map(),
  evolve: (indexed, event) => {
    const { generation, version } = event.data
    const held = heldOf(indexed, generation) ?? nothing
    return new Map(indexed).set(
      generation,
      event.type === 'WorkMerged'
        ? { ...held, version, content: JSON.stringify(event.data.document) }
        : { ...held, mark: { version, revision: event.data.revision, written: event.data.written } },
    )
  },
  decide: (command, indexed) => {
    const { work, generation, version } = command
    const held = heldOf(indexed, generation) ?? nothing
    if (version < heldVersion(held)) return E.left(olderGraph(work, generation, version, heldVersion(held)))
    return E.right(command.type === 'Index' ? index(command, held) : mark(command, held))
  },
}

const index = ({ generation, version, document, at }: Index, held: Held): readonly MergedEvent[] =>
  held.version === version && saySame(held.content, JSON.stringify(document))
    ? []
    : [{ type: 'WorkMerged', data: { generation, version, document, at } }]

const mark = (
  { generation, version, revision, size, written, document, at }: MarkGraph,
  held: Held,
): readonly MergedEvent[] =>
  held.mark?.version === version
    ? []
    : [
        {
          type: 'GraphMerged',
          data: { generation, version, revision, size, at, ...(written && { written: [...written] }) },
        },
        ...(document ? [{ type: 'WorkMerged' as const, data: { generation, version, document, at } }] : []),
      ]

const olderGraph = (work: string, generation: number, offered: number, held: number): IndexRejection => ({
  code: 'older-graph',
  message: `the document of ${work} in generation ${generation} is of graph ${held}; the later one, of graph ${offered}, is not needed`,
  details: { work, generation, offered, held },
})
