import type { Term } from './vocabulary.ts'

/* Objects, events and agents of PREMIS 3, as far as they are written. Names are those of the Data Dictionary. */

/** Names one thing; `type` says where the value is valid. */
export interface Identifier {
  readonly type: string
  readonly value: string
}

export interface Fixity {
  readonly algorithm: Term
  readonly digest: string
  /** The party that computed it. */
  readonly originator?: string
}

export interface Format {
  readonly name: string
  readonly version?: string
  readonly registry?: { readonly name: string; readonly key: string }
  readonly note?: string
}

export interface PremisObject {
  readonly category: 'intellectualEntity' | 'file'
  readonly identifiers: readonly [Identifier, ...Identifier[]]
  readonly originalName?: string
  /** As `size`, `format` and `location`: for files alone. */
  readonly fixity?: readonly Fixity[]
  /** Bytes. */
  readonly size?: number
  /** Absent: nobody identified it. */
  readonly format?: Format
  /** The place of its bytes; the type says how it is written: `URI`. */
  readonly location?: Identifier
  /** The wholes that it is a part of. */
  readonly partOf?: readonly Identifier[]
}

/** An agent or object that an event names, and what it was in it. */
export interface Link {
  readonly identifier: Identifier
  readonly roles?: readonly Term[]
}

export interface PremisEvent {
  readonly identifier: Identifier
  readonly type: Term
  /** ISO 8601. */
  readonly dateTime: string
  readonly detail?: string
  readonly outcome?: { readonly term: Term; readonly note?: string }
  readonly agents: readonly Link[]
  readonly objects: readonly Link[]
  /** Further facts, by name: elements of the writer's own namespace in an extension. */
  readonly facts?: Readonly<Record<string, string>>
}

export interface PremisAgent {
  readonly identifier: Identifier
  readonly name?: string
  readonly type?: Term
  readonly version?: string
  readonly note?: string
}
