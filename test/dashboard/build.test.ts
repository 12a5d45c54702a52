import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { afterAll, beforeAll, expect, it } from 'vitest'

/* What the page is built into. The server sends these files as they are. */

/** Compressed: what every page loads, and what one of them adds. */
const maxShellBytes = 40_000
const maxPageBytes = 25_000
const sources = join(import.meta.dirname, '../../dashboard')

let folder: string
let files: ReadonlyMap<string, string>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fonds-page-'))
  await build({ configFile: join(sources, 'vite.config.ts'), build: { outDir: folder } })
  const names = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.(html|js|css|svg)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
  files = new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
  )
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A script and all that it imports at once. */
const withImports = (name: string, seen = new Set<string>()): ReadonlySet<string> => {
  if (seen.has(name)) return seen
  seen.add(name)
  for (const [, imported] of files.get(name)?.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g) ?? [])
    withImports(`assets/${imported}`, seen)
  return seen
}

it('every page loads under 40 KB of script, compressed, and none adds more than 25 KB to it', async () => {
  const [, entry] = /src="\/(assets\/[^"]+\.js)"/.exec(files.get('index.html') ?? '') ?? []
  const shell = withImports(entry ?? '')
  const sizeOf = async (names: Iterable<string>) => {
    const sizes = await Promise.all(
      [...names].map(async (name) => (await readFile(join(folder, `${name}.gz`))).length),
    )
    return sizes.reduce((sum, size) => sum + size, 0)
  }
  const total = await sizeOf(shell)
  expect(total).toBeGreaterThan(1000)
  expect(total).toBeLessThan(maxShellBytes)
  const pages = [...files.keys()].filter((name) => name.endsWith('.js') && !shell.has(name))
  expect(pages.length).toBeGreaterThan(5)
  for (const name of pages) expect(await sizeOf([name]), name).toBeLessThan(maxPageBytes)
})

it('there is one script for each folder of pages, and what they share', async () => {
  const folders = (await readdir(join(sources, 'src/pages'), { withFileTypes: true })).filter((entry) =>
    entry.isDirectory(),
  )
  const scripts = [...files.keys()].filter((name) => name.endsWith('.js'))
  // The shell, and the bundler's own.
  expect(scripts.length).toBeLessThanOrEqual(folders.length + 2)
  expect(scripts.length).toBeGreaterThan(folders.length)
})

it('no script and no style stands in the page itself', () => {
  const index = files.get('index.html') ?? ''
  expect(index).toMatch(/<script [^>]*src=/)
  for (const [tag] of index.matchAll(/<script[^>]*>/g)) expect(tag).toContain('src="/assets/')
  expect(index).not.toMatch(/<style|style=|\son\w+=/)
})

it('nothing comes from elsewhere', () => {
  for (const [name, text] of files) {
    const addresses = [...text.matchAll(/https?:\/\/[^\s"'`)]+/g)].map(([address]) => address)
    // A namespace, no address; the base of relative ones; and names that nobody can have, in examples.
    const isKnown = (address: string) =>
      address.startsWith('http://www.w3.org/') ||
      address === 'http://page' ||
      /^https:\/\/[a-z]+\.example\//.test(address)
    expect(
      addresses.filter((address) => !isKnown(address)),
      name,
    ).toEqual([])
  }
})

it('each file is also there compressed', async () => {
  const names = await readdir(folder, { recursive: true })
  for (const name of files.keys()) expect(names).toEqual(expect.arrayContaining([`${name}.gz`, `${name}.br`]))
})
