import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { UnusableIndex } from './index-errors.ts'
import type { Run } from './manifest.ts'
import { Origins } from './origins.ts'
import { sumsFile } from './sums.ts'

/** The lines: a sorted file of text, as any program reads it. */
export const linesFile = (folder: string, name: string): string => join(folder, `${name}.cdx`)

/**
 * Of a merged run: the origin of each line, then for each block of the lines how many lines begin before it; numbers of 32 bits,
 * little-endian.
 */
export const originsFile = (folder: string, name: string): string => join(folder, `${name}.origins`)

/** The table of origins of a merged run, as JSON. */
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

/** A reader found damage: the run is to be looked through. */
export const suspectFile = (folder: string, name: string): string => join(folder, `${name}.suspect`)

export const deleteRun = (folder: string, name: string): void => {
  for (const path of [linesFile, originsFile, tableFile, sumsFile, suspectFile])
    rmSync(path(folder, name), { force: true })
}
