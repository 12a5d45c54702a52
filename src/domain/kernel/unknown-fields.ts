import { isRight } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { annotationOf } from './annotation.ts'
import { clip } from './clip.ts'
import { isObject } from './envelope.ts'

/** A field that a codec does not name: it would be dropped silently. */
export interface UnknownField {
  /** `input.confirmed` */
  readonly path: string
  /** A sentence that begins with the path: what is wrong, and where the field goes. */
  readonly message: string
}

/**
 * Returns the first field of a value that its codec does not name, at any depth; undefined if it names all.
 * Dictionaries take any name that their domain takes; `t.unknown` and types of our own without a base take any field.
 */
export const unknownField = (codec: t.Mixed, value: unknown): UnknownField | undefined => {
  const found = firstUnknown(codec, value, [])
  if (!found) return undefined
  const { path, known } = found
  const name = path.at(-1) ?? ''
  const sentence = `${path.join('.')}: there is no such field`
  const place = placeOf(codec, name, path.slice(0, -1))
  const message = place
    ? `${sentence} here; it goes ${inWords(place)}: ${example(place, name, valueAt(value, path))}`
    : `${sentence}; there are ${known.length > 0 ? known.join(', ') : 'none'}`
  return { path: path.join('.'), message }
}

type Path = readonly string[]

interface Found {
  readonly path: Path
  /** Field names that the codec has there. */
  readonly known: readonly string[]
}

const firstUnknown = (codec: t.Mixed, value: unknown, path: Path): Found | undefined => {
  if (Array.isArray(value)) return first(value, (item, i) => ofItem(codec, item, i, path))
  if (!isObject(value)) return undefined
  const fields = fieldsOf(codec, value)
  if (!fields) return undefined
  return first(Object.keys(value), (name) => {
    const codecs = fields.codecOf(name)
    if (!codecs) return { path: [...path, name], known: fields.names }
    return first(codecs, (inner) => firstUnknown(inner, value[name], [...path, name]))
  })
}

const first = <A, B>(all: readonly A[], of: (one: A, i: number) => B | undefined): B | undefined => {
  for (const [i, one] of all.entries()) {
    const found = of(one, i)
    if (found !== undefined) return found
  }
  return undefined
}

const ofItem = (codec: t.Mixed, item: unknown, i: number, path: Path): Found | undefined => {
  const inner = plain(codec, undefined).flatMap((one) =>
    one._tag === 'TupleType'
      ? (one.types?.[i] ?? [])
      : one._tag?.endsWith('ArrayType') && one.type
        ? one.type
        : [],
  )
  return first(inner, (one) => firstUnknown(one, item, [...path, String(i)]))
}

interface Fields {
  readonly names: readonly string[]
  /** All codecs of the field; undefined if no field has that name. */
  codecOf(name: string): readonly t.Mixed[] | undefined
}

/** Returns the fields of an object; undefined if it may have any. */
const fieldsOf = (codec: t.Mixed, value: unknown): Fields | undefined => {
  const parts = plain(codec, value)
  if (parts.length === 0 || !parts.every(({ props, domain }) => props || domain)) return undefined
  return {
    names: parts.flatMap(({ props, domain }) => Object.keys(props ?? domain?.keys ?? {})),
    codecOf: (name) => {
      const all = parts.flatMap(({ props, domain, codomain }) => {
        if (props) return Object.hasOwn(props, name) ? (props[name] ?? []) : []
        return domain?.is(name) && codomain ? codomain : []
      })
      return all.length > 0 ? all : undefined
    },
  }
}

/** Fields of io-ts's combinators that are read here. */
type Part = t.Mixed & {
  readonly _tag?: string
  readonly type?: t.Mixed
  readonly types?: readonly t.Mixed[]
  readonly props?: t.Props
  readonly domain?: t.Mixed & { readonly keys?: Readonly<Record<string, unknown>> }
  readonly codomain?: t.Mixed
}

/**
 * Returns the parts of a codec, without refinements and intersections; of a union the members that take the value, or
 * all.
 */
const plain = (codec: t.Mixed, value: unknown): readonly Part[] => {
  const base = annotationOf(codec)?.base
  if (base) return plain(base, value)
  const part = codec as Part
  switch (part._tag) {
    case 'RefinementType':
    case 'ReadonlyType':
    case 'ExactType':
      return plain(part.type as t.Mixed, value)
    case 'IntersectionType':
      return (part.types ?? []).flatMap((one) => plain(one, value))
    case 'UnionType': {
      const taking = (part.types ?? []).filter((one) => isRight(one.decode(value)))
      return (taking.length > 0 ? taking : (part.types ?? [])).flatMap((one) => plain(one, value))
    }
    default:
      return [part]
  }
}

/** Finds another object of the codec that has a field of this name. Returns its path: the nearest to the top. */
const placeOf = (codec: t.Mixed, name: string, not: Path): Path | undefined => {
  let level: readonly (readonly [Path, t.Mixed])[] = [[[], codec]]
  for (let depth = 0; depth < maxDepth && level.length > 0; depth++) {
    const here = level.map(([path, one]) => [path, plain(one, undefined)] as const)
    const found = here.find(
      ([path, parts]) =>
        path.join() !== not.join() && parts.some(({ props }) => props && Object.hasOwn(props, name)),
    )
    if (found) return found[0]
    level = here.flatMap(([path, parts]) =>
      parts.flatMap(({ props }) =>
        Object.entries(props ?? {}).map(([field, inner]) => [[...path, field], inner] as const),
      ),
    )
  }
  return undefined
}

const maxDepth = 4

const inWords = (place: Path): string => (place.length > 0 ? `into ${place.join('.')}` : 'to the top')

/** `{"input":{"confirmed":true}}` */
const example = (place: Path, name: string, value: unknown): string =>
  clip(JSON.stringify([...place, name].reduceRight((inner: unknown, key) => ({ [key]: inner }), value)), 160)

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce((inner, key) => (inner as Readonly<Record<string, unknown>>)[key], value)
