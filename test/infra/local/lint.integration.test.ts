import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const script = fileURLToPath(new URL('../../../infra/local/lint.ts', import.meta.url))

const lint = (env: NodeJS.ProcessEnv) =>
  spawnSync(process.execPath, [script, 'infra/local/lint.ts'], {
    encoding: 'utf8',
    env: { ...process.env, CI: '', ...env },
  })

/** As the linter itself sees a machine that it has no binary for. */
const withoutBinary = { BIOME_BINARY: '/nowhere/biome' }

it('a machine without the linter goes on to the tests, and says loudly that nothing was linted', () => {
  const { status, stderr } = lint(withoutBinary)
  expect(status).toBe(0)
  expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(/NOT LINTED.*npm ci/)])
})

it('CI fails there', () => {
  expect(lint({ ...withoutBinary, CI: 'true' })).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('NOT LINTED'),
  })
})

it('where the linter runs, it is the one that answers', ({ skip }) => {
  const { status, stdout, stderr } = lint({})
  skip(stderr.includes('NOT LINTED'), 'the linter has no binary for this machine')
  expect(status).toBe(0)
  expect(stdout).toContain('Checked 1 file')
})
