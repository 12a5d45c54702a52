import type * as t from 'io-ts'
import { annotationOf, type JsonSchema } from '../../domain/kernel/annotation.ts'
import { isObject } from '../../domain/kernel/envelope.ts'
import {
  closedSchema,
  dictionarySchema,
  mergeObjects,
  objectSchema,
  oneOfMany,
  tupleSchema,
} from './schema-parts.ts'

export type { JsonSchema } from '../../domain/kernel/annotation.ts'

/** A codec without a `_tag` and without an annotation: a bug, found by the tests that make the documents. */
export class NoSchema extends Error {
  override readonly name = 'NoSchema'
}

interface SchemaOptions {
  readonly id?: string
  readonly title?: string
  readonly description?: string
  readonly examples?: readonly unknown[]
}

/**
 * Returns the whole JSON Schema 2020-12 document of a codec's input. Fields it does not name are allowed and ignored.
 */
export const jsonSchema = (codec: t.Mixed, options: SchemaOptions = {}): JsonSchema => {
  const { id, ...annotations } = options
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...(id !== undefined && { $id: id }),
    ...schemaOf(codec),
    ...annotations,
  }
}

/** Returns the schema of a codec's input, to be nested in another. Throws `NoSchema`. */
export const schemaOf = (codec: t.Mixed): JsonSchema => {
  const annotation = annotationOf(codec)
  if (!annotation) return read(codec as Readable)
  return { ...(annotation.base ? schemaOf(annotation.base) : belowAnnotation(codec)), ...annotation.schema }
}

/** Returns the same schema, closed: it refuses fields that the codec does not name. */
export const closedSchemaOf = (codec: t.Mixed): JsonSchema => closedSchema(schemaOf(codec))

/** Returns the names of the fields of an object, in their order; none for any other codec. */
export const fieldsOf = (codec: t.Mixed): readonly string[] => {
  const { properties } = schemaOf(codec)
  return isObject(properties) ? Object.keys(properties) : []
}

/** Returns the schema that an annotation adds to: empty for a `t.Type` of our own, which cannot be read. */
const belowAnnotation = (codec: t.Mixed): JsonSchema => {
  if (!('_tag' in codec)) return {}
  const readable = codec as Readable
  return readable._tag === 'RefinementType' ? schemaOf(readable.type) : read(readable)
}

/** Codecs whose `_tag` describes their structure. */
type Readable =
  | t.NullType
  | t.StringType
  | t.NumberType
  | t.BooleanType
  | t.UnknownType
  | t.AnyArrayType
  | t.AnyDictionaryType
  | t.LiteralType<string | number | boolean>
  | t.KeyofType<Record<string, unknown>>
  | t.RefinementType<t.Mixed>
  | t.ReadonlyType<t.Mixed>
  | t.ExactType<t.Mixed>
  | t.ArrayType<t.Mixed>
  | t.ReadonlyArrayType<t.Mixed>
  | t.TupleType<t.Mixed[]>
  | t.DictionaryType<t.Mixed, t.Mixed>
  | t.InterfaceType<t.Props>
  | t.PartialType<t.Props>
  | t.UnionType<t.Mixed[]>
  | t.IntersectionType<t.Mixed[]>

const read = (codec: Readable): JsonSchema => {
  switch (codec._tag) {
    case 'NullType':
      return { type: 'null' }
    case 'StringType':
      return { type: 'string' }
    case 'NumberType':
      return { type: 'number' }
    case 'BooleanType':
      return { type: 'boolean' }
    case 'UnknownType':
      return {}
    case 'AnyArrayType':
      return { type: 'array' }
    case 'AnyDictionaryType':
      return { type: 'object' }
    case 'LiteralType':
      return { const: codec.value }
    case 'KeyofType':
      return { enum: Object.keys(codec.keys) }
    case 'ReadonlyType':
    case 'ExactType':
      return schemaOf(codec.type)
    case 'ArrayType':
    case 'ReadonlyArrayType':
      return { type: 'array', items: schemaOf(codec.type) }
    case 'TupleType':
      return tupleSchema(codec.types.map(schemaOf))
    case 'DictionaryType':
      return dictionarySchema(schemaOf(codec.domain), schemaOf(codec.codomain))
    case 'InterfaceType':
      return objectSchema(mapProps(codec.props), requiredOf(codec.props))
    case 'PartialType':
      return objectSchema(mapProps(codec.props), [])
    case 'UnionType':
      return oneOfMany(codec.types.filter((type) => !isUndefined(type)).map(schemaOf))
    case 'IntersectionType':
      return mergeObjects(codec.types.map(schemaOf))
    default:
      throw new NoSchema(
        `the codec "${(codec as t.Mixed).name}" has no JSON Schema: annotate() it where it is made`,
      )
  }
}

const mapProps = (props: t.Props): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(props).map(([name, codec]) => [name, schemaOf(codec)]))

/** io-ts lets a field be absent if its codec accepts `undefined`. */
const requiredOf = (props: t.Props): string[] =>
  Object.keys(props).filter((name) => !props[name]?.is(undefined))

const isUndefined = (codec: t.Mixed): boolean => (codec as { _tag?: string })._tag === 'UndefinedType'
