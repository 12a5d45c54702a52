import { describe, expect, it } from 'vitest'
import { csv, preferred } from '../../../src/api/http/representation.ts'

const offered = ['application/json', 'text/csv', 'application/x-ndjson'] as const

describe('the preferred type', () => {
  it.each<[string | undefined, string | undefined]>([
    [undefined, 'application/json'],
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['text/csv', 'text/csv'],
    ['Text/CSV; charset=utf-8', 'text/csv'],
    ['text/*', 'text/csv'],
    ['text/html, text/csv;q=0.5, */*;q=0.1', 'text/csv'],
    ['application/*, application/json;q=0', 'application/x-ndjson'],
    ['*/*;q=0.5, application/x-ndjson', 'application/x-ndjson'],
    ['application/json;q=0.2, text/csv;q=0.8', 'text/csv'],
    ['text/html', undefined],
    ['text/csv;q=0', undefined],
    ['text/csv;q=x', undefined],
  ])('of %j is %j', (accept, type) => {
    expect(preferred(accept, offered)).toBe(type)
  })
})

it('CSV has all columns, quotes what it must, and runs nothing', () => {
  const columns = { id: 'text', size: 'integer', note: 'json' } as const
  expect(csv([], Object.keys(columns))).toBe('id,size,note\n')
  expect(
    csv(
      [
        { id: 'a,"b"\n', size: -1, note: { x: [1] } },
        { id: '=1+1', size: null, note: null },
        { id: '\n=1+1', size: null, note: ' =1' },
      ],
      Object.keys(columns),
    ),
  ).toBe('id,size,note\n"a,""b""\n",-1,"{""x"":[1]}"\n\'=1+1,,\n"\'\n=1+1",,\' =1\n')
})
