import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createFetchClient } from '../src/client/fetch-client.ts'
import { type DownloadOptions, download } from '../src/http/download.ts'
import { openPart } from '../src/http/part.ts'
import type { Validators } from '../src/validators.ts'
import { serve } from './server.ts'

const text = 'all of the film'

const partOf = async (uri: string) => {
  const folder = await mkdtemp(join(tmpdir(), 'download-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const part = await openPart({ folder, key: 'film', uri, staleMillis: 60_000 })
  onTestFinished(() => part.discard().catch(() => {}))
  return part
}

const fetching = async (uri: string, more: Partial<DownloadOptions> = {}, known?: Validators) => {
  const client = createFetchClient()
  onTestFinished(() => client.close())
  const pauses: number[] = []
  const options: DownloadOptions = {
    client,
    allowed: { hosts: ['127.0.0.1'], content: 'films', setting: 'the setting' },
    stallMillis: 60_000,
    maxBytes: 1000,
    tries: 3,
    clock: { sleep: async (millis) => void pauses.push(millis) },
    ...more,
  }
  const part = await partOf(uri)
  const watch = { signal: new AbortController().signal, progress: () => {} }
  const result = await download(uri, part, known, options, watch).catch((error: Error) => error.message)
  return {
    result,
    pauses,
    text: await readFile(part.path, 'utf8'),
    representation: part.representation,
    hash: part.hash(),
  }
}

/** Once what was written has come. */
const breakOff = (answer: ServerResponse) => setTimeout(() => answer.destroy(), 100)

describe('a download', () => {
  it('is whole, with what the server says of it', async () => {
    const origin = await serve((_, answer) => {
      answer.writeHead(200, { etag: '"1"', 'content-length': text.length }).end(text)
    })
    expect(await fetching(`${origin}/film`)).toEqual({
      result: 'whole',
      pauses: [],
      text,
      representation: { etag: '"1"', total: text.length },
      hash: createHash('sha256').update(text).digest('hex'),
    })
  })

  it('that breaks off is gone on with by a range, if the bytes are the same', async () => {
    const asked: IncomingHttpHeaders[] = []
    const origin = await serve(({ headers }, answer) => {
      asked.push(headers)
      const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0)
      const to = Math.min(from + 6, text.length)
      answer.writeHead(from === 0 ? 200 : 206, {
        etag: '"1"',
        'content-length': text.length - from,
        ...(from > 0 && { 'content-range': `bytes ${from}-${text.length - 1}/${text.length}` }),
      })
      answer.write(text.slice(from, to), () => (to < text.length ? breakOff(answer) : answer.end()))
    })
    const found = await fetching(`${origin}/film`)
    expect([found.result, found.text]).toEqual(['whole', text])
    expect(asked.slice(1).map(({ range, ...headers }) => [range, headers['if-range']])).toEqual([
      ['bytes=6-', '"1"'],
      ['bytes=12-', '"1"'],
    ])
  })

  it('begins anew where the server has other bytes by now', async () => {
    let asked = 0
    const origin = await serve((_, answer) => {
      asked++
      if (asked > 1) return answer.writeHead(200, { etag: '"2"', 'content-length': text.length }).end(text)
      answer.writeHead(200, { etag: '"1"', 'content-length': 100 })
      return answer.write('an older one', () => breakOff(answer))
    })
    expect(await fetching(`${origin}/film`)).toMatchObject({
      result: 'whole',
      text,
      representation: { etag: '"2"' },
    })
  })

  it('of what is known already gives nothing', async () => {
    const origin = await serve(({ headers }, answer) => {
      answer.writeHead(headers['if-none-match'] === '"1"' ? 304 : 200).end()
    })
    expect((await fetching(`${origin}/film`, {}, { etag: '"1"' })).result).toBe('same')
  })

  it('ends at its bound, whether the length is said or not', async () => {
    const representation = await serve((_, answer) => {
      answer.writeHead(200, { 'content-length': 2000 }).end('x'.repeat(2000))
    })
    expect(await fetching(representation)).toMatchObject({
      result: expect.stringContaining('is larger than 1000'),
      text: '',
    })
    const unsaid = await serve((_, answer) => {
      answer.writeHead(200)
      for (let i = 0; i < 20; i++) answer.write('x'.repeat(100))
      answer.end()
    })
    const { result, text } = await fetching(unsaid)
    expect(result).toContain('is larger than 1000')
    expect(text.length).toBeLessThanOrEqual(1000)
  })

  it('is tried as often as it is said, with pauses that grow, or as the server asks', async () => {
    let asked = 0
    const origin = await serve((_, answer) => {
      asked++
      answer.writeHead(503, asked === 1 ? { 'retry-after': '7' } : {}).end()
    })
    const { result, pauses } = await fetching(`${origin}/film`)
    expect(result).toBe(`${origin}/film answered 503 Service Unavailable; tried 3 times, try again later`)
    expect([asked, pauses]).toEqual([3, [7000, 2000]])
  })

  it('from a server that sends nothing stalls', async () => {
    const origin = await serve(
      (_, answer) => void answer.writeHead(200, { 'content-length': 10 }).flushHeaders(),
    )
    const { result } = await fetching(origin, { stallMillis: 50, tries: 1 })
    expect(result).toContain('sent nothing, or next to nothing, for 0.05 s')
  })
})

describe('hosts', () => {
  it('that are not allowed are not asked, also where a redirect leads to them', async () => {
    let asked = 0
    const origin = await serve((_, answer) => {
      asked++
      answer.writeHead(302, { location: 'http://other.example/' }).end()
    })
    const refused = await fetching(origin, {
      allowed: { hosts: ['media.example'], content: 'films', setting: 'the setting' },
    })
    expect(refused.result).toContain('films may not be fetched from; allow it with the setting')
    expect(asked).toBe(0)
    expect((await fetching(origin)).result).toContain('redirects to other.example, which films may not')
  })

  it('that strangers name lead to no inner address', async () => {
    let asked = 0
    const origin = await serve((_, answer) => {
      asked++
      answer.end()
    })
    const allowed = { hosts: undefined, isForeign: true, content: 'films', setting: 'the setting' }
    const names = [origin, origin.replace('127.0.0.1', 'localhost')]
    for (const address of names)
      expect((await fetching(address, { allowed })).result).toContain('which is no public address')
    expect(asked).toBe(0)
  })

  it('are not asked with a name or a password', async () => {
    expect((await fetching('http://ada:secret@127.0.0.1/film')).result).toMatch(
      /^http:\/\/127\.0\.0\.1\/film holds a name or a password/,
    )
  })
})
