import { mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { openCaptureIndex } from '../../../../infra/capture-index/capture-index.ts'
import { files } from '../../../../src/domain/indexing/views.ts'
import { rowsIfFolded } from '../../../../src/domain/kernel/read-views.ts'
import { scanned } from '../../../infra/capture-index/lines.ts'
import { warc } from '../../../workers/indexing/archive.ts'
import type { Traffic } from './traffic.ts'

const perFeed = 2

/** Files of a crawl that come, change and are damaged. */
export const indexingTraffic = (folder: string, index: string, chance: () => number): Traffic => {
  const crawl = join(folder, 'crawl')
  mkdirSync(crawl, { recursive: true })
  mkdirSync(index, { recursive: true })
  /** Key and file of each line that is wanted, by file. */
  const wanted = new Map<string, readonly string[]>()
  let dates = 0
  const put = (name: string) => {
    const pages = Array.from({ length: 1 + Math.floor(chance() * 20) }, () => Math.floor(chance() * 1e9))
    const bytes = warc(...pages.map((page) => `http://example.org/${page}`))
    // Of one that was good before, nobody knows whether its former lines were read in time.
    const isDamaged = !wanted.has(name) && chance() < 0.2
    writeFileSync(join(folder, name), isDamaged ? bytes.subarray(0, -1 - Math.floor(chance() * 40)) : bytes)
    const date = new Date(Date.now() - 86_400_000 + dates++ * 1000)
    utimesSync(join(folder, name), date, date)
    renameSync(join(folder, name), join(crawl, name))
    wanted.set(name, isDamaged ? [] : [...new Set(pages)].map((page) => `org,example)/${page} ${name}`))
  }
  const linesIn = async (): Promise<readonly string[]> => {
    const captures = openCaptureIndex(join(index, 'runs'))
    onTestFinished(() => captures.close())
    return (await scanned(captures)).map(
      (line) => `${line.slice(0, line.indexOf(' '))} ${line.split(' ').at(-1)}`,
    )
  }
  const isGood = (name: string) => (wanted.get(name)?.length ?? 0) > 0

  return {
    name: 'indexing',
    feed: async () => {
      // One in five comes again, with other content.
      for (let i = 0; i < perFeed; i++)
        put(`${chance() < 0.2 ? Math.floor(chance() * wanted.size) : wanted.size}.warc.gz`)
    },
    acknowledged: () => wanted.size,
    open: (views) => {
      const indexed = rowsIfFolded(views, files, {}).filter(({ state }) => state === 'indexed')
      return [...wanted.keys()].filter(isGood).length - indexed.filter(({ name }) => isGood(name)).length
    },
    found: async () => ({ wanted: [...wanted.values()].flat(), found: await linesIn() }),
    expectSound: async ({ views }) => {
      const states = new Map(rowsIfFolded(views, files, {}).map(({ name, state }) => [name, state]))
      for (const name of wanted.keys()) expect(states.get(name) === 'indexed', name).toBe(isGood(name))
    },
  }
}
