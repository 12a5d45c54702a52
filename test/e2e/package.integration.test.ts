import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ask, run, startServer, stop } from './run-fonds.ts'

/* The npm package, installed where nothing else is, on the Node of these tests. */

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'fonds-package-'))
const prefix = join(folder, 'prefix')
const program = join(prefix, 'bin/fonds')
const home = join(folder, 'home')

const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)
const npm = (...args: readonly string[]) =>
  promisify(execFile)('npm', [...args, '--no-audit', '--no-fund', '--prefer-offline'], {
    cwd: root,
    env: { ...process.env, PATH },
  })

beforeAll(async () => {
  await npm('pack', '--pack-destination', folder)
  const [packed = ''] = readdirSync(folder)
  await npm('install', '--global', '--prefix', prefix, join(folder, packed))
})
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))

it('holds sources without types, the page, and no tests', () => {
  const files = readdirSync(join(prefix, 'lib/node_modules/fonds'), { recursive: true, encoding: 'utf8' })
  const own = files.filter((file) => !file.startsWith('node_modules'))
  expect(own).toContain('lib/src/main.js')
  expect(own).toContain('lib/dashboard/dist/index.html')
  expect(own.filter((file) => /\.ts$|^(?:src|test|bench|docs)\b/.test(file))).toEqual([])
  expect(files.filter((file) => file.startsWith('node_modules/@fonds'))).toEqual([])
})

it('runs every workflow of the demo', async () => {
  const env = { PATH, XDG_CACHE_HOME: join(folder, 'cache') }
  const ran = await run(['demo'], { program, home, env })
  expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('\n  fonds --home ') })
})

it('serves the page, and takes in what is submitted', async () => {
  const given = { program, home, env: { PATH, XDG_CACHE_HOME: join(folder, 'cache') } }
  const file = join(folder, 'letter.txt')
  writeFileSync(file, 'Dear Ada')
  const server = await startServer(given)
  const page = await fetch(server.address)
  expect(page.status).toBe(200)
  const [, script = ''] = /src="([^"]+\.js)"/.exec(await page.text()) ?? []
  expect((await fetch(new URL(script, server.address))).status).toBe(200)
  expect(await ask(['ingest', 'submit', file, '--wait'], given)).toContainEqual(
    expect.objectContaining({ job: 1, state: 'completed' }),
  )
  expect(await stop(server), server.stderr()).toBe(0)
})
