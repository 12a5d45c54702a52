import { describe, expect, it } from 'vitest'
import { deletionsIn } from '#src/workers/ingest/describe/deletions.ts'

const composed = 'producer/Th\u00e9r\u00e8se.txt'
const decomposed = composed.normalize('NFD')
const none = (line: string) =>
  `mrt-delete.txt names what is not deleted: ${JSON.stringify(line)} is no file of the version before`

describe('a list of deletions', () => {
  it.each<[string, string, string[], string[]]>([
    ['as submitted', 'a.txt', ['producer/a.txt'], ['producer/a.txt']],
    ['as stored', 'producer/a.txt', ['producer/a.txt'], ['producer/a.txt']],
    ['with backslashes, of a Windows tool', 'sub\\b.txt', ['producer/sub/b.txt'], ['producer/sub/b.txt']],
    [
      'with .\\ and producer\\',
      'producer\\sub\\b.txt\n.\\a.txt',
      ['producer/a.txt', 'producer/sub/b.txt'],
      ['producer/sub/b.txt', 'producer/a.txt'],
    ],
    ['with ./', './a.txt', ['producer/a.txt'], ['producer/a.txt']],
    [
      'with a backslash of its own, of Unix',
      'sub\\b.txt',
      ['producer/sub\\b.txt', 'producer/sub/b.txt'],
      ['producer/sub\\b.txt'],
    ],
    ['in the other Unicode form', composed.slice(9), [decomposed], [decomposed]],
    ['in its own Unicode form, where both are there', composed.slice(9), [composed, decomposed], [composed]],
    ['with blanks around it', '  a.txt \t', ['producer/a.txt'], ['producer/a.txt']],
    ['with blanks of its own', 'a.txt ', ['producer/a.txt ', 'producer/a.txt'], ['producer/a.txt ']],
    [
      'whatever ends the lines',
      'a\r\nb\rc\n\nd',
      ['a', 'b', 'c', 'd'].map((name) => `producer/${name}`),
      ['a', 'b', 'c', 'd'].map((name) => `producer/${name}`),
    ],
  ])('X16 names a file %s', (_, list, files, paths) => {
    expect(deletionsIn(list, files)).toEqual({ paths, warning: undefined })
  })

  it.each([
    ['is not there', 'gone.txt', ['producer/a.txt']],
    ['is there in other letters', 'A.TXT', ['producer/a.txt']],
    ['is a folder', 'sub/', ['producer/sub/b.txt']],
    ['is outside of what was submitted', '../system/mrt-erc.txt', ['producer/a.txt']],
    ['is of a version, and there is none before', 'a.txt', []],
  ])('a name that %s deletes nothing, and is told', (_, line, files) => {
    expect(deletionsIn(line, files)).toEqual({ paths: [], warning: none(line) })
  })

  it('nothing is deleted on a guess: a name that fits two files is told with both', () => {
    const files = ['producer/a\\b/Th\u00e9.txt', 'producer/a/b/The\u0301.txt']
    expect(deletionsIn('a\\b\\Th\u00e9.txt', files)).toEqual({
      paths: [],
      warning:
        'mrt-delete.txt names what is not deleted: "a\\\\b\\\\Th\u00e9.txt" may be "a\\\\b/Th\u00e9.txt" or "a/b/The\u0301.txt"',
    })
  })

  it('of many names the first are told', () => {
    const list = Array.from({ length: 8 }, (_, i) => `${i}\n`).join('')
    expect(deletionsIn(list, []).warning).toMatch(
      /^mrt-delete.txt names 8 that are not deleted: "0" .*; and 3 more$/,
    )
  })
})
