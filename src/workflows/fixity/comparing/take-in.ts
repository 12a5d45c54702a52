import * as E from 'fp-ts/lib/Either.js'
import { contentTopic } from '../../../domain/fixity/messages.ts'
import { addMillis, HOUR } from '../../../domain/kernel/time.ts'
import { exclusionOf } from '../../../workers/fixity/exclusion.ts'
import type { HashPool } from '../../../workers/fixity/hash-pool.ts'
import { type Surveyed, survey } from '../../../workers/fixity/survey.ts'
import { reportOnTopic } from '../../../workers/runtime/report-on-topic.ts'
import type { FixityContext } from '../context.ts'
import { knownChecksums } from '../known-checksums.ts'
import { emptySummary } from '../recording/add-counts.ts'
import { readFirst } from '../recording/first-readings.ts'
import { needsReading, reportOf } from '../recording/report-surveyed.ts'
import type { ComparedStore } from './compare-store.ts'

const batchSize = 200
/** Files that one comparison has recorded at most; the next goes on. */
const maxTakenIn = 100_000
/** A file that was written to more recently may still grow: nobody has asked for it. */
const quietMillis = HOUR

interface Wanted {
  /** Files to be recorded, if they are quiet. */
  readonly fresh: readonly string[]
  /** Files below one of these, or those that they name, were asked for by a person: they are not waited for. */
  readonly asked: readonly { readonly prefix: string; readonly isFile?: true }[]
  /** False: nothing is recorded but what a person asked for. */
  readonly isByItself: boolean
}

/**
 * Records new files: with the checksums of manifests, or else by a first reading. Files that manifests name and that are
 * not there are left alone: they may be on their way. Returns the number of files.
 */
export const takeIn = async (
  context: FixityContext,
  { store, root, content }: ComparedStore,
  { fresh, asked, isByItself }: Wanted,
  { pool, signal }: { readonly pool: HashPool; readonly signal: AbortSignal },
): Promise<number> => {
  const files = new Set(asked.filter(({ isFile }) => isFile).map(({ prefix }) => prefix))
  const prefixes = asked.filter(({ isFile }) => !isFile).map(({ prefix }) => prefix)
  const before = addMillis(context.clock.now(), -quietMillis)
  const wanted = new Set<string>()
  for (const path of fresh) {
    if (wanted.size >= maxTakenIn) break
    if (files.has(path) || prefixes.some((prefix) => path.startsWith(prefix))) wanted.add(path)
    else if (isByItself) {
      const found = await content.stat(path)()
      if (E.isRight(found) && found.right.modifiedAt < before) wanted.add(path)
    }
  }
  if (wanted.size === 0) return 0
  const summary = emptySummary(store, root)
  const isExcluded = exclusionOf([])
  let taken = 0
  let batch: Surveyed[] = []
  const flush = async () => {
    const known = knownChecksums(context, store, batch)
    const toRead = batch.filter((found) => needsReading({ known, isExcluded }, found))
    const readings = await readFirst(context, { store, root, content, pool, signal }, toRead)
    const reports = batch.flatMap((found) => reportOf({ summary, readings, isExcluded, known }, found) ?? [])
    batch = []
    signal.throwIfAborted()
    if (reports.length > 0) await reportOnTopic(context, contentTopic, `fonds://compare/${store}`, reports)
    taken += reports.length
  }
  for await (const found of survey(content)) {
    signal.throwIfAborted()
    if ((found.kind !== 'recorded' && found.kind !== 'unread') || !wanted.has(found.path)) continue
    batch.push(found)
    if (batch.length >= batchSize) await flush()
  }
  await flush()
  return taken
}
