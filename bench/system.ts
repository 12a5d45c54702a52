import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../src/app/config/config.ts'
import type { Config } from '../src/app/config/settings.ts'
import type { System } from '../src/app/system.ts'
import { openSystem } from '../src/open-system.ts'
import { expectSame } from './table.ts'

/** A whole Fonds in a folder of its own, embedded unless told otherwise, and the way to remove it. */
export const benchSystem = async (
  settings: Partial<Config> = {},
): Promise<{
  readonly system: System
  readonly home: string
  readonly dispose: () => Promise<void>
}> => {
  const home = mkdtempSync(join(tmpdir(), 'fonds-bench-'))
  const system = await openHome(home, settings)
  return {
    system,
    home,
    dispose: async () => {
      await system.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

export const openHome = (home: string, settings: Partial<Config> = {}): Promise<System> => {
  const config = readConfig({ home, ...settings }, {})
  if (config._tag === 'Left') throw new Error(config.left.join('\n'))
  return openSystem(config.right)
}

/** So many items are in the view. */
export const expectShown = ({ viewStore }: System, items: number): void =>
  expectSame('items in the view', viewStore.tally('fixity-items', { by: ['store'] })[0]?.count, items)
