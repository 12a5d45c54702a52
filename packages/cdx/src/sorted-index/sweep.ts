import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest } from './manifest.ts'
import { deleteRun } from './run-files.ts'

const partMillis = 24 * 60 * 60_000

/**
 * Deletes files that a crash left behind. Merged runs that the manifest does not name are deleted at once,
 * since only this writer makes them. Parts may be another process's work, and are deleted when they are old.
 * Unpublished runs may still wait for a decision or to be handed over: they are kept for `keepMillis`.
 */
export const sweep = (folder: string, manifest: Manifest, now: number, keepMillis: number): void => {
  const named = new Set(
    [manifest.live, manifest.removed, manifest.retired].flatMap((runs) => runs.map(({ name }) => name)),
  )
  for (const file of readdirSync(folder)) {
    const name = /^([mrt]-[\w-]+)\.(?:cdx|origins|table|sums|suspect)$/.exec(file)?.[1]
    const isPart = /^manifest\.[\w-]+\.tmp$/.test(file)
    if ((name === undefined && !isPart) || (name !== undefined && named.has(name))) continue
    const path = join(folder, file)
    const keep = file.startsWith('r-') ? keepMillis : Math.min(keepMillis, partMillis)
    if (file.startsWith('m-') || now - modifiedAt(path) > keep) rmSync(path, { force: true })
  }
}

/** Deletes retired runs after their time of grace that are not being read. Returns the new manifest. */
export const deleteRetired = (
  folder: string,
  manifest: Manifest,
  now: number,
  graceMillis: number,
  isRead: (name: string) => boolean,
): Manifest => {
  const over = manifest.retired.filter(({ name, at }) => now - at >= graceMillis && !isRead(name))
  if (over.length === 0) return manifest
  for (const { name } of over) deleteRun(folder, name)
  return { ...manifest, retired: manifest.retired.filter((run) => !over.includes(run)) }
}

const modifiedAt = (path: string): number =>
  statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY
