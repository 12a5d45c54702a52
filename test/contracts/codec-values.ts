import * as fc from 'fast-check'
import type * as t from 'io-ts'

/** Values of all the kinds that codecs know, and some that none of them do. */
const pool: readonly unknown[] = [
  ...[null, true, false, 0, 1, -1, 1.5, 2 ** 53, '', ' ', 'a', 'text', 'main', 'Ærø', '🗄️', 'a\nb'],
  ...[
    'letters/1912/03.tif',
    '/absolute',
    'a//b',
    '../a',
    'a/..',
    '.hidden',
    'a/./b',
    'nul\0',
    'x'.repeat(4097),
  ],
  ...[
    '2026-01-31T12:00:00.000Z',
    '2026-01-31T12:00:00+01:00',
    '2026-02-30T00:00:00Z',
    '2026-01-31',
    'yesterday',
  ],
  ...[
    'sha-256',
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'd41d8cd98f00b204e9800998ecf8427e',
  ],
  ...[
    {},
    [],
    [1],
    { algorithm: 'crc32c', value: '00000000' },
    { algorithm: 'tag', value: '"9b2-12"' },
    { status: 'missing' },
  ],
  ...['4711', '-1', ' a', 'r-1', ['a', 0], ['a', -1], ['a'], ['a', 'text', 0], ['a', 'text']],
]

/** Values that the codec takes, found by how it is made; for codecs of our own, those of the pool that it takes. */
export const valuesOf = (codec: t.Mixed): fc.Arbitrary<unknown> => {
  const made = codec as Made
  switch (made._tag) {
    case 'InterfaceType':
      return fc.record(mapProps(made.props))
    case 'PartialType':
      return fc.record(mapProps(made.props), { requiredKeys: [] })
    case 'IntersectionType':
      return fc.tuple(...made.types.map(valuesOf)).map((parts) => Object.assign({}, ...parts) as unknown)
    case 'UnionType':
      return fc.oneof(...made.types.map(valuesOf))
    case 'ArrayType':
    case 'ReadonlyArrayType':
      return fc.array(valuesOf(made.type), { maxLength: 3 })
    case 'DictionaryType':
      return fc.dictionary(fc.constantFrom('a', 'b'), valuesOf(made.codomain), { maxKeys: 2 })
    case 'LiteralType':
      return fc.constant(made.value)
    case 'KeyofType':
      return fc.constantFrom(...Object.keys(made.keys))
    default: {
      const taken = pool.filter((value) => codec.decode(value)._tag === 'Right')
      if (taken.length === 0) throw new Error(`the pool has no value of "${codec.name}": add one`)
      return fc.constantFrom(...taken)
    }
  }
}

/** The value with one thing in it changed, dropped or added. */
export const mutationsOf = (value: unknown): fc.Arbitrary<unknown> =>
  fc.tuple(fc.nat(), fc.constantFrom(...pool), fc.boolean()).map(([at, by, drop]) => {
    const copy = { root: structuredClone(value) }
    const places = placesIn(copy)
    const { parent, key } = places[at % places.length]!
    if (drop && key !== 'root' && !Array.isArray(parent)) delete parent[key]
    else parent[key] = by
    return copy.root
  })

type Parent = Record<string, unknown>

const placesIn = (parent: Parent): { parent: Parent; key: string }[] =>
  Object.keys(parent).flatMap((key) => {
    const child = parent[key]
    const here = { parent, key }
    return typeof child === 'object' && child !== null ? [here, ...placesIn(child as Parent)] : [here]
  })

const mapProps = (props: t.Props) =>
  Object.fromEntries(Object.entries(props).map(([name, codec]) => [name, valuesOf(codec)]))

type Made =
  | t.InterfaceType<t.Props>
  | t.PartialType<t.Props>
  | t.IntersectionType<t.Mixed[]>
  | t.UnionType<t.Mixed[]>
  | t.ArrayType<t.Mixed>
  | t.ReadonlyArrayType<t.Mixed>
  | t.DictionaryType<t.Mixed, t.Mixed>
  | t.LiteralType<string | number | boolean>
  | t.KeyofType<Record<string, unknown>>
