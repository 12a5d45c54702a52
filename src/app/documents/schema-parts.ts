import type { JsonSchema } from '../../domain/kernel/annotation.ts'
import { isObject } from '../../domain/kernel/envelope.ts'

/** How schemas are put together so that people can read them. */

export const objectSchema = (
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
): JsonSchema => ({ type: 'object', properties, ...(required.length > 0 && { required }) })

export const tupleSchema = (items: readonly JsonSchema[]): JsonSchema => ({
  type: 'array',
  prefixItems: items,
  items: false,
  minItems: items.length,
})

/** Fixed values become an `enum`; a single schema stays as it is. */
export const oneOfMany = (schemas: readonly JsonSchema[]): JsonSchema => {
  const [only, ...others] = schemas
  if (only && others.length === 0) return only
  const values = schemas.flatMap(fixedValues)
  return schemas.every((schema) => fixedValues(schema).length > 0) ? { enum: values } : { anyOf: schemas }
}

/** The values of a schema that is an `enum` or a `const` and nothing more. */
const fixedValues = (schema: JsonSchema): readonly unknown[] => {
  if (Object.keys(schema).length !== 1) return []
  if ('const' in schema) return [schema.const]
  return Array.isArray(schema.enum) ? schema.enum : []
}

/** Objects that share no field become one object; whatever else must hold together stays an `allOf`. */
export const mergeObjects = (schemas: readonly JsonSchema[]): JsonSchema => {
  const properties: Record<string, JsonSchema> = {}
  const required: string[] = []
  for (const schema of schemas) {
    const fields = plainFields(schema)
    if (!fields || Object.keys(fields).some((name) => Object.hasOwn(properties, name)))
      return { allOf: schemas }
    Object.assign(properties, fields)
    if (Array.isArray(schema.required)) required.push(...schema.required)
  }
  return objectSchema(properties, required)
}

const plainFields = (schema: JsonSchema): Readonly<Record<string, JsonSchema>> | undefined =>
  schema.type === 'object' &&
  Object.keys(schema).every((key) => key === 'type' || key === 'properties' || key === 'required')
    ? ((schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>)
    : undefined

/**
 * A dictionary. Fixed names are required fields. io-ts silently drops names outside the domain: where the domain has a
 * pattern so does the schema; else it describes the values of any name.
 */
export const dictionarySchema = (domain: JsonSchema, codomain: JsonSchema): JsonSchema => {
  const names = fixedValues(domain).filter((name) => typeof name === 'string')
  if (names.length > 0) return objectSchema(Object.fromEntries(names.map((name) => [name, codomain])), names)
  return typeof domain.pattern === 'string'
    ? { type: 'object', patternProperties: { [domain.pattern]: codomain } }
    : { type: 'object', additionalProperties: codomain }
}

/**
 * The same schema, of objects that take no other fields than those named. What stands beside an object's own fields (`oneOf`,
 * `allOf` of an annotation) narrows it and names none.
 */
export const closedSchema = (schema: JsonSchema): JsonSchema => {
  const { properties, items, prefixItems, anyOf, allOf, patternProperties } = schema
  if (isObject(properties)) {
    const isOpen = 'additionalProperties' in schema || patternProperties !== undefined
    return {
      ...schema,
      properties: mapValues(properties, closedSchema),
      ...(!isOpen && { additionalProperties: false }),
    }
  }
  if (Array.isArray(allOf) && allOf.every((one) => isObject(one) && one.type === 'object'))
    return { type: 'object', ...schema, unevaluatedProperties: false }
  return {
    ...schema,
    ...(isObject(items) && { items: closedSchema(items) }),
    ...(Array.isArray(prefixItems) && { prefixItems: prefixItems.map(closedSchema) }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map(closedSchema) }),
  }
}

const mapValues = (all: Readonly<Record<string, unknown>>, of: (one: JsonSchema) => JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(all).map(([name, one]) => [name, isObject(one) ? of(one) : one]))
