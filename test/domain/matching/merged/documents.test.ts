import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decode } from '#src/domain/kernel/codecs.ts'
import {
  Document,
  maxDocumentBytes,
  maxNamed,
  maxNamedCharacters,
  sizeOf,
} from '#src/domain/matching/merged/document.ts'
import { documentsOf } from '#src/domain/matching/merged/documents.ts'
import { defaultRules, type Rules } from '#src/domain/matching/merged/rules.ts'
import type { MergeWork } from '#src/domain/matching/merged/target.ts'
import { maxIdLength } from '#src/domain/matching/work.ts'
import { runs } from '../../../runs.ts'
import { anyComponent, anyRules } from './arbitraries.ts'

const work = (id: string, source: string, more: Partial<MergeWork> = {}): MergeWork => ({
  id,
  source,
  state: 'visible',
  ...more,
})
const merge = (members: readonly MergeWork[], rules: Partial<Rules> = {}) =>
  documentsOf({ component: 'a', members }, { ...defaultRules, ...rules })
const targetOf = (members: readonly MergeWork[], rules: Partial<Rules> = {}) =>
  [...merge(members, rules)].flatMap(([id, { kind }]) => (kind === 'merged' ? [id] : []))

describe('the target', () => {
  const members = [work('a', 'mets'), work('b', 'sierra'), work('c', 'calm'), work('d', 'tei')]

  it('is of the first source in precedence that is there', () => {
    expect(targetOf(members, { precedence: ['ebsco', 'tei', 'sierra'] })).toEqual(['d'])
    expect(targetOf(members, { precedence: ['sierra', 'tei'] })).toEqual(['b'])
  })

  it('sources that are not named come behind, by name', () => {
    expect(targetOf(members)).toEqual(['c'])
    expect(targetOf(members, { precedence: ['ebsco'] })).toEqual(['c'])
  })

  it('Target tie: the smallest id, in every order', () => {
    const tied = [work('c', 'sierra'), work('b', 'sierra'), work('d', 'sierra')]
    expect(targetOf(tied)).toEqual(['b'])
    expect(targetOf(tied.toReversed())).toEqual(['b'])
  })

  it('a hidden first match is passed over', () => {
    const hidden = [work('a', 'tei', { state: 'invisible' }), work('b', 'sierra'), work('c', 'sierra')]
    expect(targetOf(hidden, { precedence: ['tei', 'sierra'] })).toEqual(['b'])
  })

  it('is never of a source that only adds to others', () => {
    expect(targetOf(members, { precedence: ['mets', 'sierra'], neverTarget: ['mets'] })).toEqual(['b'])
  })
})

describe('Redirects', () => {
  it('visible or not, all others lead to the target, and it names them', () => {
    const members = [work('c', 'mets', { state: 'invisible' }), work('a', 'tei'), work('b', 'sierra')]
    expect(merge(members, { precedence: ['sierra'] })).toEqual(
      new Map<string, Document>([
        ['a', { kind: 'redirect', component: 'a', to: 'b' }],
        ['b', { kind: 'merged', component: 'a', size: 3, from: ['a', 'c'], fields: {} }],
        ['c', { kind: 'redirect', component: 'a', to: 'b' }],
      ]),
    )
  })

  it('a work alone is its own', () => {
    expect(merge([work('a', 'tei', { title: 'A' })]).get('a')).toEqual({
      kind: 'merged',
      component: 'a',
      size: 1,
      from: [],
      title: 'A',
      fields: {},
    })
  })

  it('with nothing visible all are hidden', () => {
    const members = ['a', 'b'].map((id) => work(id, 'tei', { state: 'invisible' }))
    expect([...merge(members).values()]).toEqual([
      { kind: 'hidden', component: 'a' },
      { kind: 'hidden', component: 'a' },
    ])
  })

  it('without a source that may be the target nothing merges', () => {
    const members = [
      work('a', 'mets', { title: 'A' }),
      work('b', 'miro', { fields: { x: 1 } }),
      work('c', 'sierra', { state: 'invisible', fields: { y: 1 } }),
    ]
    expect(merge(members, { neverTarget: ['mets', 'miro'] })).toEqual(
      new Map<string, Document>([
        ['a', { kind: 'merged', component: 'a', size: 1, from: [], title: 'A', fields: {} }],
        ['b', { kind: 'merged', component: 'a', size: 1, from: [], fields: { x: 1 } }],
        ['c', { kind: 'hidden', component: 'a' }],
      ]),
    )
  })

  it('a deleted work is deleted, and adds nothing to those that it was with', () => {
    const members = [work('a', 'tei'), work('b', 'tei', { state: 'deleted', fields: { x: 1 } })]
    expect(merge(members)).toEqual(
      new Map<string, Document>([
        ['a', { kind: 'merged', component: 'a', size: 1, from: [], fields: {} }],
        ['b', { kind: 'deleted', component: 'a' }],
      ]),
    )
  })

  it('of very many only the first are named, all are counted', () => {
    const members = Array.from({ length: maxNamed + 10 }, (_, i) =>
      work(`w${String(i).padStart(5, '0')}`, 'tei'),
    )
    const document = merge(members.toReversed()).get('w00000')
    expect(document).toMatchObject({ kind: 'merged', size: maxNamed + 10 })
    const from = document?.kind === 'merged' ? document.from : []
    expect(from).toEqual(members.slice(1, maxNamed + 1).map(({ id }) => id))
  })

  it('of long ids fewer are named: the document stays small enough for any log', () => {
    const members = Array.from({ length: maxNamed }, (_, i) =>
      work(`${i + 1000}`.padEnd(maxIdLength, 'é'), 'tei'),
    )
    const document = merge(members).get(members[0]!.id)!
    expect(document).toMatchObject({ size: maxNamed })
    const from = document.kind === 'merged' ? document.from : []
    expect(from).toEqual(members.slice(1, maxNamedCharacters / maxIdLength + 1).map(({ id }) => id))
    expect(sizeOf(document)).toBeLessThan(maxDocumentBytes / 2)
  })
})

describe('fields', () => {
  const fieldsOf = (rules: Partial<Rules>, ...fields: readonly Readonly<Record<string, unknown>>[]) => {
    const members = fields.map((some, i) => work(`w${i}`, 'tei', { fields: some }))
    const document = merge(members, rules).get('w0')
    return document?.kind === 'merged' ? document.fields : undefined
  }

  it('target: its value alone', () => {
    expect(fieldsOf({ otherFields: 'target' }, { x: 1 }, { x: 2, y: 3 })).toEqual({ x: 1 })
    expect(fieldsOf({ otherFields: 'target' }, {}, { x: 2 })).toEqual({})
  })

  it('first: the first that is not empty', () => {
    expect(fieldsOf({}, { x: [] }, { x: 2, y: 3 }, { x: 4, y: 5, z: 6 })).toEqual({ x: 2, y: 3, z: 6 })
  })

  it('union: each value once, of arrays and of scalars, in stable order', () => {
    const union = { otherFields: 'union' } as const
    expect(fieldsOf(union, { x: ['b', 'a'] }, { x: 'c' }, { x: ['a', 'd', 'b'] })).toEqual({
      x: ['b', 'a', 'c', 'd'],
    })
    expect(fieldsOf(union, { x: [{ a: 1, b: 2 }] }, { x: { b: 2, a: 1 } }, { x: '1' }, { x: 1 })).toEqual({
      x: [{ a: 1, b: 2 }, '1', 1],
    })
    expect(fieldsOf(union, { x: 'c' })).toEqual({ x: ['c'] })
  })

  it('append: one after the other, repetitions too', () => {
    expect(fieldsOf({ otherFields: 'append' }, { x: ['a', ['b']] }, { x: 'a' }, { x: [] })).toEqual({
      x: ['a', ['b'], 'a'],
    })
  })

  it.each(['target', 'first', 'union', 'append'] as const)('%s: an empty value says nothing', (rule) => {
    expect(fieldsOf({ otherFields: rule }, { a: null, b: '', c: [], d: {} }, { a: null })).toEqual({})
    const kept = fieldsOf({ otherFields: rule }, { a: 0, b: false })
    expect(Object.keys(kept ?? {})).toEqual(['a', 'b'])
  })

  it('each has its own rule, the others the common one', () => {
    const rules = { fields: { x: 'append', y: 'target' }, otherFields: 'union' } as const
    expect(fieldsOf(rules, { x: 1, z: 1 }, { x: 1, y: 1, z: 1 })).toEqual({ x: [1, 1], z: [1] })
  })

  it('come from the target first, then by source and id, hidden works included', () => {
    const members = [
      work('a', 'mets', { state: 'invisible', fields: { x: ['mets a'] } }),
      work('b', 'tei', { fields: { x: ['tei b'] } }),
      work('c', 'sierra', { fields: { x: ['sierra c'] } }),
      work('d', 'sierra', { state: 'invisible', fields: { x: ['sierra d'] } }),
    ]
    const document = merge(members, {
      precedence: ['mets', 'sierra'],
      neverTarget: ['mets'],
      otherFields: 'append',
    }).get('c')
    expect(document).toMatchObject({ fields: { x: ['sierra c', 'mets a', 'sierra d', 'tei b'] } })
  })

  it('with names of built-in properties are fields like others', () => {
    const hostile = JSON.parse('{"__proto__":{"polluted":1},"constructor":[1],"toString":""}')
    const made = fieldsOf({ fields: Object.fromEntries([['hasOwnProperty', 'append']]) }, hostile, {
      constructor: [2],
    })
    expect(JSON.stringify(made)).toBe('{"__proto__":{"polluted":1},"constructor":[1]}')
    expect(Object.getPrototypeOf(made)).toBe(Object.prototype)
    expect({}).not.toHaveProperty('polluted')
  })
})

describe('the title', () => {
  const titleOf = (rules: Partial<Rules>, ...titles: readonly (string | undefined)[]) => {
    const document = merge(
      titles.map((title, i) => work(`w${i}`, 'tei', { title })),
      rules,
    ).get('w0')
    return document?.kind === 'merged' ? document.title : undefined
  }

  it('is the first that is not empty', () => {
    expect(titleOf({}, undefined, '', 'second', 'third')).toBe('second')
    expect(titleOf({}, '', undefined)).toBeUndefined()
  })

  it('is the target’s alone where the rule says so', () => {
    expect(titleOf({ fields: { title: 'target' } }, undefined, 'second')).toBeUndefined()
    expect(titleOf({ otherFields: 'target' }, 'first', 'second')).toBe('first')
  })

  it('stays one where other fields are joined', () => {
    expect(titleOf({ otherFields: 'union' }, '', 'second', 'third')).toBe('second')
    expect(titleOf({ otherFields: 'append' }, 'first', 'first')).toBe('first')
  })
})

describe('of any component, by any rules', () => {
  const inEvery = (
    holds: (documents: ReadonlyMap<string, Document>, members: readonly MergeWork[]) => void,
  ) =>
    fc.assert(
      fc.property(anyComponent, anyRules, (component, rules) => {
        holds(documentsOf(component, rules), component.members)
      }),
      { numRuns: runs(500) },
    )

  it('M9: any order of works gives the same documents, to the letter', () => {
    const shuffled = anyComponent.chain((component) =>
      fc.record({
        component: fc.constant(component),
        members: fc.shuffledSubarray([...component.members], { minLength: component.members.length }),
      }),
    )
    const text = (documents: ReadonlyMap<string, Document>) =>
      JSON.stringify([...documents].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    fc.assert(
      fc.property(shuffled, anyRules, ({ component, members }, rules) => {
        expect(text(documentsOf({ ...component, members }, rules))).toBe(text(documentsOf(component, rules)))
      }),
      { numRuns: runs(500) },
    )
  })

  it('every work gets a document that can be kept', () => {
    inEvery((documents, members) => {
      expect([...documents.keys()].toSorted()).toEqual(members.map(({ id }) => id).toSorted())
      for (const document of documents.values())
        expect(decode(Document, JSON.parse(JSON.stringify(document)))).toMatchObject({ _tag: 'Right' })
    })
  })

  it('Redirects: one visible target per merged set, no chains, none leaves its component', () => {
    inEvery((documents, members) => {
      const redirects = [...documents].flatMap(([id, it]) =>
        it.kind === 'redirect' ? [{ id, to: it.to }] : [],
      )
      expect(new Set(redirects.map(({ to }) => to)).size).toBeLessThanOrEqual(1)
      for (const { to } of redirects) {
        expect(documents.get(to)).toMatchObject({
          kind: 'merged',
          size: redirects.length + 1,
          from: redirects.map(({ id }) => id).toSorted(),
        })
        expect(members.find(({ id }) => id === to)?.state).toBe('visible')
      }
      if (redirects.length > 0)
        expect([...documents.values()].filter(({ kind }) => kind === 'merged')).toHaveLength(1)
    })
  })

  it('what is visible stays to be found, what is deleted is gone', () => {
    inEvery((documents, members) => {
      for (const { id, state } of members) {
        const kind = documents.get(id)?.kind
        if (state === 'deleted') expect(kind).toBe('deleted')
        else expect(kind).toBeOneOf(state === 'visible' ? ['merged', 'redirect'] : ['redirect', 'hidden'])
      }
    })
  })
})

it('a component of 50,000, each with values and names of its own, is merged in a moment', () => {
  const size = 50_000
  const sources = ['tei', 'sierra', 'mets']
  const members = Array.from({ length: size }, (_, i) =>
    work(`w${(i * 7919) % size}`, sources[i % 3]!, { fields: { all: [i], [`own ${i}`]: i } }),
  )
  const documents = merge(members, { precedence: ['tei'], fields: { all: 'union' } })
  const merged = documents.get('w0')
  expect(merged).toMatchObject({ kind: 'merged', size })
  expect(merged?.kind === 'merged' && merged.fields.all).toHaveLength(size)
})
