import { cpSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { writeContent } from '../archive.ts'
import { ask, run, start, startServer, useFolder } from '../run-fonds.ts'
import { roundsOr, useSeed } from './seed.ts'

/* Backups of a home that works, and backups that are killed. */

const works = async () => {
  const given = useFolder()
  const server = await startServer(given)
  let written = 0
  const write = async (count: number) => {
    for (let i = 0; i < count; i++) writeContent(given.root, `f/${written++}.txt`, `text ${written}`)
    await ask(['fixity', 'add', given.root, '--store', 'main'], given)
  }
  return { given, server, write }
}

it('made while a node writes, each is a whole archive of its moment', async () => {
  const { given, write } = await works()
  await write(50)
  const writing = write(400)
  const folders = [1, 2, 3].map((n) => join(given.folder, `copy-${n}`))
  for (const folder of folders) await ask(['backup', folder], given)
  await writing
  const found: number[] = []
  for (const folder of folders) {
    const home = `${folder}-home`
    cpSync(folder, home, { recursive: true })
    await ask(['backup', '--verify', folder], given)
    await ask(['rebuild', '--all', '--verify'], { home })
    found.push((await ask(['query', 'fixity-items', '--limit', '10000'], { home })).length)
  }
  expect(found[0]).toBeGreaterThanOrEqual(50)
  expect(found).toEqual(found.toSorted((a, b) => a - b))
})

it('killed at any moment, it leaves a whole backup or none of that name; the next one succeeds', async () => {
  const { given, write } = await works()
  await write(200)
  const { chance } = useSeed()
  let whole = 0
  for (let round = 0; round < roundsOr(4); round++) {
    const folder = join(given.folder, `killed-${round}`)
    const { child, exit } = start(['backup', folder], given)
    setTimeout(() => child.kill('SIGKILL'), 200 + chance() * 1500)
    await exit
    if (!existsSync(folder)) continue
    whole++
    expect((await run(['backup', '--verify', folder], given)).code).toBe(0)
  }
  console.log(`${whole} were whole`)
  const last = join(given.folder, 'last')
  await ask(['backup', last], given)
  expect((await run(['backup', '--verify', last], given)).code).toBe(0)
  expect(readdirSync(given.folder).filter((name) => name.includes('partial'))).toEqual([])
})
