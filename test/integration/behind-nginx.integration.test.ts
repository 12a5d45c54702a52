import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { freePort } from '../../infra/local/kafka/free-port.ts'
import { startServer, until, useFolder } from '../e2e/run-fonds.ts'
import { nginxIsAbsent, useNginx } from './nginx.ts'

/* The simplest proxy there is: its requests come from this machine, under this machine's name, and say nothing of it. */

const token = 'correct horse battery'

/** nginx with `proxy_pass` and no other line about what it passes on. */
const startNginx = async (fonds: string, lines = '') => {
  const port = await freePort()
  useNginx(port).start(`location / { proxy_pass ${fonds}; ${lines} }`)
  const address = `http://127.0.0.1:${port}`
  await until('nginx answers', async () => {
    const answer = await fetch(`${address}/healthz`).catch(() => undefined)
    return answer?.status === 200
  })
  return async (path: string, init?: RequestInit) => (await fetch(`${address}${path}`, init)).status
}

const bearer = { headers: { authorization: `Bearer ${token}` } }
const write = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }
const reads = ['/', '/metrics', '/api/v1/views', '/api/v1/events', '/api/v1/topics', '/api/v1/openapi.json']

it.skipIf(nginxIsAbsent)('with a token, who comes through nginx needs it, to read as well', async () => {
  const { address, stderr } = await startServer({ home: useFolder().home, env: { FONDS_TOKEN: token } })
  const status = await startNginx(address)
  for (const path of reads) {
    expect(await status(path), path).toBe(401)
    expect(await status(path, bearer), path).toBe(200)
  }
  expect(await status('/api/v1/commands/fixity.check', write)).toBe(401)
  expect(await status('/enter')).toBe(200)
  const [, ticket] = /\/enter#(\S+)/.exec(stderr())!
  expect(await status('/session', { method: 'POST', headers: { authorization: `Bearer ${ticket}` } })).toBe(
    200,
  )
  expect(stderr()).not.toContain(token)
})

it.skipIf(nginxIsAbsent)(
  'without one, who comes through a proxy that tells of itself is refused',
  async () => {
    const { address } = await startServer({ home: useFolder().home })
    const status = await startNginx(
      address,
      'proxy_http_version 1.1; proxy_set_header X-Real-IP $remote_addr;',
    )
    for (const path of reads) expect(await status(path), path).toBe(403)
    expect(await status('/api/v1/commands/fixity.check', write)).toBe(403)
  },
)

describe.skipIf(nginxIsAbsent)('an upload of three megabytes', () => {
  const submission = () => {
    const form = new FormData()
    form.set('profile', 'default')
    form.set('submitter', 'ada')
    form.set('file', new Blob([Buffer.alloc(3_000_000, 'page ')]), 'letter.txt')
    return { method: 'POST', body: form, ...bearer }
  }
  const intake = '/api/v1/ingest/submissions'

  it('is taken by nginx as our guide has it set up', async () => {
    const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/secure.md'), 'utf8')
    const [, lines = ''] = /location \/ \{\n {2}proxy_pass [^;]+;\n([^}]+)\}/.exec(guide) ?? []
    const { address } = await startServer({ home: useFolder().home, env: { FONDS_TOKEN: token } })
    const status = await startNginx(address, lines)
    expect(await status(intake, submission())).toBe(202)
  })

  it('is refused by nginx as it comes, before Fonds sees it', async () => {
    const { address } = await startServer({ home: useFolder().home, env: { FONDS_TOKEN: token } })
    const status = await startNginx(address)
    expect(await status(intake, submission())).toBe(413)
  })
})
