import * as t from 'io-ts'
import { Document } from '../../../domain/matching/merged/document.ts'
import { Rules } from '../../../domain/matching/merged/rules.ts'
import { generations } from '../../../domain/matching/views.ts'
import { WorkId, WorkState } from '../../../domain/matching/work.ts'
import { rowCodec } from '../../runtime/row-codec.ts'
import { Titles } from './titles.ts'

/* Answers to the questions of this folder, for the command line, HTTP and pictures alike. */

const orNull = <A extends t.Mixed>(of: A) => t.union([of, t.null])
const ids = t.readonlyArray(t.string)
const textOrNull = orNull(t.string)
const numberOrNull = orNull(t.number)

export const WorkNode = t.readonly(
  t.type({
    id: t.string,
    /** `placeholder`: never described by a source. */
    state: t.union([WorkState, t.literal('placeholder')]),
    source: textOrNull,
    sourceVersion: numberOrNull,
    title: textOrNull,
    /** Revision of the work's stream. */
    revision: numberOrNull,
    /** The document of the work in this generation; null before the first. */
    document: t.union([
      t.literal('merged'),
      t.literal('redirect'),
      t.literal('hidden'),
      t.literal('deleted'),
      t.null,
    ]),
    redirectsTo: textOrNull,
  }),
)
export type WorkNode = t.TypeOf<typeof WorkNode>

export const LinkLine = t.readonly(
  t.type({
    from: t.string,
    to: t.string,
    reasons: t.readonlyArray(t.string),
    /** False if one of its ends is deleted. */
    active: t.boolean,
    statedAt: t.string,
    /** The event that first stated it: this revision of the stream `work-<from>`. */
    revision: t.number,
  }),
)
export type LinkLine = t.TypeOf<typeof LinkLine>

/** A component, drawn or listed: sorted by id, so that two can be compared. */
export const ComponentAnswer = t.readonly(
  t.type({
    generation: t.number,
    graph: t.number,
    component: t.string,
    /** Works in the whole component. */
    size: t.number,
    version: t.number,
    changedAt: t.string,
    target: textOrNull,
    /** The members, then the deleted works that a link of theirs leads to or comes from. */
    nodes: t.readonlyArray(WorkNode),
    links: t.readonlyArray(LinkLine),
    bridge: orNull(t.readonly(t.type({ from: t.string, to: t.string, side: t.number }))),
    /** Works left out because there are too many to show; the nearest to the one asked for are shown. */
    leftOut: t.number,
  }),
)
export type ComponentAnswer = t.TypeOf<typeof ComponentAnswer>

/** A person looked at a graph: it is right. */
export const Verdict = t.readonly(
  t.type({
    actor: t.string,
    reason: t.string,
    at: t.string,
    /** False if the graph has changed since. */
    stands: t.boolean,
  }),
)
export type Verdict = t.TypeOf<typeof Verdict>

export const VerdictLine = t.readonly(
  t.type({
    /** The smallest work of the graph, or the record. */
    id: t.string,
    title: textOrNull,
    what: t.keyof({ graph: null, record: null }),
    /** Works of the graph as it was looked at; null for a record. */
    size: numberOrNull,
    actor: t.string,
    reason: t.string,
    at: t.string,
    /** False if the graph has changed since, or the record was corrected again. */
    stands: t.boolean,
  }),
)

export const RefusalLine = t.readonly(
  t.type({
    /** Place of the refusal in the log. */
    position: t.number,
    /** The record. */
    id: t.string,
    title: textOrNull,
    /** `source`: an older version of the record, or one of another source. `index`: a document of an older graph. */
    stage: textOrNull,
    code: textOrNull,
    /** Versions; null where there is none. */
    offered: numberOrNull,
    held: numberOrNull,
    /** Why it was refused. */
    says: textOrNull,
    /** Its sender. */
    source: textOrNull,
    at: textOrNull,
  }),
)

/** A component, with the data that a drawing of it needs. */
export const GraphAnswer = t.readonly(
  t.intersection([
    ComponentAnswer,
    t.type({
      /** Links whose ends nothing else joins. Not computed for graphs of more than 5,000 works. */
      bridges: t.readonlyArray(t.readonly(t.type({ from: t.string, to: t.string }))),
      /**
       * Groups of works that differ in id and title alone, and are linked with one work for one reason: three or more
       * each.
       */
      alike: t.readonlyArray(ids),
      /** The last verdict about it that was not taken back. */
      verdict: orNull(Verdict),
    }),
  ]),
)
export type GraphAnswer = t.TypeOf<typeof GraphAnswer>

export const WorkFound = t.readonly(
  t.type({
    work: WorkId,
    title: textOrNull,
    source: textOrNull,
    state: orNull(t.union([WorkState, t.literal('placeholder')])),
  }),
)
export type WorkFound = t.TypeOf<typeof WorkFound>

export const SearchAnswer = t.readonly(
  t.type({
    works: t.readonlyArray(WorkFound),
    /** Number of works found, listed or not. */
    total: t.number,
    /** False if more may be found: there are more titles than were read. */
    isWhole: t.boolean,
  }),
)

export const Hop = t.readonly(
  t.type({
    from: t.string,
    to: t.string,
    /** The statements that make this hop, in either direction. */
    links: t.readonlyArray(LinkLine),
  }),
)
export type Hop = t.TypeOf<typeof Hop>

export const Together = t.readonly(
  t.type({
    kind: t.literal('together'),
    a: t.string,
    b: t.string,
    path: t.readonlyArray(Hop),
    /** Hops that every path takes: without any of them the two would part. Empty if no single link parts them. */
    parting: t.readonlyArray(Hop),
    /** When they came into one graph for the last time. */
    since: textOrNull,
    titles: Titles,
  }),
)
export type Together = t.TypeOf<typeof Together>

/** An update that moved works, and the link by which it did: see `effect`. */
export const TurnCause = t.readonly(
  t.type({
    work: t.string,
    /** Revision of the update in the stream `work-<work>`. */
    revision: t.number,
    /** The link counts since then, or no longer does; `described`: the work was described. */
    effect: t.keyof({ linked: null, unlinked: null, described: null }),
    from: textOrNull,
    to: textOrNull,
  }),
)

export const Apart = t.readonly(
  t.type({
    kind: t.literal('apart'),
    a: t.string,
    b: t.string,
    /** Null if they never were in one graph. */
    lastTogether: orNull(
      t.readonly(t.type({ until: t.string, version: t.number, causes: t.readonlyArray(TurnCause) })),
    ),
    /** Stated links that would join them if their deleted ends came back. */
    cut: t.readonlyArray(LinkLine),
    titles: Titles,
  }),
)
export type Apart = t.TypeOf<typeof Apart>

export const WhyAnswer = t.union([Together, Apart])
export type WhyAnswer = t.TypeOf<typeof WhyAnswer>

/** A record as it stands beside another one. */
export const RecordSide = t.readonly(
  t.intersection([
    WorkNode,
    t.type({
      sourceModifiedAt: textOrNull,
      /** The work that readers get for it; null if they get none, or its document is not written yet. */
      shownAs: textOrNull,
      /** The smallest work of its graph; null while it waits for the matcher. */
      component: textOrNull,
      /** Works that name it, a thousand at most. */
      namedBy: t.number,
    }),
  ]),
)
export type RecordSide = t.TypeOf<typeof RecordSide>

/** A field of two records; a value is null where the record has no such field. */
export const FieldPair = t.readonly(
  t.type({
    field: t.string,
    agrees: t.keyof({ same: null, differs: null, 'only-a': null, 'only-b': null }),
    a: t.unknown,
    b: t.unknown,
    /** Values in both, where both have lists; empty otherwise. */
    both: t.readonlyArray(t.unknown),
  }),
)
export type FieldPair = t.TypeOf<typeof FieldPair>

export const RecordsAnswer = t.readonly(
  t.type({
    a: RecordSide,
    b: RecordSide,
    /** Title, source, state and whatever else either of them has: those that differ first. */
    fields: t.readonlyArray(FieldPair),
    /** Links from one to the other, in either direction. */
    direct: t.readonlyArray(LinkLine),
    /** Ids that both name, with the reasons of each. */
    named: t.readonlyArray(
      t.readonly(t.type({ id: t.string, a: t.readonlyArray(t.string), b: t.readonlyArray(t.string) })),
    ),
    /** As `why` answers; null while one waits for the matcher, or where their graph is too large to be searched here. */
    why: orNull(WhyAnswer),
    isTooLarge: t.boolean,
    titles: Titles,
  }),
)
export type RecordsAnswer = t.TypeOf<typeof RecordsAnswer>

export const TurnLine = t.readonly(
  t.type({
    at: t.string,
    version: t.number,
    /** `first`: it came alone or into a graph. `joined`, `left`: it moved. `gained`, `lost`: others did. */
    what: t.keyof({ first: null, joined: null, left: null, gained: null, lost: null }),
    graph: t.number,
    /** Works in the graph from then on. */
    size: t.number,
    /** How many came or went, and the first few of them. */
    count: t.number,
    some: ids,
    /** Causes: the first few updates, and how many there are. Empty if the cause was not kept. */
    causes: t.readonlyArray(TurnCause),
    caused: t.number,
    /** Titles of the works that came or went, and of those that a cause names. */
    titles: Titles,
  }),
)
export type TurnLine = t.TypeOf<typeof TurnLine>

export const HistoryAnswer = t.readonly(t.type({ work: WorkId, turns: t.readonlyArray(TurnLine) }))

/** A component and the work that it is shown as. */
export const Outcome = t.readonly(t.type({ members: ids, placeholders: ids, target: textOrNull }))
export type Outcome = t.TypeOf<typeof Outcome>

export const LinkChange = t.keyof({ drop: null, add: null })

/** Effect of one link on the works that it concerns. */
export const WhatIfAnswer = t.readonly(
  t.type({
    change: t.readonly(t.type({ kind: LinkChange, from: t.string, to: t.string })),
    /** True if the link exists now: adding it then changes nothing, nor does dropping a missing one. */
    stated: t.boolean,
    before: t.readonlyArray(Outcome),
    after: t.readonlyArray(Outcome),
    /** Works whose document would change: its kind, or the target of its redirect. */
    changed: t.readonlyArray(t.readonly(t.type({ work: t.string, before: t.string, after: t.string }))),
    titles: Titles,
  }),
)
export type WhatIfAnswer = t.TypeOf<typeof WhatIfAnswer>

export const StuckLine = t.readonly(
  t.type({
    /** Accepted but in no graph; graph newer than its documents; written but not on its topic; faulty at rest. */
    what: t.keyof({
      unmatched: null,
      unindexed: null,
      unsent: null,
      'no-target': null,
      'two-targets': null,
      astray: null,
    }),
    /** A work, or the smallest id of a component. */
    id: t.string,
    title: textOrNull,
    since: t.string,
    /** One sentence: the problem, and its remedy. */
    says: t.string,
  }),
)
export type StuckLine = t.TypeOf<typeof StuckLine>

export const QualityLine = t.readonly(
  t.type({
    what: t.keyof({ 'one-link': null, 'hub-placeholder': null, oversized: null, corrected: null }),
    id: t.string,
    title: textOrNull,
    /**
     * Input `seen` of `matching.confirm`: the version of the graph, or the number of corrections of the record.
     */
    seen: numberOrNull,
    /** Works concerned; the worst come first. */
    weight: t.number,
    says: t.string,
  }),
)
export type QualityLine = t.TypeOf<typeof QualityLine>

export const Comparison = t.readonly(
  t.type({
    first: t.number,
    second: t.number,
    same: t.number,
    different: t.number,
    onlyInFirst: t.number,
    onlyInSecond: t.number,
    /** The first few that differ. */
    examples: t.readonlyArray(
      t.readonly(
        t.type({ work: t.string, title: textOrNull, first: orNull(Document), second: orNull(Document) }),
      ),
    ),
  }),
)
export type Comparison = t.TypeOf<typeof Comparison>

const counts = <Name extends string>(names: Record<Name, null>) =>
  t.readonly(t.record(t.keyof(names), t.number))

/** Counts of works, links, components and documents. */
export const SummaryAnswer = t.readonly(
  t.type({
    generation: t.number,
    works: counts({ visible: null, invisible: null, deleted: null }),
    links: t.number,
    placeholders: t.number,
    components: t.number,
    /** Number of components of each size, the smallest first. */
    sizes: t.readonlyArray(t.readonly(t.type({ size: t.number, components: t.number }))),
    /** The ten largest. */
    largest: t.readonlyArray(t.readonly(t.type({ component: t.string, title: textOrNull, size: t.number }))),
    documents: counts({ merged: null, redirect: null, hidden: null, deleted: null }),
    /** By code. */
    refusals: t.readonly(t.record(t.string, t.number)),
    /** Works of which one version came again with other content. */
    corrected: t.number,
    /**
     * Works whose last fact is in no graph yet; components whose documents are not all written; graphs that are faulty
     * at rest.
     */
    unmatched: t.number,
    unindexed: t.number,
    faults: t.number,
  }),
)
export type SummaryAnswer = t.TypeOf<typeof SummaryAnswer>

/** A work, and its document for readers; `title`: of the work that they get, which may be the target of a redirect. */
export const ShownDocument = t.readonly(t.type({ work: WorkId, title: textOrNull, document: Document }))
export type ShownDocument = t.TypeOf<typeof ShownDocument>

export const GenerationLine = rowCodec(generations, { rules: Rules })

/** A component by the records, and the graph that its first work is in; placeholders in brackets. */
export const Difference = t.readonly(t.type({ expected: ids, found: ids }))
export type Difference = t.TypeOf<typeof Difference>

export const Verified = t.readonly(
  t.type({
    generation: t.number,
    /** By the records. */
    components: t.number,
    works: t.number,
    /** Components that the graphs do not have exactly so. */
    differences: t.number,
    /** The first few. */
    examples: t.readonlyArray(Difference),
    titles: Titles,
  }),
)
export type Verified = t.TypeOf<typeof Verified>
