import * as t from 'io-ts'

/** A JSON Schema (2020-12) object. */
export type JsonSchema = Readonly<Record<string, unknown>>

interface Annotation {
  readonly schema: JsonSchema
  /** A codec whose schema applies as well. */
  readonly base?: t.Mixed
}

/** io-ts has one of each: what is annotated there would hold for every text and number. */
const everyones = new Set<t.Mixed>([t.string, t.number, t.boolean, t.unknown, t.null, t.undefined])

const annotations = new WeakMap<t.Mixed, Annotation>()

/**
 * Gives a codec its JSON Schema, which cannot be read from a predicate. A `t.Type` of our own needs the whole schema, or
 * what it adds to `base`. A refinement needs what it adds to the type it refines (`{}` where JSON Schema cannot say it).
 * Any other codec may be given a description. Throws for `t.string` and its like, which all share: give it a `new t.StringType()`.
 */
export const annotate = <Codec extends t.Mixed>(codec: Codec, schema: JsonSchema, base?: t.Mixed): Codec => {
  if (everyones.has(codec)) throw new Error(`${codec.name} is everyone's: annotate a new codec`)
  annotations.set(codec, base ? { schema, base } : { schema })
  return codec
}

export const annotationOf = (codec: t.Mixed): Annotation | undefined => annotations.get(codec)
