import * as t from 'io-ts'
import { Document } from '../../domain/matching/merged/document.ts'
import { WorkState } from '../../domain/matching/work.ts'
import type {
  Comparison,
  ComponentAnswer,
  Fate,
  Hop,
  LinkLine,
  QualityLine,
  StuckLine,
  SummaryAnswer,
  TurnLine,
  WhatIfAnswer,
  WhyAnswer,
  WorkNode,
} from '../../projections/matching/answers.ts'

/*
 * The shapes of what the questions about matching answer, for the OpenAPI document. Each is written down as the codec of
 * the type that the question has: they cannot drift apart.
 */

type Codec<A> = t.Type<A, unknown>

const list = <A>(of: Codec<A>) => t.readonlyArray(of)
const orNull = <A>(of: Codec<A>) => t.union([of, t.null])
const texts = list(t.string)
const maybeText = orNull(t.string)
const maybeNumber = orNull(t.number)

const Node: Codec<WorkNode> = t.type({
  id: t.string,
  state: t.union([WorkState, t.literal('placeholder')]),
  source: maybeText,
  sourceVersion: maybeNumber,
  title: maybeText,
  revision: maybeNumber,
  document: t.union([
    t.literal('merged'),
    t.literal('redirect'),
    t.literal('hidden'),
    t.literal('deleted'),
    t.null,
  ]),
  redirectsTo: maybeText,
})

const Link: Codec<LinkLine> = t.type({
  from: t.string,
  to: t.string,
  reasons: texts,
  active: t.boolean,
  statedAt: t.string,
  revision: t.number,
})

export const Component: Codec<ComponentAnswer> = t.type({
  generation: t.number,
  graph: t.number,
  component: t.string,
  size: t.number,
  version: t.number,
  changedAt: t.string,
  target: maybeText,
  nodes: list(Node),
  links: list(Link),
  bridge: orNull(t.type({ from: t.string, to: t.string, side: t.number })),
  leftOut: t.number,
})

const HopCodec: Codec<Hop> = t.type({ from: t.string, to: t.string, links: list(Link) })

export const Why: Codec<WhyAnswer> = t.union([
  t.type({
    kind: t.literal('together'),
    a: t.string,
    b: t.string,
    path: list(HopCodec),
    parting: list(HopCodec),
    since: maybeText,
  }),
  t.type({
    kind: t.literal('apart'),
    a: t.string,
    b: t.string,
    lastTogether: orNull(t.type({ until: t.string, version: t.number, causes: texts })),
    cut: list(Link),
  }),
])

export const Turn: Codec<TurnLine> = t.type({
  at: t.string,
  version: t.number,
  what: t.keyof({ first: null, joined: null, left: null, gained: null, lost: null }),
  graph: t.number,
  size: t.number,
  count: t.number,
  some: texts,
  causes: texts,
})

const FateCodec: Codec<Fate> = t.type({ members: texts, placeholders: texts, target: maybeText })

export const WhatIf: Codec<WhatIfAnswer> = t.type({
  change: t.type({ kind: t.keyof({ drop: null, add: null }), from: t.string, to: t.string }),
  stated: t.boolean,
  before: list(FateCodec),
  after: list(FateCodec),
  changed: list(t.type({ work: t.string, before: t.string, after: t.string })),
})

export const Stuck: Codec<StuckLine> = t.type({
  what: t.keyof({ unmatched: null, unindexed: null, 'no-target': null, 'two-targets': null, astray: null }),
  id: t.string,
  since: t.string,
  says: t.string,
})

export const Quality: Codec<QualityLine> = t.type({
  what: t.keyof({ 'one-link': null, 'hub-placeholder': null, oversized: null, corrected: null }),
  id: t.string,
  weight: t.number,
  says: t.string,
})

export const Compared: Codec<Comparison> = t.type({
  first: t.number,
  second: t.number,
  same: t.number,
  different: t.number,
  onlyInFirst: t.number,
  onlyInSecond: t.number,
  examples: list(t.type({ work: t.string, first: orNull(Document), second: orNull(Document) })),
})

const counts = <Names extends string>(names: Record<Names, null>): Codec<Readonly<Record<Names, number>>> =>
  t.record(t.keyof(names), t.number)

export const Summary: Codec<SummaryAnswer> = t.type({
  generation: t.number,
  works: counts({ visible: null, invisible: null, deleted: null }),
  links: t.number,
  placeholders: t.number,
  components: t.number,
  sizes: list(t.type({ size: t.number, components: t.number })),
  largest: list(t.type({ component: t.string, size: t.number })),
  documents: counts({ merged: null, redirect: null, hidden: null, deleted: null }),
  refusals: t.record(t.string, t.number),
  corrected: t.number,
  unmatched: t.number,
  unindexed: t.number,
  faults: t.number,
})
