import { describe, expect, it } from 'vitest'
import { captureLine } from '../../src/query/capture-line.ts'
import { type Relations, relatedLines } from '../../src/server/related-lines.ts'

const shownOf = (relations: Partial<Relations>, ...lines: readonly string[]) => {
  const related = relatedLines({ resolvesRevisits: false, countsDuplicates: false, ...relations })
  return lines.map((text) => {
    const line = related(captureLine(text)!)
    const fields = [
      'mime',
      'status',
      'originalLength',
      'originalOffset',
      'originalFile',
      'dupecount',
    ] as const
    return fields.map((column) => line.field(column)).join(' ')
  })
}
const at = (key: string, mime: string, status: string, digest: string, rest = '- - 10 20 a.warc') =>
  `${key} 20240101000000 http://example.com/ ${mime} ${status} ${digest} ${rest}`

describe('lines by those before them', () => {
  it('a revisit gets what the first record of its key and digest has', () => {
    expect(
      shownOf(
        { resolvesRevisits: true },
        at('com,example)/', 'text/html', '200', 'A'),
        at('com,example)/', 'text/plain', '404', 'A', '- - 11 21 b.warc'),
        at('com,example)/', 'warc/revisit', '-', 'A'),
        at('com,example)/', 'warc/revisit', '-', 'B'),
      ),
    ).toEqual([
      'text/html 200 - - - -',
      'text/plain 404 - - - -',
      'text/html 200 10 20 a.warc -',
      'warc/revisit - - - - -',
    ])
  })

  it('a revisit at another URL, before its original, or without a digest stays as it is', () => {
    expect(
      shownOf(
        { resolvesRevisits: true },
        at('com,example)/a', 'text/html', '200', 'A'),
        at('com,example)/a', 'text/html', '200', '-'),
        at('com,example)/a', 'warc/revisit', '-', '-'),
        at('com,example)/b', 'warc/revisit', '-', 'A'),
        at('com,example)/b', 'text/html', '404', 'A'),
      ).filter((shown) => shown.startsWith('warc/revisit')),
    ).toEqual(['warc/revisit - - - - -', 'warc/revisit - - - - -'])
  })

  it('a revisit that states its original keeps that place', () => {
    expect(
      shownOf(
        { resolvesRevisits: true },
        at('com,example)/', 'text/html', '200', 'A'),
        at('com,example)/', 'warc/revisit', '-', 'A', '- - 5 6 b.warc 7 8 c.warc'),
      )[1],
    ).toBe('text/html 200 7 8 c.warc -')
  })

  it('duplicates are counted at all URLs; what has no digest is one of nothing', () => {
    expect(
      shownOf(
        { countsDuplicates: true },
        at('com,example)/a', 'text/html', '200', 'A'),
        at('com,example)/b', 'warc/revisit', '-', 'A'),
        at('com,example)/b', 'text/html', '200', '-'),
        at('com,example)/b', 'text/html', '200', '-'),
        at('com,example)/c', 'text/html', '200', 'A'),
      ).map((shown) => shown.split(' ').at(-1)),
    ).toEqual(['0', '1', '0', '0', '2'])
  })
})
