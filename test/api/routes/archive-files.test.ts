import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { success } from '../../domain/indexing/commands.ts'
import { serveFolder } from '../../infra/content/http/serve-folder.ts'
import { indexingWorld } from '../../processors/indexing/world.ts'
import { cannotTell, isOpen } from '../../workers/http/serving/is-open.ts'
import { temporaryFolder } from '../../workers/indexing/temporary-folder.ts'
import { startServer } from '../server.ts'

const archiveBytes = 'WARC/'

/** A server, and files that it knows of, each in a folder of its repository. */
const archive = async () => {
  const world = indexingWorld()
  const folder = temporaryFolder()
  const { get, app } = await startServer({ replace: () => ({ viewStore: world.viewStore }) })
  const on = async (repository: string, name: string, command: object) => {
    await world.on({ repository, name }, command)
    await world.fold()
  }
  const put = async (repository: string, name: string, bytes: string | Uint8Array) => {
    const location = join(folder, repository, name)
    mkdirSync(join(folder, repository), { recursive: true })
    writeFileSync(location, bytes)
    const { policy } = world
    await on(repository, name, { type: 'Sight', place: { location }, policy })
    return location
  }
  /** Claims what is due of a file, and reports what came of it. */
  const work = async (repository: string, name: string, fence: number, outcome: object) => {
    const { policy } = world
    const [holder, deadline] = ['w', '2027-01-01T00:00:00.000Z']
    await world.clock.advance(policy.graceMillis)
    await on(repository, name, { type: 'Claim', holder, deadline, millis: 1, policy })
    await on(repository, name, { type: 'Report', fence, outcome, policy })
  }
  const index = (repository: string, name: string, digest: string) =>
    work(repository, name, 1, { ...success, digest })
  return { folder, on, put, work, index, get, app, policy: world.policy }
}

describe('GET /warc', () => {
  it.each([
    ['a b.warc', 'a%20b.warc'],
    ['100% a.warc', '100%25%20a.warc'],
    ['a%20b.warc', 'a%20b.warc'],
    ['a%2520b.warc', 'a%2520b.warc'],
    ['http%3A%2F%2Fexample.org.warc', 'http%3A%2F%2Fexample.org.warc'],
    ["$(a)&;'.warc", "$(a)&;'.warc"],
  ])('gives the file %s by the name that lines have for it', async (name, inLines) => {
    const { put, get } = await archive()
    await put('main', name, archiveBytes)
    for (const path of [`/warc/${inLines}`, `/warc/main/${inLines}`])
      expect(await get(path)).toMatchObject({ status: 200, text: archiveBytes })
  })

  it('gives none of two files whose lines have one name', async () => {
    const { put, get, on } = await archive()
    await put('main', 'a b.warc', 'WARC/1')
    await put('main', 'a%20b.warc', 'WARC/2')
    for (const path of ['/warc/a%20b.warc', '/warc/main/a%20b.warc'])
      expect(await get(path)).toMatchObject({ status: 409 })
    expect(await get('/warc/a%2520b.warc')).toMatchObject({ status: 200, text: 'WARC/2' })
    await on('main', 'a b.warc', { type: 'Withdraw', reason: 'a court says so' })
    expect(await get('/warc/a%20b.warc')).toMatchObject({ status: 200, text: 'WARC/2' })
  })

  it('gives a file whole, its parts, and what only its head says', async () => {
    const { put, get, app } = await archive()
    await put('main', 'a.warc', 'WARC/56789')
    expect(await get('/warc/a.warc')).toMatchObject({
      status: 200,
      text: 'WARC/56789',
      headers: {
        'content-type': 'application/octet-stream',
        'content-length': '10',
        'accept-ranges': 'bytes',
        etag: expect.stringMatching(/^"/),
      },
    })
    expect(await get('/warc/main/a.warc', { range: 'bytes=2-4' })).toMatchObject({
      status: 206,
      text: 'RC/',
      headers: { 'content-range': 'bytes 2-4/10', 'content-length': '3' },
    })
    expect(await get('/warc/a.warc', { range: 'bytes=-3' })).toMatchObject({ text: '789' })
    expect(await get('/warc/a.warc', { range: 'bytes=10-' })).toMatchObject({
      status: 416,
      text: '',
      headers: { 'content-range': 'bytes */10' },
    })
    const head = await app.inject({ method: 'HEAD', url: '/warc/a.warc' })
    expect(head).toMatchObject({ statusCode: 200, body: '', headers: { 'content-length': '10' } })
    const known = { 'if-none-match': String(head.headers.etag) }
    expect(await get('/warc/a.warc', known)).toMatchObject({ status: 304, text: '' })
  })

  it('gives a file of a web server, and its parts', async () => {
    const { get, on, folder, policy } = await archive()
    const web = await serveFolder(folder)
    onTestFinished(() => web.close())
    writeFileSync(join(folder, 'a.warc'), 'WARC/56789')
    await on('main', 'a.warc', { type: 'Sight', place: { location: `${web.address}/a.warc` }, policy })
    expect(await get('/warc/a.warc')).toMatchObject({ status: 200, text: 'WARC/56789' })
    expect(await get('/warc/a.warc', { range: 'bytes=2-4' })).toMatchObject({ status: 206, text: 'RC/' })
  })

  it('gives bytes as they are to clients that take gzip', async () => {
    const { put, get } = await archive()
    await put('main', 'a.warc', `WARC/${'x'.repeat(4995)}`)
    const { headers } = await get('/warc/a.warc', { 'accept-encoding': 'gzip, deflate' })
    expect(headers).toMatchObject({ 'content-length': '5000' })
    expect(headers).not.toHaveProperty('content-encoding')
  })

  it('knows the files of the view, and no paths', async () => {
    const { put, get, folder } = await archive()
    await put('main', 'a.warc', archiveBytes)
    writeFileSync(join(folder, 'main', 'secret'), 's')
    for (const url of [
      '/warc/secret',
      '/warc/main/secret',
      '/warc/other/a.warc',
      `/warc/${encodeURIComponent(join(folder, 'main', 'a.warc'))}`,
      '/warc/..%2Fa.warc',
      '/warc/main/..%2Fmain%2Fa.warc',
    ]) {
      const { status, body } = await get(url)
      expect([400, 404], url).toContain(status)
      expect(['wrong-parameter', 'no-such-file'], url).toContain(body.code)
    }
  })

  it('gives no file that was withdrawn, and says why a file cannot be read', async () => {
    const { put, get, on } = await archive()
    await put('main', 'a.warc', archiveBytes)
    await on('main', 'a.warc', { type: 'Withdraw', reason: 'a court says so' })
    expect(await get('/warc/a.warc')).toMatchObject({
      status: 404,
      body: { code: 'no-such-file', detail: 'the archive file a.warc was withdrawn' },
    })
    for (const bytes of ['', 'root:x:0:0', gzipSync('root:x:0:0')]) {
      const location = await put('main', 'b.warc', bytes)
      expect(await get('/warc/b.warc')).toMatchObject({
        status: 404,
        body: { code: 'unreadable-file', detail: `${location} is no WARC, ARC or WACZ file` },
      })
    }
    const location = await put('main', 'c.warc', archiveBytes)
    rmSync(location)
    expect(await get('/warc/c.warc')).toMatchObject({
      status: 404,
      body: { code: 'unreadable-file', detail: `${location} is not there; is its file system mounted?` },
    })
  })

  it('gives a file from another place that has the same bytes, where its own is gone', async () => {
    const { put, get, on, index, work, folder, policy } = await archive()
    const first = await put('main', 'a.warc', archiveBytes)
    await index('main', 'a.warc', 'f'.repeat(64))
    const copy = join(folder, 'a.warc')
    await on('main', 'a.warc', { type: 'Sight', place: { location: copy, size: 7 }, policy })
    rmSync(first)
    writeFileSync(copy, archiveBytes)
    expect(await get('/warc/a.warc')).toMatchObject({ status: 404 })
    await work('main', 'a.warc', 2, { status: 'compared', verdict: 'same', because: 'bytes' })
    expect(await get('/warc/a.warc')).toMatchObject({ status: 200, text: archiveBytes })
  })

  it('gives a name of two repositories where it is one file, and else asks which', async () => {
    const { put, get, index } = await archive()
    await put('one', 'a.warc', archiveBytes)
    await put('two', 'a.warc', archiveBytes)
    expect(await get('/warc/a.warc')).toMatchObject({
      status: 409,
      body: {
        code: 'several-files',
        detail: expect.stringContaining('/warc/one/a.warc or /warc/two/a.warc'),
      },
    })
    expect(await get('/warc/two/a.warc')).toMatchObject({ status: 200, text: archiveBytes })
    await index('one', 'a.warc', 'f'.repeat(64))
    await index('two', 'a.warc', 'f'.repeat(64))
    expect(await get('/warc/a.warc')).toMatchObject({ status: 200, text: archiveBytes })
  })

  it.skipIf(cannotTell)(
    'reads as fast as the client takes it, and no more when the client goes away',
    async () => {
      const { put, app } = await archive()
      const location = await put('main', 'a.warc', Buffer.alloc(50_000_000, 'WARC/'))
      await app.listen({ host: '127.0.0.1', port: 0 })
      const { port } = app.server.address() as AddressInfo
      const leaving = new AbortController()
      const { signal } = leaving
      const response = await fetch(`http://127.0.0.1:${port}/warc/a.warc`, { signal })
      const reader = response.body?.getReader()
      await reader?.read()
      expect(isOpen(location)).toBe(true)
      leaving.abort()
      await reader?.closed.catch(() => undefined)
      await expect.poll(() => isOpen(location)).toBe(false)
    },
  )

  it('breaks off an answer where the file became shorter', async () => {
    const { put, app } = await archive()
    const location = await put('main', 'a.warc', Buffer.alloc(50_000_000, 'WARC/'))
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    const response = await fetch(`http://127.0.0.1:${port}/warc/a.warc`)
    truncateSync(location, 10)
    await expect(response.arrayBuffer()).rejects.toThrow()
  })
})
