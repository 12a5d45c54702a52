import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { wholeFiles } from '#src/workers/indexing/aggregator/whole-files.ts'
import { writeIndexFiles } from '../../packages/cdx/src/sorted-index/index-files.ts'
import { inThisThread } from '../../packages/cdx/src/sorted-index/jobs.ts'
import { readManifest } from '../../packages/cdx/src/sorted-index/manifest.ts'
import { createReader } from '../../packages/cdx/src/sorted-index/reader.ts'
import { openRunWriter } from '../../packages/cdx/src/sorted-index/write-lines.ts'
import { createWriter } from '../../packages/cdx/src/sorted-index/writer.ts'
import { exportZipNum } from '../../packages/cdx/src/sorted-index/zip-num.ts'
import { textIn } from './archive-stores.ts'
import type { Store, Writing } from './each-call.ts'

/* The index of captures. What its threads do is done here in the test's own. */

const readerOf = (runs: string) => {
  const reader = createReader(runs, { maxOpenFiles: 8, maxCacheBytes: 1024 })
  onTestFinished(reader.close)
  return reader
}

const settings = {
  runsPerLevel: 3,
  maxInputs: 128,
  frozenBytes: 2 ** 40,
  graceMillis: 0,
  unpublishedMillis: 3_600_000,
  now: Date.now,
}

const index = (folder: string) => {
  const runs = join(folder, 'runs')
  const writer = createWriter(runs, inThisThread, settings, () => false)
  const written = (...keys: readonly string[]) => {
    const run = openRunWriter(runs)
    for (const key of keys) run.add(`${key} 20260131120000 {}`)
    return run.end()
  }
  let position = 0n
  return {
    runs,
    writer,
    written,
    publish: async (file: string, ...keys: readonly string[]) => {
      await writer.change([{ kind: 'publish', file, run: written(...keys), position: ++position }])
    },
    /** Lines that hold, by a reader that opens the index anew. */
    seen: async () => {
      const reader = createReader(runs, { maxOpenFiles: 8, maxCacheBytes: 1024 })
      const lines: string[] = []
      for await (const batch of reader.scan({}))
        lines.push(...batch.map((line) => Buffer.from(line).toString()))
      await reader.close()
      return lines
    },
  }
}

/** Three runs of one level: they are due. */
const filled = async (folder: string) => {
  const made = index(folder)
  for (const letter of ['a', 'b', 'c']) await made.publish(letter, `org,example)/${letter}`, 'org,example)/')
  return made
}

export const indexStores: Readonly<Record<string, Store>> = {
  'a run of the index, which is published': async (folder) => {
    const { written, writer, publish, seen } = index(folder)
    await publish('first', 'org,example)/1')
    return {
      act: () =>
        writer.change([
          { kind: 'publish', file: 'second', run: written('org,example)/2', 'org,example)/3'), position: 2n },
        ]),
      seen,
    }
  },
  'a merge of runs': async (folder) => {
    const { writer, seen } = await filled(folder)
    return { act: () => writer.mergeDue({}), seen }
  },
  'plain files of the index': async (folder) => {
    const { runs, seen } = await filled(folder)
    const path = join(folder, 'plain', 'index.cdx')
    const reader = readerOf(runs)
    return writingOf(path, async () => {
      const manifest = readManifest(runs)
      await writeIndexFiles({
        ...{
          folder: runs,
          paths: [path],
          manifest,
          threads: inThisThread,
          mergeFiles: undefined,
          scanOf: reader.scanOf,
        },
        pauseMillis: 0,
      })
      if (textIn(path) !== `${(await seen()).join('\n')}\n`) throw new Error('the file is not the index')
    })
  },
  'a ZipNum cluster': async (folder) => {
    const { runs } = await filled(folder)
    const reader = readerOf(runs)
    const into = join(folder, 'cluster')
    mkdirSync(into)
    return writingOf(join(into, 'all.idx'), () => exportZipNum(into, 'all', reader.scan({})))
  },
  'what waits for the aggregator': (folder) => {
    const files = wholeFiles(join(folder, 'incoming'), /^\d+$/)
    return {
      act: () => files.put('1', `${'some text '.repeat(10)}\n`),
      seen: async () => Promise.all((await files.list()).map((name) => files.read(name))),
    }
  },
}

const writingOf = (path: string, act: () => Promise<unknown>): Writing => ({
  act,
  seen: async () => textIn(path),
})
