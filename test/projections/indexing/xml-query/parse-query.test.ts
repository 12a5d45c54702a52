import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { parseQuery } from '#src/projections/indexing/xml-query/parse-query.ts'

const read = (q: string, more = {}) => parseQuery({ q, ...more })
const plain = { type: 'urlquery', url: 'http://example.com/a b?c=d&e', count: 10_000, startPage: 1 }

describe('a query of OpenWayback', () => {
  it.each([
    ['type:urlquery url:http%3A%2F%2Fexample.com%2Fa%20b%3Fc%3Dd%26e', plain],
    ['type:urlquery url:http%3A%2F%2Fexample.com%2Fa+b%3Fc%3Dd%26e', plain],
    ['url:http%3A%2F%2Fexample.com%2Fa%20b%3Fc%3Dd%26e  type:URLQUERY', plain],
    ['url:http%3A%2F%2Fexample.com%2Fa%20b%3Fc%3Dd%26e referrer:x%3Ay term', plain],
    [
      'limit:100 type:prefixquery url:http%3A%2F%2Fa%2F',
      { type: 'prefixquery', url: 'http://a/', count: 100 },
    ],
    ['url:http://a:8080/%E4', { url: 'http://a:8080/%E4' }],
    ['url:http%3A%2F%2Fa%2F%25E4', { url: 'http://a/%E4' }],
    ['url:a date:2014 startdate:19960101000000 enddate:2020', { date: '2014', endDate: '2020' }],
  ])('%s', (q, query) => {
    expect(read(q)).toEqual(E.right(expect.objectContaining(query)))
  })

  it('has a page', () => {
    const query = { count: 7, startPage: 3 }
    expect(read('url:a limit:5', { count: '7', start_page: '3' })).toEqual(
      E.right(expect.objectContaining(query)),
    )
    expect(read('url:a', { start_page: '0' })).toEqual(E.right(expect.objectContaining({ startPage: 1 })))
  })

  it.each([
    ['type:urlquery', {}, 'q: there is no url'],
    ['', {}, 'q: there is no url'],
    ['url:', {}, 'q: there is no url'],
    ['type:other url:a', {}, 'q: the type other is not known'],
    ['url:a date:yesterday', {}, 'q: the date yesterday is not one of 1 to 14 digits'],
    ['url:a', { count: '0' }, 'count: 0 is no whole number from 1 to 100000'],
    ['url:a', { count: '100001' }, 'count: 100001'],
    ['url:a', { start_page: '-1' }, 'start_page: -1 is no whole number'],
  ])('%s %o is refused', (q, more, message) => {
    expect(read(q, more)).toEqual(E.left(expect.stringContaining(message)))
  })
})
