import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { accept, explain } from './codecs.ts'
import type { DomainEvent, RecordedEvent } from './event.ts'

/** A stored event type: its codec, the number of its current schema, and the upcasts from older ones. */
export interface EventSpec<Type extends string = string, Codec extends t.Mixed = t.Mixed> {
  readonly type: Type
  /** One sentence for the generated documents. */
  readonly description: string
  readonly schema: number
  readonly codec: Codec
  /** `upcast[n]` turns stored data of schema n into schema n + 1. */
  readonly upcast?: Readonly<Record<number, (data: unknown) => unknown>>
}

type EventOf<Spec> =
  Spec extends EventSpec<infer Type, infer Codec>
    ? { readonly type: Type; readonly data: t.TypeOf<Codec> }
    : never

/** All event types of a category. Old events stay readable for ever. */
export interface EventSet<E extends DomainEvent> {
  readonly specs: ReadonlyMap<string, EventSpec>
  readonly types: readonly E['type'][]
  readonly schemaOf: (type: string) => number
  /** Decodes a stored event in its current schema. Left: a sentence that says why it cannot be read. */
  readonly read: (event: Pick<RecordedEvent, 'type' | 'data' | 'metadata'>) => E.Either<string, E>
}

export type EventsOf<Set> = Set extends EventSet<infer E> ? E : never

export const eventSpec = <Type extends string, Codec extends t.Mixed>(
  type: Type,
  description: string,
  codec: Codec,
  schema = 1,
  upcast: EventSpec['upcast'] = {},
): EventSpec<Type, Codec> => ({ type, description, codec, schema, upcast })

export const eventSet = <const Specs extends readonly EventSpec[]>(
  ...list: Specs
): EventSet<EventOf<Specs[number]>> => {
  const specs = new Map(list.map((spec) => [spec.type, spec]))
  return {
    specs,
    types: [...specs.keys()] as EventOf<Specs[number]>['type'][],
    schemaOf: (type) => specs.get(type)?.schema ?? 1,
    read: (event) => {
      const spec = specs.get(event.type)
      if (!spec) return E.left(`no event type ${event.type} is known here; a newer Fonds may have written it`)
      const decoded = accept(spec.codec, upcastData(spec, event.metadata.schema, event.data))
      return decoded._tag === 'Right'
        ? E.right({ type: event.type, data: decoded.right } as EventOf<Specs[number]>)
        : E.left(`${event.type} (schema ${event.metadata.schema}): ${explain(decoded.left)}`)
    },
  }
}

const upcastData = (spec: EventSpec, stored: number, data: unknown): unknown => {
  let current = data
  for (let schema = stored; schema < spec.schema; schema++) {
    const step = spec.upcast?.[schema]
    if (step) current = step(current)
  }
  return current
}
