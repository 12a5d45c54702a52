import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { readConfig } from '../../src/app/config/config.ts'
import type { Config } from '../../src/app/config/settings.ts'
import type { System } from '../../src/app/system.ts'
import { openSystem } from '../../src/open-system.ts'

/** As `openTestViews` has it. */
const withoutHistory = { pastDays: 0 }

interface TestSystemOptions extends NonNullable<Parameters<typeof openSystem>[1]> {
  /** Views keep their history, as they do outside of tests. */
  readonly keepsHistory?: boolean
}

/** A whole embedded system in a temporary folder. `close` also removes the folder. */
export const openTestSystem = async (
  settings: Partial<Config> = {},
  { keepsHistory = false, ...options }: TestSystemOptions = {},
): Promise<System> => {
  const home = await mkdtemp(join(tmpdir(), 'fonds-system-'))
  const config = readConfig(
    { home, durability: 'normal', logLevel: 'silent', ...(!keepsHistory && withoutHistory), ...settings },
    {},
  )
  if (isLeft(config)) throw new Error(config.left.join('; '))
  const system = await openSystem(config.right, options)
  return {
    ...system,
    close: async () => {
      await system.close()
      await rm(home, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}
