import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { expect, it, onTestFinished } from 'vitest'
import { damaged } from '#infra/views/sqlite/connection.ts'
import { readConfig } from '#src/app/config/config.ts'
import type { Config } from '#src/app/config/settings.ts'
import { UnavailableError } from '#src/async/unavailable.ts'
import openFolding from '#src/open-folding.ts'
import { folderOf } from '../archive.ts'

const opened = async (settings: Partial<Config> = {}) => {
  const home = await folderOf({})
  const config = readConfig({ home, ...settings }, {})
  if (isLeft(config)) throw new Error(config.left.join('; '))
  const stores = await openFolding(config.right)
  onTestFinished(stores.close)
  return { home, ...stores }
}

it('tells views that the main thread must open anew: damaged ones, and another file in their place', async () => {
  const { home, isLost } = await opened()
  expect(isLost()).toBe(false)
  expect(isLost(new UnavailableError('locked'))).toBe(false)
  expect(isLost(new UnavailableError('damaged', { cause: damaged('a page') }))).toBe(true)
  renameSync(join(home, 'views.db'), join(home, 'views.db.damaged'))
  expect(isLost()).toBe(true)
})

it('opens no log on a server', async () => {
  await expect(opened({ eventStore: 'esdb://localhost:1', broker: 'kafka://localhost:1' })).rejects.toThrow(
    'the log is on a server',
  )
})
