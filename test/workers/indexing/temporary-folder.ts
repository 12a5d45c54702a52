import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder of its own, which goes with the test. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-indexing-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
