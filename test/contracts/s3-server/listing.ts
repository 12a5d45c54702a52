import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { each, one } from '../../fakes/s3/xml.ts'
import { codeOf, keysIn, type S3Tools } from './tools.ts'

/** Who may ask, and the lists of names. */
export const listingFacts = (tools: S3Tools): void => {
  const { fact, call, put } = tools

  describe('access', () => {
    fact('access')('a request without a signature is refused', async () => {
      expect(await call('GET', 'a', { isSigned: false })).toMatchObject({ status: 403 })
    })

    test('a presigned address needs no header', async () => {
      await put('a b')
      const reply = await fetch(await tools.calls.presigned(`/${tools.bucket}/a b`))
      expect([reply.status, await reply.text()]).toEqual([200, 'content'])
    })

    test('there is no such bucket', async () => {
      const reply = await tools.calls.call('GET', `/no-${randomUUID()}/a`)
      expect([reply.status, codeOf(reply)]).toEqual([404, 'NoSuchBucket'])
    })
  })

  describe('listing', () => {
    const list = async (query: Record<string, string>) => {
      const reply = await call('GET', '', { query: { 'list-type': '2', ...query } })
      expect(reply.status).toBe(200)
      return reply.body.toString()
    }

    test('is in the order of UTF-8 bytes, in pages, each name once', async () => {
      const names = ['A', 'a b', 'a+b', 'a%20b', 'é', '\u{FF5E}', '\u{1F600}']
      for (const name of names) await put(name)
      const seen: (string | undefined)[] = []
      let token: string | undefined
      for (let pages = 0; pages < 9; pages++) {
        const page = await list({ 'max-keys': '2', ...(token ? { 'continuation-token': token } : {}) })
        seen.push(...keysIn(page))
        token = one(page, 'NextContinuationToken')
        if (one(page, 'IsTruncated') === 'false') break
      }
      expect(seen).toEqual(names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))))
    })

    test('with a delimiter has common prefixes, in pages, too', async () => {
      for (const name of ['a/1', 'a/2', 'b', 'c/d/1']) await put(name)
      const first = await list({ delimiter: '/', 'max-keys': '1' })
      expect([keysIn(first), each(first, 'CommonPrefixes')]).toEqual([[], ['<Prefix>a/</Prefix>']])
      const rest = await list({
        delimiter: '/',
        'continuation-token': one(first, 'NextContinuationToken') ?? '',
      })
      expect([keysIn(rest), each(rest, 'CommonPrefixes')]).toEqual([['b'], ['<Prefix>c/</Prefix>']])
      expect(keysIn(await list({ delimiter: '/', prefix: 'c/d/' }))).toEqual(['c/d/1'])
    })

    test('begins behind start-after', async () => {
      for (const name of ['a', 'b', 'c']) await put(name)
      expect(keysIn(await list({ 'start-after': 'a' }))).toEqual(['b', 'c'])
    })

    fact('escapedNames')('escapes names where it is asked to', async () => {
      await put('a b/é')
      expect(keysIn(await list({ 'encoding-type': 'url' }))).toEqual([
        expect.stringMatching(/^a(\+|%20)b(\/|%2F)%C3%A9$/),
      ])
    })

    fact('foldersApart')('keeps keys apart that a file system would make one', async () => {
      for (const name of ['a//b', 'a/./b']) await put(name)
      expect(keysIn(await list({}))).toEqual(['a/./b', 'a//b'])
    })
  })
}
