import { describe, expect, it } from 'vitest'
import { events } from '#src/domain/fixity/events.ts'
import { storeEvents } from '#src/domain/fixity/store/events.ts'
import store from './store/stored-events.json' with { type: 'json' }
import items from './stored-events.json' with { type: 'json' }

/* What was written once stays readable for ever: a changed shape needs a new schema number and an upcaster, and a new
 * example beside the old one, never in its place. */

const metadata = { actor: 'ada', causationId: 'cause', correlationId: 'cause' }

interface Stored {
  readonly type: string
  readonly schema: number
  readonly data: unknown
}

describe.each([
  { stream: 'an item', set: events, stored: items as readonly Stored[] },
  { stream: 'a store', set: storeEvents, stored: store as readonly Stored[] },
])('stored events of $stream', ({ set, stored }) => {
  it.each(stored)('$type of schema $schema is read as it was written', ({ type, schema, data }) => {
    expect(set.read({ type, data, metadata: { ...metadata, schema } })).toEqual({
      _tag: 'Right',
      right: { type, data },
    })
  })

  it('there is an example of every type, in its present shape too', () => {
    const examples = stored.map(({ type, schema }) => `${type} ${schema}`)
    expect(examples).toEqual(expect.arrayContaining(set.types.map((type) => `${type} ${set.schemaOf(type)}`)))
  })

  it.each(stored)('$type is refused without any of its fields', ({ type, schema }) => {
    expect(set.read({ type, data: {}, metadata: { ...metadata, schema } })).toMatchObject({ _tag: 'Left' })
  })
})
