import * as t from 'io-ts'
import { describe, expect, it } from 'vitest'
import { NonNegativeInteger, Text } from '#src/domain/kernel/codecs.ts'
import { eventSet, eventSpec } from '#src/domain/kernel/event-set.ts'

/* A box was first shelved by one word `place`, then by room and shelf, and then its weight became grams. */
interface First {
  readonly place: string
  readonly kilos: number
}
interface Second {
  readonly room: string
  readonly shelf: string
  readonly kilos: number
}

const Shelved = t.type({ room: Text, shelf: Text, grams: NonNegativeInteger })
const set = eventSet(
  eventSpec('BoxShelved', 'A box found its place.', Shelved, 3, {
    1: (data) => {
      const { place, kilos } = data as First
      const [room, shelf] = place.split('/')
      return { room, shelf, kilos }
    },
    2: (data) => {
      const { kilos, ...where } = data as Second
      return { ...where, grams: kilos * 1000 }
    },
  }),
  eventSpec('BoxLost', 'A box is gone.', t.type({ reason: Text })),
)

const read = (type: string, schema: number, data: unknown) =>
  set.read({ type, data, metadata: { actor: 'ada', causationId: 'c', correlationId: 'c', schema } })

describe('a stored event', () => {
  const present = {
    _tag: 'Right',
    right: { type: 'BoxShelved', data: { room: 'B', shelf: '12', grams: 4000 } },
  }

  it.each([
    [1, { place: 'B/12', kilos: 4 }],
    [2, { room: 'B', shelf: '12', kilos: 4 }],
    [3, { room: 'B', shelf: '12', grams: 4000 }],
  ])('of schema %i is read in its present shape', (schema, data) => {
    expect(read('BoxShelved', schema, data)).toEqual(present)
  })

  it('that cannot be read says which, of what schema, and why', () => {
    expect(read('BoxShelved', 2, { room: 'B', shelf: '', kilos: 4 })).toEqual({
      _tag: 'Left',
      left: 'BoxShelved (schema 2): shelf: wants non-empty text, got ""',
    })
  })

  it('of an unknown type says that a newer program may have written it', () => {
    expect(read('BoxBurnt', 1, {})).toMatchObject({ left: expect.stringContaining('BoxBurnt') })
  })
})

it('knows its types and their present schemas', () => {
  expect(set.types).toEqual(['BoxShelved', 'BoxLost'])
  expect(set.schemaOf('BoxShelved')).toBe(3)
  expect(set.schemaOf('BoxLost')).toBe(1)
})
