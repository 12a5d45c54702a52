import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startServer } from '../server.ts'

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const index = '<!doctype html><script type="module" src="/assets/main-1.js"></script>'
const script = 'console.log("a page")'
const token = 'correct horse battery'

const pageFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fonds-built-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await mkdir(join(folder, 'assets'))
  for (const [name, text] of [
    ['index.html', index],
    ['assets/main-1.js', script],
  ] as const) {
    await writeFile(join(folder, name), text)
    await writeFile(join(folder, `${name}.gz`), gzipSync(text))
    await writeFile(join(folder, `${name}.br`), brotliCompressSync(text))
  }
  return folder
}

const withPage = async (settings = {}) =>
  startServer({ settings, options: { pageFolder: await pageFolder() } })

describe('a browser', () => {
  it.each(['/', '/log', '/log/streams/fixity-a%2Fb', '/do/fixity.resolve?store=main'])(
    'is shown the page at %s',
    async (url) => {
      const { app } = await withPage()
      const { statusCode, headers, body } = await app.inject({ url, headers: html })
      expect(statusCode).toBe(200)
      expect(body).toBe(index)
      expect(headers).toMatchObject({
        'cache-control': 'no-cache',
        'content-type': 'text/html; charset=utf-8',
      })
      expect(headers['content-security-policy']).toMatch(
        /default-src 'none'.*script-src 'self'.*frame-ancestors 'none'/,
      )
      expect(headers['content-security-policy']).not.toContain('unsafe')
    },
  )

  it.each(['/api/v1/nothing', '/assets/nothing.js'])('is told that there is no %s', async (url) => {
    const { app } = await withPage()
    expect((await app.inject({ url, headers: html })).statusCode).toBe(404)
  })

  it('has each answer of the API as before', async () => {
    const { app } = await withPage()
    const { headers } = await app.inject({ url: '/api/v1/views', headers: html })
    expect(headers['content-type']).toMatch(/^application\/json/)
  })

  it('is told what to run where the page was not built', async () => {
    const { get } = await startServer({ options: { pageFolder: '/nowhere' } })
    expect((await get('/', html)).text).toContain('npm run dashboard:build')
    expect((await get('/')).text).not.toContain('npm run dashboard:build')
    expect((await get('/log', html)).status).toBe(404)
  })
})

it('whoever asks for anything else at / gets the plain page with links', async () => {
  const { get } = await withPage()
  for (const accept of ['application/json', '*/*']) {
    const { status, text } = await get('/', { accept })
    expect(status).toBe(200)
    expect(text).toContain('/api/v1/openapi.json')
  }
  expect((await get('/api/v1')).text).toContain('/api/v1/openapi.json')
})

describe('a file whose name holds what is in it', () => {
  const url = '/assets/main-1.js'

  it('is sent once, and kept for ever', async () => {
    const { app } = await withPage()
    const { headers, body } = await app.inject({ url })
    expect(body).toBe(script)
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    const again = await app.inject({ url, headers: { 'if-none-match': String(headers.etag) } })
    expect(again).toMatchObject({ statusCode: 304, body: '' })
  })

  it.each([
    ['br, gzip', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
  ])('goes compressed as it was built to who accepts %s', async (accepted, coding, open) => {
    const { app } = await withPage()
    const { headers, rawPayload } = await app.inject({ url, headers: { 'accept-encoding': accepted } })
    expect(headers['content-encoding']).toBe(coding)
    expect(headers.vary).toContain('accept-encoding')
    expect(String(open(rawPayload))).toBe(script)
  })
})

describe('where a token is set', () => {
  it('the page and its files are open, what it asks is not', async () => {
    const { app, get } = await withPage({ token })
    expect((await app.inject({ url: '/log', headers: html })).body).toBe(index)
    expect((await app.inject({ url: '/assets/main-1.js' })).statusCode).toBe(200)
    for (const url of ['/session', '/', '/api/v1', '/api/v1/views'])
      expect((await get(url)).status, url).toBe(401)
  })

  it('a browser without a session gets, at an address of the API, the page that asks for the token', async () => {
    const { app } = await withPage({ token })
    const { statusCode, body } = await app.inject({ url: '/api/v1/views', headers: html })
    expect(statusCode).toBe(401)
    expect(body).toContain('type="password"')
  })
})
