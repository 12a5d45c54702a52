import { right } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { personDecider, personEvents } from '#src/domain/kernel/people.ts'
import { addressesIn, quotedReference, recipientOf, withReferences } from '#src/domain/kernel/person.ts'
import { addressesOf } from '#src/workflows/persons.ts'
import { peopleOf } from '../../fakes/people.ts'
import { testStored } from '../stored-events.ts'
import stored from './stored-person-events.json' with { type: 'json' }

testStored('a person', personEvents, stored)

const at = '2026-01-31T12:00:00.000Z'
const decided = (type: 'Add' | 'Forget', state: typeof personDecider.initial) =>
  personDecider.decide({ type, actor: 'ben', reason: 'she left', at }, state)
const happened = (type: 'PersonAdded' | 'PersonForgotten') =>
  right([{ type, data: { reason: 'she left', at } }])

describe('a person in the log', () => {
  it('is added once, and again after being forgotten', () => {
    expect(decided('Add', undefined)).toEqual(happened('PersonAdded'))
    expect(decided('Add', 'added')).toEqual(right([]))
    expect(decided('Add', 'forgotten')).toEqual(happened('PersonAdded'))
  })

  it('is forgotten each time that somebody wants it: another home may keep what this one does not', () => {
    for (const state of [undefined, 'added', 'forgotten'] as const)
      expect(decided('Forget', state)).toEqual(happened('PersonForgotten'))
  })

  it('Q44 the references that are erased are in one event', () => {
    const erase = {
      type: 'Erase',
      actor: 'ben',
      reason: 'she left',
      at,
      references: ['one', 'other'],
    } as const
    const event = {
      type: 'PersonErased',
      data: { references: ['one', 'other'], reason: 'she left', at },
    } as const
    expect(personDecider.decide(erase, 'added')).toEqual(right([event]))
    expect(personDecider.evolve('added', event)).toBe('added')
  })
})

it('an address that an older version wrote to the log is one', async () => {
  const people = await peopleOf({ reference: 'person#1', mail: 'ada@archive.example' })
  const { recipientOf, without } = await addressesOf({ people }, [
    ...['mailto:ben@archive.example', 'person#1', 'person#2', 'eve@archive.example', 'person#2'],
  ])
  expect([...recipientOf.keys()]).toEqual([
    'ben@archive.example',
    'ada@archive.example',
    'eve@archive.example',
  ])
  expect(without).toEqual(['person#2'])
})

describe('references in settings', () => {
  const reference = 'https://login.example/a,b;c=d#1 2'

  it('stand between commas, blanks and semicolons, and are read as they were', () => {
    expect(quotedReference(reference)).not.toMatch(/[,;=\s]/)
    expect(recipientOf(quotedReference(reference))).toBe(reference)
  })

  it.each(['ada', 'a@b@c', '#1', 'a b#1', 'x#%zz'])('%s is no recipient', (text) => {
    expect(recipientOf(text)).toBeUndefined()
  })

  it('take the place of addresses alone', () => {
    const value = 'monthly to=ada@archive.example,person#1 store=main; daily to=ben@archive.example'
    expect(addressesIn(value)).toEqual(['ada@archive.example', 'ben@archive.example'])
    expect(withReferences(value, new Map([['ada@archive.example', reference]]))).toBe(
      `monthly to=${quotedReference(reference)},person#1 store=main; daily to=ben@archive.example`,
    )
  })
})
