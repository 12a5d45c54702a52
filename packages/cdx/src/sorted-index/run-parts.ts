import { randomUUID } from 'node:crypto'
import { renameSync } from 'node:fs'
import { sync } from '@fonds/toolbox/disk'
import { linesFile } from './run-files.ts'
import type { RunBody } from './run-output.ts'
import { sumsFile } from './sums.ts'
import type { WrittenRun } from './types.ts'

/** Sorted lines of a run that is being written. */
export interface RunPart {
  readonly name: string
  readonly body: RunBody
}

/** Parts that are merged at once: each has a file open and a buffer. */
export const maxParts = 64

export const partName = (): string => `t-${randomUUID()}`

/** Makes the part that has all lines a run: it is renamed when it is whole and on disk (indexing W17). */
export const runOfPart = (folder: string, { name: part, body }: RunPart): WrittenRun => {
  const name = `r-${randomUUID()}`
  renameSync(sumsFile(folder, part), sumsFile(folder, name))
  renameSync(linesFile(folder, part), linesFile(folder, name))
  sync(folder)
  return { name, ...body }
}
