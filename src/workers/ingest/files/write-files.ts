import { closeSync, renameSync, writeSync } from 'node:fs'
import { v4 as uuid } from 'uuid'
import { openNewOrBeside } from './open-new.ts'

/** A file of the work folder that Fonds writes. */
export interface TextFile {
  readonly path: string
  readonly parts: readonly string[]
}

/**
 * Runs in a thread of its own. An existing file is replaced, never written to: storage may have a link to it. A file
 * truncated by a kill or a power cut is recognised by its end, or by its digest.
 */
export const writeFiles = (files: readonly TextFile[]): void => {
  for (const { path, parts } of files) {
    const { path: made, file } = openNewOrBeside(path, `${path}.${uuid()}`)
    try {
      for (const part of parts) writeWhole(file, Buffer.from(part))
    } finally {
      closeSync(file)
    }
    if (made !== path) renameSync(made, path)
  }
}

/** Blocks. */
export const writeWhole = (file: number, bytes: Uint8Array): void => {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done)
}
