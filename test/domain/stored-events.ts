import { describe, expect, it } from 'vitest'
import type { DomainEvent } from '#src/domain/kernel/event.ts'
import type { EventSet } from '#src/domain/kernel/event-set.ts'

/* What was written once stays readable for ever: a changed shape needs a new schema number and an upcaster, and a new
 * example beside the old one, never in its place. */

export interface Stored {
  readonly type: string
  readonly schema: number
  readonly data: unknown
}

const metadata = { actor: 'ada', causationId: 'cause', correlationId: 'cause' }

export const testStored = (stream: string, set: EventSet<DomainEvent>, stored: readonly Stored[]): void => {
  describe(`stored events of ${stream}`, () => {
    it.each(stored)('$type of schema $schema is read as it was written', ({ type, schema, data }) => {
      expect(set.read({ type, data, metadata: { ...metadata, schema } })).toEqual({
        _tag: 'Right',
        right: { type, data },
      })
    })

    it('there is an example of every type, in its present shape too', () => {
      const examples = stored.map(({ type, schema }) => `${type} ${schema}`)
      expect(examples).toEqual(
        expect.arrayContaining(set.types.map((type) => `${type} ${set.schemaOf(type)}`)),
      )
    })

    it.each(stored)('$type is refused without any of its fields', ({ type, schema }) => {
      expect(set.read({ type, data: {}, metadata: { ...metadata, schema } })).toMatchObject({ _tag: 'Left' })
    })
  })
}
