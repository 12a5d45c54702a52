import type * as t from 'io-ts'

/** A JSON Schema (2020-12) object. */
export type JsonSchema = Readonly<Record<string, unknown>>

interface Annotation {
  readonly schema: JsonSchema
  /** A codec whose schema applies as well. */
  readonly base?: t.Mixed
}

const annotations = new WeakMap<t.Mixed, Annotation>()

/**
 * Gives a codec its JSON Schema, which cannot be read from a predicate. A `t.Type` of our own needs the whole schema, or
 * what it adds to `base`. A refinement needs what it adds to the type it refines (`{}` where JSON Schema cannot say it).
 * Any other codec may be given a description.
 */
export const annotate = <Codec extends t.Mixed>(codec: Codec, schema: JsonSchema, base?: t.Mixed): Codec => {
  annotations.set(codec, base ? { schema, base } : { schema })
  return codec
}

export const annotationOf = (codec: t.Mixed): Annotation | undefined => annotations.get(codec)
