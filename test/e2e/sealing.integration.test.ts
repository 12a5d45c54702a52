import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { entriesOfLog, treeIn } from '../app/proof/tree-of-log.ts'
import { openHome } from './open-home.ts'
import { run, startServer, stop, until, useFolder } from './run-fonds.ts'
import { ask } from './run-here.ts'

/* `fonds start` seals the log; nobody asks it to. */

const entriesIn = async (home: string, first?: readonly string[]) => {
  const system = await openHome(home)
  try {
    return await entriesOfLog(system.eventStore, first)
  } finally {
    await system.close()
  }
}
const work = (id: string) =>
  `${JSON.stringify({ id, source: 'library', sourceVersion: 1, sourceModifiedAt: '2021-01-01T00:00:00Z', state: 'visible', links: [] })}\n`

const sealed = (home: string, what: string, wanted: (tree: Awaited<ReturnType<typeof treeIn>>) => boolean) =>
  until(what, async () => {
    const tree = await treeIn(home).catch(() => undefined)
    return tree && wanted(tree) ? tree : undefined
  })

it('killed, it goes on; a log put back from before signs nothing, until a person begins a new tree (Q15)', async () => {
  const { folder, home } = useFolder()
  const given = { home }
  const first = await startServer(given)
  await ask(['produce', 'fonds.matching.works', '--wait'], { ...given, stdin: work('1') })
  await sealed(home, 'the first work is sealed', (tree) => tree!.size > 0n)
  first.child.kill('SIGKILL')
  await first.exit
  const older = join(folder, 'older.db')
  await run(['backup', join(folder, 'backup')], given)
  copyFileSync(join(folder, 'backup', 'fonds.db'), older)

  const second = await startServer(given)
  const before = (await treeIn(home))!
  await ask(['produce', 'fonds.matching.works', '--wait'], { ...given, stdin: work('2') })
  const grown = await sealed(home, 'the second work is sealed', (tree) => tree!.size > before.size)
  await stop(second)
  expect(grown.entries).toEqual(await entriesIn(home))
  expect((await run(['doctor'], given)).stdout).toMatch(
    /"check":"proof","status":"ok","says":"the head of .* seals \d+ events/,
  )

  for (const part of ['', '-wal', '-shm']) rmSync(join(home, `fonds.db${part}`), { force: true })
  copyFileSync(older, join(home, 'fonds.db'))
  const third = await startServer(given)
  const { unsealed } = await until('it is not sealed', async () => {
    const ready: { readonly unsealed?: readonly string[] } = JSON.parse(
      await (await fetch(`${third.address}/readyz`)).text(),
    )
    return (ready.unsealed?.length ?? 0) > 0 ? ready : undefined
  })
  expect(unsealed).toEqual([
    expect.stringMatching(/^the log is behind its own Merkle tree: it lacks leaf \d+/),
  ])
  const doctor = await run(['doctor'], given)
  expect(doctor.code).toBe(1)
  expect(doctor.stdout).toMatch(/"check":"proof","status":"fail","says":"the log is behind/)
  expect(await treeIn(home)).toEqual(grown)

  await ask(['do', 'proof.replace-tree', '--actor', 'ada', '--reason', 'the disk was lost'], given)
  const next = await sealed(home, 'a new tree', (tree) => tree!.origin !== grown.origin && tree!.size > 1n)
  expect(next.entries[0]).toContain(`"${grown.origin}"\n${grown.size}\n`)
  const entries = await until('all of it', async () => {
    const tree = await treeIn(home)
    const all = await entriesIn(home, [next.entries[0]!])
    return tree?.entries.length === all.length ? [tree.entries, all] : undefined
  })
  expect(entries[0]).toEqual(entries[1])
  await stop(third)
  const aside = join(home, 'proof', 'earlier', grown.origin.replaceAll('/', '_'))
  expect(existsSync(join(aside, 'tile'))).toBe(true)
  expect(readFileSync(join(aside, 'checkpoint'), 'utf8')).toContain(`${grown.origin}\n${grown.size}\n`)
})
