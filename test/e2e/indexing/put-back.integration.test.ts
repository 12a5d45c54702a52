import { cpSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { warc } from '../../workers/indexing/archive.ts'
import { linesOf, startServer, stop, until, useFolder } from '../run-fonds.ts'
import { ask, run } from '../run-here.ts'

/* A log, or an index, of another day than the other. */

const put = (folder: string, name: string) => {
  const date = new Date('2026-02-01T00:00:00Z')
  writeFileSync(join(folder, name), warc(`http://example.org/${name}`))
  utimesSync(join(folder, name), date, date)
}

const useArchive = () => {
  const { folder, home } = useFolder()
  const crawl = join(folder, 'crawl')
  mkdirSync(crawl)
  const given = { home, env: { FONDS_INDEXING_RETRY_SECONDS: '1' } }
  const index = async (...names: readonly string[]) => {
    for (const name of names) put(crawl, name)
    await ask(['indexing', 'add', crawl], given)
    await run(['indexing', 'run'], given)
  }
  return {
    home,
    given,
    crawl,
    index,
    indexFolder: join(home, 'index'),
    work: () => run(['indexing', 'run'], given),
    files: async () =>
      (await ask(['indexing', 'captures', 'example.org', '--match', 'domain'], given)).map(
        ({ file }) => file,
      ),
    why: async (name: string) => (await ask(['indexing', 'why', name], given))[0],
    doctor: async () => linesOf(await run(['doctor'], given)).find(({ check }) => check === 'capture index'),
  }
}

it('W18 an index that was put back to an older day gets what was decided since; one that is gone is made anew', async () => {
  const { given, index, indexFolder, files, doctor, work } = useArchive()
  await index('a.warc.gz', 'b.warc.gz')
  cpSync(indexFolder, `${indexFolder}.before`, { recursive: true })
  await index('c.warc.gz')
  await ask(
    ['do', 'indexing.withdraw', 'repository=main', 'name=a.warc.gz', '--actor', 'ada', '--reason', 'gone'],
    given,
  )
  await work()
  expect(await files()).toEqual(['b.warc.gz', 'c.warc.gz'])
  rmSync(indexFolder, { recursive: true })
  renameSync(`${indexFolder}.before`, indexFolder)
  // Of what was indexed since, the run is gone as well: the file is read again.
  await until('what was decided since is in the index', async () => {
    await work()
    return (await files()).join() === 'b.warc.gz,c.warc.gz'
  })

  rmSync(indexFolder, { recursive: true })
  expect(await files()).toEqual([])
  await until('all is in the index again', async () => {
    await work()
    return (await files()).join() === 'b.warc.gz,c.warc.gz'
  })
  expect(await doctor()).toMatchObject({ status: 'ok' })
})

it('W18 a log that was put back is told of, also once it has grown past the index; without its index all is made anew', async () => {
  const { home, given, crawl, index, indexFolder, files, doctor, why, work } = useArchive()
  await index('a.warc.gz')
  for (const name of ['fonds.db', 'views.db']) cpSync(join(home, name), join(home, `${name}.before`))
  await index('b.warc.gz')
  const formerEnd = String((await ask(['events'], given)).at(-1).position)
  for (const name of ['fonds.db', 'views.db']) {
    rmSync(join(home, `${name}-wal`), { force: true })
    rmSync(join(home, `${name}-shm`), { force: true })
    renameSync(join(home, `${name}.before`), join(home, name))
  }
  rmSync(join(crawl, 'b.warc.gz'))
  const isTold = async (name: string) => {
    expect(await doctor()).toMatchObject({
      status: 'fail',
      says: expect.stringContaining('was restored from a backup'),
    })
    expect(await why(name)).toMatchObject({
      state: 'indexed',
      findable: false,
      reasons: [expect.stringContaining('was restored from a backup')],
    })
  }
  await isTold('a.warc.gz')

  const more = Array.from({ length: 20 }, (_, i) => `c${i}.warc.gz`)
  const { code, stderr } = await run(['indexing', 'run'], given)
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('was restored from a backup') })
  // Twice, as people do: the second one begins with a log that has grown past the index.
  for (const names of [more.slice(0, 10), more]) {
    for (const name of names) put(crawl, name)
    const server = await startServer(given)
    await ask(['indexing', 'add', crawl], given)
    await until('all are indexed', async () => {
      const rows = await ask(['indexing', 'files', '--state', 'indexed'], given)
      return rows.length === 1 + names.length
    })
    expect(await stop(server)).toBe(0)
  }
  expect(await ask(['events', '--from', formerEnd], given)).not.toEqual([])
  await isTold('a.warc.gz')
  await isTold('c0.warc.gz')
  // Nothing of the log as it is now went into the index of the former one.
  expect(await files()).toEqual(['a.warc.gz', 'b.warc.gz'])

  for (const name of ['runs', 'incoming']) rmSync(join(indexFolder, name), { recursive: true, force: true })
  await until('all of the log is in the index', async () => {
    await work()
    return (await files()).sort().join() === ['a.warc.gz', ...more].sort().join()
  })
  expect(await why('a.warc.gz')).toMatchObject({ findable: true })
  expect(await doctor()).toMatchObject({ status: 'ok' })
})
