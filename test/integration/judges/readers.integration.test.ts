import { mkdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { inSoak } from '../../e2e/crash/seed.ts'
import { ask, startServer, stop, until, useFolder } from '../../e2e/run-fonds.ts'
import { warc } from '../../workers/indexing/archive.ts'
import { pywbIsAbsent, startPywb } from './pywb.ts'

/* While runs are written, merged, replaced and withdrawn, nobody misses a line that is published. */

const readers = { server: 24, files: 32, pywb: 8 }
const rounds = inSoak(2, 4)

const setUp = async () => {
  const { folder, home, root: crawl } = useFolder()
  const paths = ['main', 'middle', 'new'].map((name) => join(folder, 'cdx', `${name}.cdx`))
  const env = {
    FONDS_INDEXING_SOURCES: `main=${crawl}`,
    FONDS_INDEXING_GRACE_SECONDS: '1',
    FONDS_INDEXING_POLL_SECONDS: '1',
    FONDS_INDEXING_AGGREGATE_SECONDS: '1',
    FONDS_INDEXING_FILES: paths.join(),
    FONDS_IDLE_MIN_SECONDS: '1',
    FONDS_IDLE_MAX_SECONDS: '1',
  }
  let dates = 0
  const put = (name: string, ...pages: readonly string[]) => {
    const path = join(folder, name)
    writeFileSync(path, warc(...pages.map((page) => `http://example.org/${page}`)))
    const date = new Date(Date.now() - 3_600_000 + dates++ * 1000)
    utimesSync(path, date, date)
    renameSync(path, join(crawl, name))
  }
  mkdirSync(join(folder, 'cdx'))
  const server = await startServer({ home, env })
  return { folder, home, env, paths, put, server }
}

/** Opens one after the other, then reads all: as replay that looks into each file of its list. */
const readAll = async (paths: readonly string[], pauseMillis = 0): Promise<string> => {
  const opened: FileHandle[] = []
  try {
    for (const path of paths) {
      if (opened.length > 0 && pauseMillis > 0) await sleep(pauseMillis)
      opened.push(await open(path))
    }
    return (await Promise.all(opened.map((file) => file.readFile('utf8')))).join('')
  } finally {
    for (const file of opened) await file.close()
  }
}

it.skipIf(pywbIsAbsent)(
  'indexing W17, W32: 64 readers of the server, of index files and of pywb never miss a published line while runs are swapped',
  async () => {
    const { folder, home, env, paths, put, server } = await setUp()
    /** Of files that are there all the time. */
    const kept = Array.from({ length: 40 }, (_, n) => `kept/${n}`)
    for (const page of kept) put(`${page.replace('/', '-')}.warc.gz`, page)
    const isPublished = (text: string, page: string) => text.includes(` http://example.org/${page} `)
    await until('all is in the index files', async () => {
      const text = await readAll(paths)
      return kept.every((page) => isPublished(text, page))
    })

    const { collections } = parse(readFileSync(join(folder, 'cdx', 'config.yaml'), 'utf8')) as {
      collections: Record<string, object>
    }
    const pywb = await startPywb(collections)

    const missed: string[] = []
    let looks = { server: 0, files: 0, pywb: 0 }
    let isOver = false
    const miss = (who: string, page: string) => void missed.push(`${who} missed ${page}`)
    const reading = (who: keyof typeof readers, finds: (page: string, look: number) => Promise<boolean>) =>
      Array.from({ length: readers[who] }, async (_, reader) => {
        for (let n = reader; !isOver; n++) {
          // All the time, and the others have time for their work.
          await sleep(50)
          const page = kept[n % kept.length]!
          if (!(await finds(page, n))) miss(who, page)
          looks = { ...looks, [who]: looks[who] + 1 }
        }
      })
    const query = (page: string) => `url=http://example.org/${page}`
    const all = [
      ...reading('server', async (page) =>
        (await (await fetch(`${server.address}/cdx?${query(page)}`)).text()).includes(`/${page} `),
      ),
      // From either end of the list, and slowly: far from the five seconds that docs/indexing.md gives them.
      ...reading('files', async (page, look) =>
        isPublished(await readAll(look % 2 ? paths : paths.toReversed(), (look % 4) * 100), page),
      ),
      ...reading('pywb', async (page) => (await pywb.cdx('web', query(page))).includes(`/${page}"`)),
    ]

    const by = ['--actor', 'ada', '--reason', 'to see']
    for (let round = 0; round < rounds; round++) {
      for (let n = 0; n < 8; n++)
        put(
          `passing-${round}-${n}.warc.gz`,
          ...Array.from({ length: 5 * (round + 1) }, (_, i) => `passing/${round}/${n}/${i}`),
        )
      // Read anew, with more pages than before.
      for (let n = round; n < kept.length; n += 7) put(`kept-${n}.warc.gz`, kept[n]!, `more/${round}/${n}`)
      await until('the round is in the index files', async () => {
        const text = await readAll(paths)
        return isPublished(text, `passing/${round}/7/0`) && isPublished(text, `more/${round}/${round}`)
      })
      await ask(['do', 'indexing.withdraw', 'repository=main', `name=passing-${round}-0.warc.gz`, ...by], {
        home,
        env,
      })
      await until(
        'withdrawn lines are gone',
        async () => !isPublished(await readAll(paths), `passing/${round}/0/0`),
      )
    }
    isOver = true
    await Promise.all(all)
    console.log(`looked: ${JSON.stringify(looks)}`)
    expect(missed).toEqual([])
    for (const count of Object.values(looks)) expect(count).toBeGreaterThan(100)
    expect(await stop(server)).toBe(0)
  },
)
