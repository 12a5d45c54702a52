import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ask, type Given, launch, linesOf, run, startServer, stop, until, useFolder } from './run-fonds.ts'

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

/** The modes of all files and of all folders in there, once each. */
const modesIn = (folder: string): { readonly files: string[]; readonly folders: string[] } => {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const modes = (wanted: (entry: (typeof entries)[number]) => boolean) => [
    ...new Set(entries.filter(wanted).map(({ parentPath, name }) => modeOf(join(parentPath, name)))),
  ]
  return { files: modes((entry) => entry.isFile()), folders: modes((entry) => entry.isDirectory()) }
}

/** A home that a server has made, while it runs. */
const servedHome = async (env: Given['env'] = {}) => {
  const { folder } = useFolder()
  const given = { home: join(folder, 'new', 'home'), env }
  const server = await startServer(given)
  await ask(
    ['do', 'fixity.register-store', 'store=far', 'kind=external', '--actor', 'me', '--reason', 'test'],
    given,
  )
  await until('the views are there', () => readdirSync(given.home).includes('views.db'))
  return { ...given, folder, server }
}

const files = ['fonds.db', 'fonds.db-shm', 'fonds.db-wal', 'views.db', 'views.db-shm', 'views.db-wal']

it('what is made is for its user alone', async () => {
  const { home, folder, server } = await servedHome()
  expect(readdirSync(home)).toEqual(expect.arrayContaining(files))
  expect([modeOf(join(folder, 'new')), modeOf(home)]).toEqual(['700', '700'])
  expect(modesIn(home).files).toEqual(['600'])
  expect(modesIn(home).folders.filter((mode) => mode !== '700')).toEqual([])
  expect(await stop(server)).toBe(0)
})

it('for its group as well, where a group shares the home', async () => {
  const { home, server } = await servedHome({ FONDS_HOME_MODE: 'group' })
  expect(modeOf(home)).toBe('770')
  for (const file of files) expect(modeOf(join(home, file)), file).toBe('660')
  // Who signs is its user alone, whoever shares the rest.
  const keys = join(home, 'proof-key')
  await until('the tree has its keys', () => existsSync(keys) && readdirSync(keys).length > 0)
  expect(modeOf(keys)).toBe('700')
  expect(modesIn(keys).files).toEqual(['600'])
  for (const name of readdirSync(home)) {
    const path = join(home, name)
    if (path !== keys && statSync(path).isDirectory()) expect(modeOf(path), name).toBe('770')
  }
  expect(await stop(server)).toBe(0)
})

it('doctor names what is open to more people, and how to close it', async () => {
  const { home, folder } = useFolder()
  const filesOf = async (env: Given['env'] = {}) =>
    linesOf(await run(['doctor'], { home, env })).find(({ check }) => check === 'files')
  await ask(['topics'], { home })
  expect(await filesOf()).toMatchObject({ status: 'ok' })
  mkdirSync(join(home, 'snapshots'), { recursive: true })
  chmodSync(join(home, 'snapshots'), 0o750)
  chmodSync(join(home, 'fonds.db'), 0o640)
  const found = await filesOf()
  expect(found).toMatchObject({
    status: 'warn',
    says: expect.stringMatching(/^\d files and folders .*, such as /),
  })
  expect(found.todo).toContain(`chmod -R go= ${home}`)
  expect(await filesOf({ FONDS_HOME_MODE: 'group' })).toMatchObject({ status: 'ok' })

  const command = found.todo.split(';')[0]
  expect(await launch('/bin/sh', ['-c', command]).exit).toBe(0)
  expect(await filesOf()).toMatchObject({ status: 'ok' })
  expect(readdirSync(folder)).toContain('home')
})

it('a file that a person asked for is made as their other files are', async () => {
  const { home, folder } = useFolder()
  const page = join(folder, 'report.html')
  await ask(['fixity', 'report', '--html', page], { home })
  expect(modeOf(page)).toBe((0o666 & ~process.umask()).toString(8))
})
