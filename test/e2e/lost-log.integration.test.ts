import { copyFileSync, renameSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { startServer, until, useFolder } from './run-fonds.ts'

const replace = (file: string) => {
  copyFileSync(file, `${file}.copy`)
  renameSync(`${file}.copy`, file)
}

it.each([
  ['deleted', rmSync, 'was deleted'],
  ['replaced', replace, 'was replaced'],
  ['truncated', (file: string) => truncateSync(file, 4096), 'was cut'],
] as const)('fonds.db %s under a running server: 503 with what to do, never 202', async (_, harm, says) => {
  const { home } = useFolder()
  const server = await startServer({ home }, ['--roles', 'processors,projections,api'])
  const get = async (path: string, init?: RequestInit) => {
    const response = await fetch(server.address + path, init)
    return { status: response.status, text: await response.text() }
  }
  const put = () =>
    get('/api/v1/topics/fonds.fixity.content/messages', {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      body: JSON.stringify({
        type: 'content.recorded',
        data: { store: 'main', path: 'a', checksums: [] },
      }),
    })
  await until('ready', async () => (await get('/readyz')).status === 200, 120)
  // A checkpoint brings everything into the file, as it does now and then by itself.
  const db = new DatabaseSync(join(home, 'fonds.db'))
  db.exec('PRAGMA wal_checkpoint(PASSIVE)')
  expect((await put()).status).toBe(202)
  harm(join(home, 'fonds.db'))
  expect(await put()).toMatchObject({ status: 503, text: expect.stringContaining(says) })
  expect(await get('/readyz')).toMatchObject({ status: 503, text: expect.stringContaining(says) })
  expect((await get('/healthz')).status).toBe(200)
  db.close()
})
