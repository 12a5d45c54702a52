import { type Recorded, readRecord } from '../../../fixtures/eventstoredb-record.ts'

/* The record as it is played to the gateway: each call whole. */

export type Json =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Json[]
  | { readonly [key: string]: Json }

export interface EventStep {
  readonly id: string
  readonly type?: string
  readonly contentType?: string
  readonly data?: string
  /** In the place of `data`: so many bytes. */
  readonly bytes?: number
  /** More headers. */
  readonly extra?: Readonly<Record<string, string>>
}

export type Events = readonly (string | EventStep)[] | string

/** A revision, `none`, `any`, `exists`, or `2^64-1`. */
export type ExpectedStep = number | string

export interface FilterStep {
  readonly stream_identifier?: { readonly prefix?: readonly string[]; readonly regex?: string }
  readonly event_type?: { readonly prefix?: readonly string[]; readonly regex?: string }
  /** The window: without one the option is `count`. */
  readonly max?: number
  readonly interval?: number
}

interface Headers {
  readonly headers?: Readonly<Record<string, string>>
}

export interface ReadStep extends Headers {
  readonly call: 'read' | 'subscribe'
  readonly stream?: string
  readonly all?: string | number | readonly number[]
  readonly from?: number | string
  readonly back?: boolean
  readonly count?: number
  readonly links?: boolean
  readonly structured?: boolean
  readonly compatibility?: number
  readonly filter?: FilterStep
  /** What is done once the subscription is open: the step before this one. */
  readonly then?: string
}

export interface PartStep {
  /** Names the append that this is a part of. */
  readonly c?: number
  readonly stream?: string
  readonly expected?: ExpectedStep
  readonly events: Events
  readonly final?: false
}

export type CallStep =
  | { readonly call: 'serverFeatures' }
  | (Headers & {
      readonly call: 'append'
      readonly stream: string
      readonly expected: ExpectedStep
      readonly events: Events
    })
  | { readonly call: 'batchAppend'; readonly parts: readonly PartStep[] }
  | { readonly call: 'delete' | 'tombstone'; readonly stream: string; readonly expected: ExpectedStep }
  | ReadStep

/** What came back. */
export interface Came {
  readonly answer?: Json
  readonly answers?: readonly Json[]
  readonly messages?: readonly Json[]
  readonly status: Json
}

export type Step = CallStep & Recorded<Came>

export const scenarios = readRecord<Step>()
