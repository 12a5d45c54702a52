import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, expect, test } from 'vitest'
import type { ComponentAnswer } from '#src/projections/matching/questions/answers.ts'
import { toDot } from '#src/projections/matching/questions/dot.ts'
import { unfolded } from '#src/projections/matching/questions/drawn-graph.ts'
import { picture, TooTangled, toSvg } from '#src/projections/matching/questions/svg.ts'
import { component, everyKind, link, node } from './answer.ts'
import { svgFault } from './xml.ts'

const drawn = async (answer: ComponentAnswer): Promise<string> => {
  const svg = await picture(unfolded(answer), answer.component)
  if (isLeft(svg)) throw new Error(svg.left)
  return svg.right
}

const hostile = [
  '"><script>alert(1)</script>',
  'javascript:alert(1)',
  '</title><script xlink:href="data:,alert(1)"/>',
  '<b>not HTML</b>',
  '--> ]]> <![CDATA[ <!ENTITY x "y">',
  '&lt; &amp; &bogus; &#0; &#xFFFF;',
  '\\N \\G \\E \\" \\l \\',
  'line\nbreak\r\ttab \u0000\u001b[31m',
  'right\u202eleft \u200b \ufffe \uffff',
  '日本語 ہندی 👩‍👩‍👧 é',
  'a", URL="javascript:alert(1)", label="b',
  '\\',
  'x'.repeat(2000),
]

describe('a graph as SVG', () => {
  test('is a picture of all works and links', async () => {
    const svg = await drawn(everyKind)
    expect(svgFault(svg)).toBe(undefined)
    expect(svg).toContain('Title of a')
    expect(svg).toContain('physical, digitised as')
    expect(svg.match(/class="node"/g)).toHaveLength(everyKind.nodes.length)
    expect(svg.match(/class="edge"/g)).toHaveLength(everyKind.links.length)
    expect(await drawn(everyKind)).toBe(svg)
  })

  test('is no more than a picture, whatever stands in it', async () => {
    const svg = await drawn(
      component(
        hostile.map((text) => node(text, { title: text, source: text, redirectsTo: text })),
        hostile.map((text) => link(text, hostile[0]!, { reasons: [text] })),
        { component: hostile[0]!, changedAt: hostile[4]! },
      ),
    )
    expect(svgFault(svg)).toBe(undefined)
    expect(svg.match(/class="node"/g)).toHaveLength(hostile.length)
    // Shown as it was written: Graphviz itself would have read it as a name, an entity, a line break.
    for (const shown of [
      '>&amp;lt; &amp;amp; &amp;bogus; &amp;#0;',
      '>\\N \\G \\E \\&quot; \\l \\<',
      '日本語',
    ])
      expect(svg).toContain(shown)
  })

  test('has a check that finds what it looks for', () => {
    const svg = (inner: string) => `<?xml version="1.0"?>\n<!DOCTYPE svg PUBLIC "x">\n<svg>${inner}</svg>`
    expect(svgFault(svg('<g><text x="1">a &amp; b</text></g>'))).toBe(undefined)
    for (const bad of [
      '<script/>',
      '<g onload="x"/>',
      '<g',
      '<g>',
      'a & b',
      '&nbsp;',
      '<a xlink:href="x"/>',
      '\uffff',
    ])
      expect(svgFault(svg(bad))).toBeTypeOf('string')
  })

  test('a large one is drawn with straight lines; of one that is too large, the works nearest to the one asked for', async () => {
    const works = (n: number) => Array.from({ length: n }, (_, i) => node(`w${i}`))
    const links = (n: number, of: number) =>
      Array.from({ length: n }, (_, i) => link(`w${i % of}`, `w${(i * 7 + Math.floor(i / of)) % of}`))
    const large = component(works(200), links(300, 200))
    expect(svgFault(await drawn(large))).toBe(undefined)
    const larger = await drawn(component(works(1000), links(3000, 1000), { component: 'w0' }))
    expect(svgFault(larger)).toBe(undefined)
    expect(larger.match(/class="node"/g)!.length).toBeLessThanOrEqual(150)
    expect(larger).toContain('of them not drawn')
  })

  test('gives up when patience is at its end, and draws the next one', async () => {
    await expect(toSvg(toDot(unfolded(everyKind)), 0)).rejects.toThrow(TooTangled)
    expect(svgFault(await toSvg('digraph { a -> b }'))).toBe(undefined)
    await expect(toSvg('digraph {')).rejects.toThrow()
    expect(svgFault(await toSvg('digraph { a -> b }'))).toBe(undefined)
  })
})
