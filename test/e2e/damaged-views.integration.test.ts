import { closeSync, openSync, readdirSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ask, startServer, stop, until, useFolder } from './run-fonds.ts'

it('a damaged views.db is put aside and folded anew, and nothing ends', async () => {
  const { home } = useFolder()
  const stores = Array.from(
    { length: 200 },
    (_, n) => `${JSON.stringify({ store: `s${n}`, kind: 'external' })}\n`,
  )
  const each = ['fixity.register-store', '--each', '-', '--actor', 'me', '--reason', 'test']
  await ask(['do', ...each], { home, stdin: stores.join('') })
  const before = await ask(['query', 'fixity-stores'], { home })
  expect(before).toHaveLength(200)

  const file = join(home, 'views.db')
  const open = openSync(file, 'r+')
  for (let at = 8192; at < statSync(file).size; at += 4096) writeSync(open, Buffer.alloc(64, 0xa5), 0, 64, at)
  closeSync(open)
  const server = await startServer({ home })
  const ready = async () => (await fetch(`${server.address}/readyz`)).status === 200
  await until('ready', ready, 120)
  expect(server.stderr()).toMatch(/the views are damaged; rebuilding them/)
  expect(await ask(['query', 'fixity-stores'], { home })).toEqual(before)
  expect(readdirSync(home).filter((name) => /^views\.db\.damaged-[\dTZ-]+$/.test(name))).toHaveLength(1)
  expect(await stop(server)).toBe(0)
})
