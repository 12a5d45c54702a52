import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { childrenOf, childText, escapeXml, parseXml } from '../../../infra/s3/xml.ts'
import { runs } from '../../runs.ts'

/** Text that XML 1.0 can hold. */
const text = fc
  .string({ unit: 'binary' })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML cannot hold.
  .map((any) => any.replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, ''))

describe('XML of S3', () => {
  it('gives each text as it was escaped', () => {
    fc.assert(
      fc.property(text, fc.array(text), (first, others) => {
        const elements = [first, ...others].map((one) => `<Key>${escapeXml(one)}</Key>`)
        const root = parseXml(`<?xml version="1.0"?>\n<Root xmlns="http://x/">${elements.join('\n')}</Root>`)
        expect(childText(root, 'Key')).toBe(first)
        expect(childrenOf(root, 'Key').map(({ text }) => text)).toEqual([first, ...others])
      }),
      { numRuns: runs(1000) },
    )
  })

  it('reads names without their prefix, and CDATA', () => {
    const root = parseXml('<s:Error xmlns:s="x"><s:Code><![CDATA[a<b]]></s:Code></s:Error>')
    expect([root.name, childText(root, 'Code'), childText(root, 'Message')]).toEqual([
      'Error',
      'a<b',
      undefined,
    ])
  })

  it.each([
    ['nothing', ''],
    ['text', 'Service Unavailable'],
    ['half a document', '<Root><Key>a'],
    ['a document type', '<!DOCTYPE x [<!ENTITY a "b">]><Root>&a;</Root>'],
    ['an entity of nobody', '<Root>&nobody;</Root>'],
    ['a control character', '<Root>\u0001</Root>'],
    ['a control character by number', '<Root>&#1;</Root>'],
    ['depth without end', '<a>'.repeat(100_000)],
  ])('refuses %s', (_, document) => {
    expect(() => parseXml(document)).toThrow(expect.objectContaining({ name: 'InvalidXml' }))
  })

  it('never throws anything else', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '/',
      'a',
      '&',
      ';',
      '"',
      '=',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '<?xml',
      '?>',
      '\u{1f600}',
    )
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        try {
          parseXml(pieces.join(''))
        } catch (error) {
          expect((error as Error).name).toBe('InvalidXml')
        }
      }),
      { numRuns: runs(2000) },
    )
  })
})
