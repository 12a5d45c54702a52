import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { UnusableIndex } from './index-errors.ts'
import type { Run } from './manifest.ts'
import { Origins } from './origins.ts'
import { sumsFile } from './sums.ts'

/** File of the lines: sorted text that any program can read. */
export const linesFile = (folder: string, name: string): string => join(folder, `${name}.cdx`)

/**
 * File of a merged run's origins: the origin of each line, then for each block of the lines the number of
 * lines that begin before it; 32-bit numbers, little-endian.
 */
export const originsFile = (folder: string, name: string): string => join(folder, `${name}.origins`)

/** File of a merged run's table of origins, as JSON. */
export const tableFile = (folder: string, name: string): string => join(folder, `${name}.table`)

export const writeTable = (folder: string, name: string, origins: Origins): void =>
  writeFileSync(tableFile(folder, name), JSON.stringify(origins), { flush: true })

export const readTable = (folder: string, run: Pick<Run, 'name' | 'publication'>): Origins => {
  if (run.publication) return { publications: [run.publication], unions: [] }
  const path = tableFile(folder, run.name)
  const decoded = Origins.decode(JSON.parse(readFileSync(path, 'utf8')))
  if (E.isLeft(decoded)) throw new UnusableIndex(`${path} is damaged: put a backup in its place`)
  return decoded.right
}

/** File that marks a run in which a reader found damage: the run is to be verified. */
export const suspectFile = (folder: string, name: string): string => join(folder, `${name}.suspect`)

export const deleteRun = (folder: string, name: string): void => {
  for (const path of [linesFile, originsFile, tableFile, sumsFile, suspectFile])
    rmSync(path(folder, name), { force: true })
}
