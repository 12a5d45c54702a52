import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSystem } from '../src/open-system.ts'
import { readConfig } from '../src/system/config.ts'
import type { Config } from '../src/system/settings.ts'
import type { System } from '../src/system/system.ts'

/** A whole Fonds in a folder of its own, embedded unless told otherwise, and the way to remove it. */
export const benchSystem = async (
  settings: Partial<Config> = {},
): Promise<{
  readonly system: System
  readonly home: string
  readonly dispose: () => Promise<void>
}> => {
  const home = mkdtempSync(join(tmpdir(), 'fonds-bench-'))
  const config = readConfig({ home, ...settings }, {})
  if (config._tag === 'Left') throw new Error(config.left.join('\n'))
  const system = await openSystem(config.right)
  return {
    system,
    home,
    dispose: async () => {
      await system.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
