import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openWhenUsed } from '#infra/capture-index/open-when-used.ts'
import { emptyFolder } from './lines.ts'

it('an index that was not used is closed without being opened, and one that was is closed', async () => {
  const folder = join(emptyFolder(), 'runs')
  await openWhenUsed(folder).close()
  expect(existsSync(folder)).toBe(false)
  const index = openWhenUsed(folder)
  expect(await index.runs()).toEqual([])
  await index.close()
})
