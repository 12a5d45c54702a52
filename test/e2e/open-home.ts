import { isLeft } from 'fp-ts/lib/Either.js'
import { readConfig } from '../../src/app/config/config.ts'
import type { Config } from '../../src/app/config/settings.ts'
import type { System } from '../../src/app/system.ts'
import { openSystem } from '../../src/open-system.ts'

/** A home from inside, beside whatever other processes work on it: as main.ts opens it. */
export const openHome = (
  home: string,
  settings: Partial<Config> = {},
  options: Parameters<typeof openSystem>[1] = {},
): Promise<System> => {
  const read = readConfig({ home, logLevel: 'error', ...settings }, {})
  if (isLeft(read)) throw new Error(read.left.join('; '))
  return openSystem(read.right, options)
}
