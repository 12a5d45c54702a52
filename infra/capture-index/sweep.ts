import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest } from './manifest.ts'
import { deleteRun } from './run-files.ts'

/**
 * Deletes what a crash left behind. Merged runs that the manifest does not name are this writer's alone to make: they go at
 * once. Parts and runs that were not published may be another process's work: they go when they are old. Milliseconds.
 */
export const sweep = (folder: string, manifest: Manifest, now: number, keepMillis: number): void => {
  const named = new Set(
    [manifest.live, manifest.removed, manifest.retired].flatMap((runs) => runs.map(({ name }) => name)),
  )
  for (const file of readdirSync(folder)) {
    const name = /^([mrt]-[\w-]+)\.(?:cdx|origins|table)$/.exec(file)?.[1]
    const isPart = /^manifest\.[\w-]+\.tmp$/.test(file)
    if ((name === undefined && !isPart) || (name !== undefined && named.has(name))) continue
    const path = join(folder, file)
    if (file.startsWith('m-') || now - modifiedAt(path) > keepMillis) rmSync(path, { force: true })
  }
}

/** The manifest without the runs whose time of grace is over and which are not being read; their files are deleted. */
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
