import type * as t from 'io-ts'

/**
 * Describes the values that a codec takes, in words for a person: never by a name that io-ts generates (`Partial<{ a:
 * string }>`).
 */
export const expectationOf = (codec: t.Decoder<never, unknown> | undefined): string =>
  codec === undefined ? anotherShape : inWords(codec as unknown as Codec)

const anotherShape = 'another shape'

/** Fields of io-ts's combinators that are read here. */
interface Codec {
  readonly _tag?: string
  readonly name: string
  readonly keys?: Readonly<Record<string, unknown>>
  readonly value?: unknown
  readonly type?: Codec
  readonly types?: readonly Codec[]
}

const inWords = (codec: Codec): string => {
  const named = isMadeUp(codec) ? undefined : codec.name
  switch (codec._tag) {
    case 'KeyofType': {
      const values = listed(Object.keys(codec.keys ?? {}))
      if (named === undefined) return values
      return Object.keys(codec.keys ?? {}).some((value) => named.includes(value))
        ? named
        : `${named} (${values})`
    }
    case 'LiteralType':
      return JSON.stringify(codec.value)
    case 'StringType':
      return 'text'
    case 'NumberType':
      return 'a number'
    case 'BooleanType':
      return 'true or false'
    case 'UnionType':
      return named ?? listed([...new Set((codec.types ?? []).map(inWords))])
    case 'ArrayType':
    case 'ReadonlyArrayType':
    case 'TupleType':
    case 'AnyArrayType':
      return named ?? 'a list'
    case 'InterfaceType':
    case 'PartialType':
    case 'IntersectionType':
    case 'StrictType':
    case 'DictionaryType':
    case 'AnyDictionaryType':
      return named ?? 'a JSON object'
    case 'RefinementType':
    case 'ExactType':
    case 'ReadonlyType':
      return named ?? (codec.type ? inWords(codec.type) : anotherShape)
    default:
      return named ?? anotherShape
  }
}

/** Names that io-ts generates are TypeScript: `{ a: string }`, `(A & B)`, `Partial<…>`. Ours are words. */
const isMadeUp = ({ name }: Codec): boolean =>
  /^([{([|"]|(Array|ReadonlyArray|Partial|Readonly|Exact|Type|Intersection|Union)\b)/.test(name) ||
  ['Object', 'UnknownRecord', 'UnknownArray'].includes(name)

const maxListed = 12

const listed = (words: readonly string[]): string => {
  if (words.length <= 1) return words[0] ?? anotherShape
  if (words.length > maxListed)
    return `${words.slice(0, maxListed).join(', ')} or ${words.length - maxListed} others`
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}
