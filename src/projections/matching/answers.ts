import type { Document } from '../../domain/matching/merged/document.ts'
import type { WorkState } from '../../domain/matching/work.ts'

/* What the questions of this folder answer, for the command line, HTTP and pictures alike. */

export interface WorkNode {
  readonly id: string
  /** `placeholder`: never described by a source. */
  readonly state: WorkState | 'placeholder'
  readonly source: string | null
  readonly sourceVersion: number | null
  readonly title: string | null
  /** Of the work's stream. */
  readonly revision: number | null
  /** The document of the work in this generation; null before the first. */
  readonly document: Document['kind'] | null
  readonly redirectsTo: string | null
}

export interface LinkLine {
  readonly from: string
  readonly to: string
  readonly reasons: readonly string[]
  /** False where one of its ends is deleted. */
  readonly active: boolean
  readonly statedAt: string
  /** The event that first stated it: this revision of the stream `work-<from>`. */
  readonly revision: number
}

/** A component, drawn or listed: sorted by id, so that two can be compared. */
export interface ComponentAnswer {
  readonly generation: number
  readonly graph: number
  readonly component: string
  /** Works in the whole component. */
  readonly size: number
  readonly version: number
  readonly changedAt: string
  readonly target: string | null
  /** The members, then the deleted works that a link of theirs leads to or comes from. */
  readonly nodes: readonly WorkNode[]
  readonly links: readonly LinkLine[]
  readonly bridge: { readonly from: string; readonly to: string; readonly side: number } | null
  /** Works left out because there are too many to show; the nearest to the one asked for are shown. */
  readonly leftOut: number
}

export interface Hop {
  readonly from: string
  readonly to: string
  /** The statements that make this hop, in either direction. */
  readonly links: readonly LinkLine[]
}

export type WhyAnswer =
  | {
      readonly kind: 'together'
      readonly a: string
      readonly b: string
      readonly path: readonly Hop[]
      /** Hops that every path takes: without any one of them the two would part. None: no single link parts them. */
      readonly parting: readonly Hop[]
      /** When they came into one graph for the last time. */
      readonly since: string | null
    }
  | {
      readonly kind: 'apart'
      readonly a: string
      readonly b: string
      /** Null when they never were in one graph. */
      readonly lastTogether: {
        readonly until: string
        readonly version: number
        readonly causes: readonly string[]
      } | null
      /** Stated links that would join them if their deleted ends came back. */
      readonly cut: readonly LinkLine[]
    }

export interface TurnLine {
  readonly at: string
  readonly version: number
  /** `first`: it came alone or into a graph. `joined`, `left`: it moved. `gained`, `lost`: others did. */
  readonly what: 'first' | 'joined' | 'left' | 'gained' | 'lost'
  readonly graph: number
  /** Works in the graph from then on. */
  readonly size: number
  /** How many came or went, and the first few of them. */
  readonly count: number
  readonly some: readonly string[]
  /** The works whose update led to it. */
  readonly causes: readonly string[]
}

/** What would become of the works that one link concerns. */
export interface WhatIfAnswer {
  readonly change: { readonly kind: 'drop' | 'add'; readonly from: string; readonly to: string }
  /** Whether the link is there now: to drop one that is not, or to add one that is, changes nothing. */
  readonly stated: boolean
  readonly before: readonly Fate[]
  readonly after: readonly Fate[]
  /** Works whose document would be another one: kind, or where it redirects to. */
  readonly changed: readonly { readonly work: string; readonly before: string; readonly after: string }[]
}

/** A component and the work that it is shown as. */
export interface Fate {
  readonly members: readonly string[]
  readonly placeholders: readonly string[]
  readonly target: string | null
}

export interface StuckLine {
  /** Accepted but in no graph; graph above index; something wrong at rest. */
  readonly what: 'unmatched' | 'unindexed' | 'no-target' | 'two-targets' | 'astray'
  /** A work, or the smallest id of a component. */
  readonly id: string
  readonly since: string
  /** One sentence: what is wrong, and what to do. */
  readonly says: string
}

export interface QualityLine {
  readonly what: 'one-link' | 'hub-placeholder' | 'oversized' | 'corrected'
  readonly id: string
  /** Works concerned; the worst come first. */
  readonly weight: number
  readonly says: string
}

export interface Comparison {
  readonly first: number
  readonly second: number
  readonly same: number
  readonly different: number
  readonly onlyInFirst: number
  readonly onlyInSecond: number
  /** The first few that differ. */
  readonly examples: readonly {
    readonly work: string
    readonly first: Document | null
    readonly second: Document | null
  }[]
}

/** What there is, in numbers. */
export interface SummaryAnswer {
  readonly generation: number
  readonly works: Readonly<Record<WorkState, number>>
  readonly links: number
  readonly placeholders: number
  readonly components: number
  /** How many components there are of each size, the smallest first. */
  readonly sizes: readonly { readonly size: number; readonly components: number }[]
  /** The ten largest. */
  readonly largest: readonly { readonly component: string; readonly size: number }[]
  readonly documents: Readonly<Record<Document['kind'], number>>
  /** By code. */
  readonly refusals: Readonly<Record<string, number>>
  /** Works of which one version came again with other content. */
  readonly corrected: number
  /** Works that are in no graph with their last word; components whose documents are not all written; and what is wrong at rest. */
  readonly unmatched: number
  readonly unindexed: number
  readonly faults: number
}
