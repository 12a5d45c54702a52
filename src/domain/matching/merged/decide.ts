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

/** The document of a work, made from the graph of this version. */
export interface Index extends MergedCommand {
  readonly type: 'Index'
  readonly document: Document
}

/** From now on the documents of the component that the work names are of this version. */
export interface MarkGraph extends MergedCommand {
  readonly type: 'MarkGraph'
  readonly revision: number
  readonly size: number
  /** The works whose documents are written behind this; undefined: all may be. */
  readonly written: readonly string[] | undefined
  /** Of the work itself, where it is one of these: to mark and to write it is one act. */
  readonly document: Document | undefined
}

interface IndexRejection extends Rejection {
  readonly code: 'older-graph'
}

/** At which version the documents of a component stand. */
export interface Mark {
  readonly version: number
  readonly revision: number
  readonly written: readonly string[] | undefined
}

/** What is held for a work in one generation. */
export interface Held {
  /** Of its last document: 0 where there is none. */
  readonly version: number
  /** As JSON; `null` where there is none. */
  readonly content: string
  /** Of the component that it names. */
  readonly mark?: Mark
}

/** By generation: versions of different generations are never compared. */
export type Indexed = ReadonlyMap<number, Held>

const nothing: Held = { version: 0, content: 'null' }

/** Undefined where there is nothing. */
export const heldOf = (indexed: Indexed, generation: number): Held | undefined => indexed.get(generation)

/** 0 where there is nothing. */
export const heldVersion = ({ version, mark }: Held = nothing): number =>
  Math.max(version, mark?.version ?? 0)

/**
 * The documents of one work: the newest graph's is kept, whatever order they come in (M10). An equal version is
 * accepted (M11), a lower one rejected with what was offered and what is held (M12). A work that names a component is in it, so
 * the mark of the component holds for the work, too.
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
  message: `the document of ${work} in generation ${generation} is of graph ${held}; one of graph ${offered} came later and is not needed`,
  details: { work, generation, offered, held },
})
