import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import openContent from '#infra/content/open-content.ts'
import { createHttpClient } from '#src/workers/http/http-client.ts'
import { type ListVersion, listSource } from '#src/workers/indexing/listing/list-source.ts'
import type { Listed } from '#src/workers/indexing/listing/listed.ts'
import { internalError, seedObject, startS3 } from '../../fakes/s3-server.ts'
import { temporaryFolder } from './temporary-folder.ts'

const all = async (location: string, more: object = {}) => {
  const client = createHttpClient({ stallMillis: 60_000 })
  onTestFinished(() => client.close())
  const listed: Listed[] = []
  for await (const one of listSource(location, {
    client,
    signal: new AbortController().signal,
    openContent,
    ...more,
  }))
    listed.push(one)
  return listed
}

describe('a bucket', () => {
  const opened = async (keys: readonly string[], root = 's3://bucket/crawls/') => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'id')
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret')
    const server = await startS3()
    onTestFinished(server.close)
    for (const key of keys)
      seedObject(server.bucket('bucket'), key, 'four', { modifiedAt: new Date('2026-01-31T12:00:00.123Z') })
    const s3 = { endpoint: server.endpoint, region: 'us-east-1', attempts: 1 }
    return { server, list: () => all(root, { openContent: (at: string) => openContent(at, { s3 }) }) }
  }

  it('shows the objects below the prefix, with sizes and dates, and leaves out what a folder does', async () => {
    const { list } = await opened([
      'crawls/a.warc.gz',
      'crawls/2026/b c.warc',
      'crawls/2026/ü.wacz',
      'crawls/2026/d.warc.gz.open',
      'crawls/x.tmp',
      'crawls/.hidden/f.warc',
      'crawls/parts.tmp/g.warc',
      'other/h.warc',
      'crawls.warc',
    ])
    const listed = await list()
    expect(listed).toHaveLength(4)
    expect(listed).toContainEqual({
      kind: 'file',
      name: 'b c.warc',
      fileKind: undefined,
      place: {
        location: 's3://bucket/crawls/2026/b c.warc',
        size: 4,
        modifiedAt: expect.stringMatching(/^2026-01-31T12:00:00\.\d{3}Z$/),
      },
    })
    expect(listed).toContainEqual(expect.objectContaining({ name: 'd.warc.gz.open', isOpen: true }))
  })

  it('shows the same from its top, and tells of keys that name no file', async () => {
    const { list } = await opened(['a.warc', 'b//c.warc', 'd\te.warc'], 's3://bucket')
    expect(await list()).toMatchObject([
      { kind: 'file', place: { location: 's3://bucket/a.warc' } },
      { kind: 'skipped', what: 's3://bucket/b//c.warc' },
      { kind: 'skipped', reason: expect.stringMatching(/control character/) },
    ])
  })

  it('that cannot be listed to its end is an error, as a list is that breaks off', async () => {
    const { server, list } = await opened(['crawls/a.warc'])
    server.beforeEach(() => internalError)
    await expect(list()).rejects.toThrow(/could not be listed to its end/)
  })
})

describe('a folder', () => {
  it('shows the files of its tree, with sizes and dates', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'b/c'), { recursive: true })
    mkdirSync(join(folder, '.hidden'))
    for (const name of [
      'a.warc',
      'b/c/d.warc.gz',
      'b/e.warc.open',
      'x.tmp',
      '.hidden/f.warc',
      'b/crawl.log',
      'g h.warc',
      "$(rm) & 'i';\".warc",
      'j\tk.warc',
    ])
      writeFileSync(join(folder, name), 'four')
    utimesSync(join(folder, 'a.warc'), 1_700_000_000, 1_700_000_000)
    symlinkSync(join(folder, 'a.warc'), join(folder, 'link.warc'))
    symlinkSync(join(folder, 'nowhere'), join(folder, 'gone.warc'))
    symlinkSync(folder, join(folder, 'b/round'))
    const listed = await all(folder)
    const names = listed.flatMap((one) => (one.kind === 'file' ? [one.name] : []))
    expect(names.toSorted()).toEqual([
      "$(rm) & 'i';\".warc",
      'a.warc',
      'crawl.log',
      'd.warc.gz',
      'e.warc.open',
      'g h.warc',
      'link.warc',
    ])
    expect(listed).toContainEqual(expect.objectContaining({ name: 'e.warc.open', isOpen: true }))
    expect(listed).toContainEqual({
      kind: 'file',
      name: 'a.warc',
      fileKind: undefined,
      place: { location: join(folder, 'a.warc'), size: 4, modifiedAt: '2023-11-14T22:13:20.000Z' },
    })
    expect(listed.filter(({ kind }) => kind === 'skipped')).toMatchObject([
      { what: join(folder, 'j\tk.warc'), reason: expect.stringContaining('control character') },
    ])
  })

  it('that is not there cannot be listed', async () => {
    await expect(all(join(temporaryFolder(), 'none'))).rejects.toThrow('ENOENT')
  })
})

it('a list in a file has a file a line', async () => {
  const list = join(temporaryFolder(), 'list')
  writeFileSync(list, '# ours\n/srv/a.warc\r\n\nb.warc\nno/path.warc')
  expect(await all(list)).toMatchObject([
    { name: 'a.warc' },
    { name: 'b.warc' },
    { kind: 'skipped', what: 'no/path.warc' },
  ])
  expect(await all(`file://${list}`)).toHaveLength(3)
})

describe('a list over HTTP', () => {
  const serve = async (answer: RequestListener) => {
    const server = createServer(answer)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/list`
  }

  it('is not sent again where it did not change', async () => {
    const asked: (string | undefined)[] = []
    const address = await serve((request, response) => {
      asked.push(request.headers['if-none-match'])
      if (request.headers['if-none-match'] === '"1"') return void response.writeHead(304).end()
      response.writeHead(200, { etag: '"1"' }).end('/srv/a.warc\n/srv/b.warc\n')
    })
    let known: ListVersion | undefined
    const onVersion = (version: ListVersion) => {
      known = version
    }
    expect(await all(address, { onVersion })).toHaveLength(2)
    expect(await all(address, { onVersion, known })).toEqual([])
    expect(asked).toEqual([undefined, '"1"'])
  })

  it('that breaks off, or is an error page, throws, and has no version', async () => {
    const cut = await serve((_, response) => {
      response.writeHead(200, { etag: '"1"', 'content-length': 1000 })
      response.write('/srv/a.warc\n', () => response.destroy())
    })
    const onVersion = () => expect.fail('it has no version')
    await expect(all(cut, { onVersion })).rejects.toThrow()
    const missing = await serve((_, response) => response.writeHead(404).end('/srv/a.warc'))
    await expect(all(missing, { onVersion })).rejects.toThrow('status 404')
  })
})
