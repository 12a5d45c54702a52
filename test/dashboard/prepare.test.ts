import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'

it('an installation without the tools that build the page does not fail: it says what builds it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fonds-prepare-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await copyFile(join(import.meta.dirname, '../../dashboard/prepare.mjs'), join(folder, 'prepare.mjs'))
  const { stderr } = await promisify(execFile)(process.execPath, [join(folder, 'prepare.mjs')])
  expect(stderr).toBe('The page was not built (ERR_MODULE_NOT_FOUND): npm run dashboard:build\n')
})
