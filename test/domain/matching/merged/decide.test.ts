import * as fc from 'fast-check'
import { isRight } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { schemaOf } from '#src/app/documents/json-schema.ts'
import { mergedDecider } from '#src/domain/matching/merged/decide.ts'
import { Document } from '#src/domain/matching/merged/document.ts'
import { type MergedEvent, mergedStream } from '#src/domain/matching/merged/events.ts'
import { specify } from '../../../given.ts'

const given = specify(mergedDecider)
const at = '2026-01-31T12:00:00.000Z'
const alone: Document = { kind: 'merged', component: 'a', size: 1, from: [], fields: { x: 1, y: 2 } }
const redirect: Document = { kind: 'redirect', component: 'a', to: 'b' }

type Index = Parameters<typeof mergedDecider.decide>[0]
const index = (version: number, document: Document, generation = 1): Index => ({
  type: 'Index',
  work: 'a',
  generation,
  version,
  document,
  actor: 'merger',
  at,
})
const merged = (version: number, document: Document, generation = 1): MergedEvent => ({
  type: 'WorkMerged',
  data: { generation, version, document, at },
})

type Mark = Extract<Index, { readonly type: 'MarkGraph' }>
const mark = (version: number, written?: readonly string[]): Mark => ({
  type: 'MarkGraph',
  work: 'a',
  generation: 1,
  version,
  revision: 3,
  size: 20,
  written,
  document: undefined,
  actor: 'merger',
  at,
})
const marked = (version: number, written?: string[]): MergedEvent => ({
  type: 'GraphMerged',
  data: { generation: 1, version, revision: 3, size: 20, at, ...(written && { written }) },
})

describe('the index of a work', () => {
  it('M4: a document is kept with the version of its graph', () => {
    given()
      .when(index(5, alone))
      .gives([merged(5, alone)])
  })

  it('a higher version takes its place, also with the same document', () => {
    given(merged(5, alone))
      .when(index(6, redirect))
      .gives([merged(6, redirect)])
    given(merged(5, alone))
      .when(index(6, alone))
      .gives([merged(6, alone)])
  })

  it('M11: the same message twice is no change', () => {
    given(merged(5, alone))
      .when(index(5, { ...alone, fields: { y: 2, x: 1 } }))
      .gives([])
  })

  it('M11: of two results of one version the later one wins', () => {
    given(merged(5, alone))
      .when(index(5, redirect))
      .gives([merged(5, redirect)])
  })

  it('a component is marked: what is held for its first work rises with it', () => {
    given(merged(5, alone))
      .when(mark(7, []))
      .gives([marked(7, [])])
    for (const late of [index(6, redirect), mark(6, [])])
      expect(given(merged(5, alone), marked(7, [])).when(late).result).toMatchObject({
        _tag: 'Left',
        left: { code: 'older-graph', details: { work: 'a', generation: 1, offered: 6, held: 7 } },
      })
    given(merged(5, alone), marked(7))
      .when(index(7, redirect))
      .gives([merged(7, redirect)])
    // Of another generation nothing is known.
    given(merged(5, alone), marked(7, []))
      .when(index(6, redirect, 2))
      .gives([merged(6, redirect, 2)])
  })

  it('a mark brings the document of the first work, where that is written anew', () => {
    given(merged(5, alone))
      .when({ ...mark(7), document: redirect })
      .gives([marked(7), merged(7, redirect)])
  })

  it('M11: a component is marked once at a version', () => {
    given(marked(7, ['b']))
      .when(mark(7, []))
      .gives([])
  })

  it('M12: a lower version is refused, with what was offered and what is held', () => {
    expect(given(merged(6, alone)).when(index(5, redirect)).result).toEqual({
      _tag: 'Left',
      left: {
        code: 'older-graph',
        message: 'the document of a in generation 1 is of graph 6; the later one, of graph 5, is not needed',
        details: { work: 'a', generation: 1, offered: 5, held: 6 },
      },
    })
  })

  it('versions of different generations are not compared', () => {
    given(merged(6, alone), merged(2, redirect, 2))
      .when(index(3, alone, 2))
      .gives([merged(3, alone, 2)])
    given(merged(6, alone), merged(2, redirect, 2))
      .when(index(1, alone, 2))
      .gives('older-graph')
    given(merged(6, alone), merged(2, redirect, 2))
      .when(index(5, alone))
      .gives('older-graph')
  })
})

it('M16: the second run wins, also when the first one’s message comes last', () => {
  const first = index(5, alone)
  const second = index(6, redirect)
  given(merged(5, alone))
    .when(second)
    .gives([merged(6, redirect)])
  given(merged(6, redirect)).when(first).gives('older-graph')
})

it('M15: runs that both read the newer update show the newer update, in either order', () => {
  given(merged(5, redirect))
    .when(index(6, redirect))
    .gives([merged(6, redirect)])
  const { state } = given(merged(6, redirect))
  expect(isRight(mergedDecider.decide(index(5, redirect), state))).toBe(false)
})

it('M10: results in any order, repeated at will, end in the same document', () => {
  const results = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(results, (versions) => {
      const made = (version: number) => index(version, { ...redirect, to: `target ${version}` })
      const end = versions.reduce((state, version) => {
        const decided = mergedDecider.decide(made(version), state)
        return isRight(decided) ? decided.right.reduce(mergedDecider.evolve, state) : state
      }, mergedDecider.initial)
      expect(end).toEqual(given().when(made(Math.max(...versions))).state)
    }),
  )
})

it('M20: documents are held by work', () => {
  expect(mergedStream('a')).toBe('merged-a')
})

it('M19: a document has no place for a version', () => {
  const names = JSON.stringify(schemaOf(Document))
  expect(names).toContain('"component"')
  expect(names).not.toMatch(/version/i)
})
