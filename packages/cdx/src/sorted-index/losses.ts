import { statSync } from 'node:fs'
import type { Holdings } from './lineage.ts'
import { keyOfHolding } from './lineage.ts'
import type { Loss, Manifest, Publication, Run } from './manifest.ts'
import { type Origins, publicationsOf } from './origins.ts'
import { linesFile, suspectFile } from './run-files.ts'
import { sumsFile } from './sums.ts'
import type { LostLines } from './types.ts'
import type { Verified } from './verify-run.ts'

const day = 24 * 60 * 60_000
/** Interval at which all of a run is verified. */
const everyMillis = 30 * day
/** Time for which lost posts stay known. */
const keepMillis = 30 * day
/** Bytes that are verified each time, but at least one run. */
const budgetBytes = 1024 ** 3

/**
 * Runs to verify now: first those in which a reader found damage, then those without sums, then those
 * verified longest ago.
 */
export const runsToVerify = (folder: string, { live, removed }: Manifest, now: number): readonly Run[] => {
  const last = (run: Run): number => {
    if (modifiedAt(suspectFile(folder, run.name)) !== undefined) return Number.NEGATIVE_INFINITY
    if (modifiedAt(sumsFile(folder, run.name)) === undefined) return -Number.MAX_VALUE
    return run.checkedAt ?? modifiedAt(linesFile(folder, run.name)) ?? now
  }
  const due = [...live, ...removed]
    .map((run) => ({ run, at: last(run) }))
    .filter(({ at }) => now - at >= everyMillis)
    .sort((a, b) => a.at - b.at)
  let bytes = 0
  return due.flatMap(({ run, at }) => {
    const isWithin = bytes < budgetBytes || at === Number.NEGATIVE_INFINITY
    if (isWithin) bytes += run.bytes
    return isWithin ? [run] : []
  })
}

const modifiedAt = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.mtimeMs

/**
 * Returns the manifest with the result of a verification. Lost lines of a file or a post are accepted when
 * they are published again.
 */
export const applyVerified = (
  manifest: Manifest,
  holdings: Holdings,
  run: Run,
  { isSound, bad: found, lines, from, to, origins }: Verified,
  tableOf: (run: Run) => Origins,
  now: number,
): Manifest => {
  const { bad: known, ...rest } = run
  const replaced = (one: Run): Run =>
    one.name === run.name ? { ...rest, checkedAt: now, ...(!isSound && { bad: [...found] }) } : one
  const others = (manifest.losses ?? []).filter((one) => one.run !== run.name)
  const next = {
    ...manifest,
    live: manifest.live.map(replaced),
    removed: manifest.removed.map(replaced),
  }
  if (known?.join() === found.join()) return next
  // A file that was restored from a backup is whole again.
  if (isSound) return known ? { ...next, losses: others } : next
  const table = tableOf(run)
  const whose = origins && !run.publication ? origins.flatMap((one) => publicationsOf(table, one)) : undefined
  const ended = new Set(run.ended.map(([number]) => number))
  const publications = (
    whose ? [...new Set(whose)].map((i) => table.publications[i]!) : table.publications
  ).filter(({ number, to: end }) => end === undefined && !ended.has(number))
  const loss: Loss = {
    run: run.name,
    at: now,
    lines,
    blocks: found.length,
    from,
    to,
    publications: [...publications],
  }
  forget(holdings, publications)
  return { ...next, losses: [...others, loss] }
}

/**
 * Makes the index accept the same lines of a file when they are published again, in place of the good ones;
 * posts likewise.
 */
export const forget = (holdings: Holdings, publications: readonly Publication[]): void => {
  for (const publication of publications) {
    const key = keyOfHolding(publication)
    const holding = holdings.get(key)
    if (holding?.number !== publication.number) continue
    if (publication.posted) holdings.delete(key)
    else holdings.set(key, { ...holding, sha256: '' })
  }
}

/** Removes losses of files that were published again or withdrawn since, and of posts that are old. */
export const pruned = (manifest: Manifest, holdings: Holdings, now: number): Manifest => {
  const { losses, ...rest } = manifest
  if (!losses) return manifest
  const isOpen = ({ at }: Loss, publication: Publication): boolean =>
    publication.posted ? now - at < keepMillis : holdings.get(publication.file)?.number === publication.number
  const open = losses
    .map((loss) => ({ ...loss, publications: loss.publications.filter((one) => isOpen(loss, one)) }))
    .filter(({ publications, at }) => publications.length > 0 && now >= at)
  const isSame = open.every((loss, i) => loss.publications.length === losses[i]?.publications.length)
  if (isSame && open.length === losses.length) return manifest
  return open.length > 0 ? { ...rest, losses: open } : rest
}

export const lostLinesOf = ({ losses = [] }: Manifest): readonly LostLines[] =>
  losses.map(({ publications, ...loss }) => ({
    ...loss,
    files: publications.flatMap(({ file, sha256, number, posted }) =>
      posted ? [] : [{ file, digest: sha256, number }],
    ),
    posts: publications.filter(({ posted }) => posted).length,
  }))
