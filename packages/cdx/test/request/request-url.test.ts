import { describe, expect, it } from 'vitest'
import { requestUrl } from '../../src/request/request-url.ts'
import { surt } from '../../src/surt.ts'

const form = 'application/x-www-form-urlencoded'
const json = 'application/json'

/** Keys that cdxj-indexer 1.5.0 gave; bodies are bytes, a character each. */
const seen = [
  ['POST', form, 'a=b+c&d=%C3%BC%26', 'com,a)/x?&__wb_method=post&a=b%20c&d=%c3%bc&y'],
  ['POST', `${form}; charset=utf-8`, 'b=2&a=1', 'com,a)/x?__wb_method=post&a=1&b=2&y'],
  ['POST', form, 'a=\xff', 'com,a)/x?__wb_method=post&__wb_post_data=yt3/&y'],
  ['POST', form, '', 'com,a)/x?__wb_method=post&y'],
  [
    'PUT',
    json,
    '{"a":{"b":[1,2,null,true,false]},"c":"x y&z=\xc3\xbc~*","b":3,"d":[{"b":1.5}]}',
    'com,a)/x?__wb_method=put&b=1&b.2_=2&b.3_=none&b.4_=true&b.5_=false&b.6_=3&b.7_=1.5&c=x+y&y&z=%c3%bc~*',
  ],
  ['POST', json, '[1,{"a":"b"}]', 'com,a)/x?__wb_method=post&a=b&y'],
  ['POST', json, 'oops', 'com,a)/x?__wb_method=post&y'],
  ['POST', 'text/plain', '{"a":1}\n{"a":2}', 'com,a)/x?__wb_method=post&a=1&a.2_=2&y'],
  ['POST', 'text/plain', 'hello', 'com,a)/x?__wb_method=post&__wb_post_data=agvsbg8=&y'],
  ['POST', '', 'x\xff', 'com,a)/x?__wb_method=post&__wb_post_data=ep8=&y'],
  ['HEAD', '', '', 'com,a)/x?__wb_method=head&y'],
  ['DELETE', 'text/plain', 'x', 'com,a)/x?__wb_method=delete&y'],
] as const

describe('the key of a request', () => {
  it.each(seen)('%s %s %j', (method, mime, body, key) => {
    const request = { method, mime, body: Buffer.from(body, 'latin1') }
    expect(surt(requestUrl('http://a.com/x?y', request))).toBe(key)
  })

  it('of a GET is that of its URL', () => {
    const request = { method: 'GET', mime: form, body: Buffer.from('a=b') }
    expect(requestUrl('http://a.com/x', request)).toBe('http://a.com/x')
  })

  it('has what was sent to a URL with a fragment', () => {
    const request = { method: 'POST', mime: form, body: Buffer.from('a=b') }
    expect(surt(requestUrl('http://a.com/x#y?z', request))).toBe('com,a)/x?__wb_method=post&a=b')
  })

  it('begins the query where there is none, and takes 4096 characters of the body', () => {
    const request = { method: 'POST', mime: form, body: Buffer.from('a'.repeat(5000)) }
    expect(requestUrl('http://a.com/x', request)).toBe(`http://a.com/x?__wb_method=POST&${'a'.repeat(4096)}`)
  })

  it('of JSON nested a hundred thousand deep has its value', () => {
    const body = Buffer.from(`${'{"a":['.repeat(100_000)}1${']}'.repeat(100_000)}`)
    expect(requestUrl('http://a.com/x', { method: 'POST', mime: json, body })).toBe(
      'http://a.com/x?__wb_method=POST&a=1',
    )
  })
})
