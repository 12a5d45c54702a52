import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fetch } from 'undici'
import { expect, it } from 'vitest'
import { writeContent } from './archive.ts'
import { type Line, run, start, startServer, until, useFolder } from './run-fonds.ts'

/* A server that was started with a storage of its own, and a shell beside it that was not. */

const by = ['--actor', 'ada', '--reason', 'the new volume']
const folders = (folder: string) => (existsSync(folder) ? readdirSync(folder) : [])

it('a shell that differs from the server does none of its work, says why, and waits; set alike it waits, too, and works alone at last', async () => {
  const given = useFolder()
  const storage = join(given.folder, 'the-storage')
  writeContent(given.root, 'letter.txt', 'Dear all')
  writeContent(given.root, 'reply.txt', 'Dear sir')
  writeContent(given.root, 'last.txt', 'Yours')
  const own = join(given.home, 'storage')
  const server = await startServer({ ...given, env: { FONDS_INGEST_STORAGE: storage } })
  await server.says(/roles .*workers/)
  const submit = (name: string) =>
    run(['ingest', 'submit', join(given.root, name), '--submitter', 'ada', '--wait'], given)

  const differing = await submit('letter.txt')
  expect(differing.code, differing.stderr).toBe(0)
  expect(differing.stderr).toContain(`ingestStorage is ${own} here and ${storage} there`)
  expect(folders(own)).toEqual([])
  expect(folders(storage)).toContain('0=ocfl_1.1')

  const second = start(['start', '--port', '0'], given)
  await second.says(/waiting: this process differs from .* ingestStorage is/)
  expect(second.stderr()).not.toMatch(/roles .*Ctrl-C/)

  // Set in the log, both agree: the one that waited goes on by itself.
  const set = await run(['settings', 'set', 'ingestStorage', storage, ...by], given)
  expect(set.code, set.stderr).toBe(0)
  await second.says(/roles .*Ctrl-C stops/)
  second.child.kill('SIGTERM')
  await second.exit
  const alike = await submit('reply.txt')
  expect(alike.code, alike.stderr).toBe(0)
  expect(alike.stderr).toContain('works on it; this command waits')
  expect(alike.stderr).not.toContain('differs')

  const { present } = (await (await fetch(`${server.address}/api/v1/nodes`)).json()) as Line
  expect(present).toMatchObject([{ home: given.home, settings: { ingestStorage: storage } }])

  server.child.kill('SIGKILL')
  await server.exit
  const alone = await submit('last.txt')
  expect(alone.code, alone.stderr).toBe(0)
  expect(alone.stderr).not.toContain('this command waits')
  expect(folders(own)).toEqual([])
  await until('nobody is at work', async () => {
    const { stdout } = await run(['events', '--stream', 'presence-nodes'], given)
    return /"nodes":\[\]/.test(stdout.trim().split('\n').at(-1) ?? '')
  })
})
