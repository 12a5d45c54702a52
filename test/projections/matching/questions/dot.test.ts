import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ComponentAnswer } from '#src/projections/matching/questions/answers.ts'
import { toDot } from '#src/projections/matching/questions/dot.ts'
import { unfolded } from '#src/projections/matching/questions/drawn-graph.ts'
import { component, everyKind, link, node, placeholder } from './answer.ts'

const lineOf = (dot: string, begin: string): string =>
  dot.split('\n').find((line) => line.startsWith(`  ${begin} [`)) ?? ''

const dotOf = (answer: ComponentAnswer, asOf?: string): string => toDot(unfolded(answer), asOf)

describe('a graph as DOT', () => {
  const dot = dotOf(everyKind)

  test('draws each kind of work differently', () => {
    expect(lineOf(dot, '"a"')).toMatch(/label="Title of a\\na\\nsierra · shown".*filled,bold/)
    expect(lineOf(dot, '"b"')).toMatch(/redirect".*rounded/)
    expect(lineOf(dot, '"c"')).toMatch(/not visible · redirect".*rounded/)
    expect(lineOf(dot, '"d"')).toMatch(/deleted".*dashed/)
    expect(lineOf(dot, '"e"')).toMatch(/label="e\\nnever described".*ellipse.*dotted/)
    const hidden = component([node('x', { state: 'invisible', document: 'hidden' })], [], { target: null })
    expect(lineOf(dotOf(hidden), '"x"')).toMatch(/filled.*#e6e6e6/)
  })

  test('draws each kind of link differently, with its reasons', () => {
    expect(lineOf(dot, '"a" -> "b"')).toBe('  "a" -> "b" [label="physical, digitised as"]')
    expect(lineOf(dot, '"b" -> "a"')).toBe('  "b" -> "a" [label="digitised as"]')
    expect(lineOf(dot, '"a" -> "d"')).toMatch(/dashed/)
    // The bridge is named a, c; it is stated by c.
    expect(lineOf(dot, '"c" -> "a"')).toMatch(/penwidth=3/)
  })

  test('says what it is of, and what its lines mean', () => {
    expect(dot).toContain(
      'label="a: 3 works · generation 1, version 1769860800000000\\llast changed 2026-01-31T',
    )
    expect(dot).toContain('bold frame: what readers get · rounded: redirects to it\\ldashed grey: deleted · ')
    expect(dotOf(everyKind, '2026-02-01T00:00:00Z')).toContain('as of 2026-02-01T00:00:00Z')
    const alone = dotOf(component([node('b', { document: null })], [], { leftOut: 12 }))
    expect(alone).toContain('b: 1 work · 12 of them not drawn')
    expect(alone).not.toContain('dashed')
  })

  test('says which redirect leads astray, and which document is one too many', () => {
    const astray = dotOf(component([node('b', { redirectsTo: 'z' }), node('c', { document: 'merged' })], []))
    expect(lineOf(astray, '"b"')).toContain('redirects to z')
    expect(lineOf(astray, '"c"')).toContain('shown too')
  })

  test('has one face, which Graphviz can measure: another is measured as Times, and text runs out of its box', () => {
    expect(new Set(dot.match(/fontname="[^"]*"/g))).toEqual(new Set(['fontname="Verdana"']))
  })

  test('is the same text whatever the order of the answer, so that two can be compared', () => {
    const { nodes, links } = everyKind
    fc.assert(
      fc.property(
        fc.shuffledSubarray([...nodes], { minLength: nodes.length }),
        fc.shuffledSubarray([...links], { minLength: links.length }),
        (someNodes, someLinks) => {
          expect(dotOf({ ...everyKind, nodes: someNodes, links: someLinks })).toBe(dot)
        },
      ),
    )
  })

  test('leaves out links to works that are not drawn: Graphviz would make up a work for them', () => {
    expect(dotOf(component([node('a')], [link('a', 'zz')]))).not.toContain('zz')
  })

  test('cuts what is long: an id in the middle, a title at its end', () => {
    const id = `${'x'.repeat(1000)}${'y'.repeat(1000)}`
    const long = lineOf(dotOf(component([node(id, { title: 't'.repeat(500) })], [])), `"${id}"`)
    expect(long).toContain(`label="${'t'.repeat(47)}…\\nx`)
    expect(long).toMatch(/x…y+\\n/)
    expect(long.length).toBeLessThan(2300)
  })

  test('gives different ids different names', () => {
    const ids = ['a\\', 'a\\\\', 'a"', 'a\\"', 'a&amp;', 'a&', 'a\u202e', 'a\\u{202e}', '<a>', 'a\ufffe']
    const names = dotOf(component(ids.map(placeholder), []))
      .split('\n')
      .flatMap((line) => /^ {2}("(?:[^"\\]|\\.)*") \[/.exec(line)?.[1] ?? [])
    expect(new Set(names).size).toBe(ids.length)
  })
})
