import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/fixity.md'), 'utf8')
const example = /```console\n([\s\S]*?)```/.exec(page)?.[1] ?? ''

/** Each command with the lines it is said to print; `…` stands for anything. */
const steps = example
  .split(/^\$ /m)
  .slice(1)
  .map((step) => {
    const [command, ...printed] = step.trimEnd().split('\n')
    return { command: command!, printed }
  })

const asPattern = (line: string): RegExp =>
  new RegExp(
    line
      .split('…')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*'),
  )

describe('the example in docs/fixity.md', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'fonds-docs-'))
    writeFileSync(join(folder, 'fonds'), `#!/bin/sh\nexec ${join(root, 'bin/fonds')} "$@"\n`, { mode: 0o755 })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('has commands', () => expect(steps.length).toBeGreaterThan(8))

  it.each(steps)('$command', ({ command, printed }) => {
    const { stdout, stderr } = spawnSync('sh', ['-c', command], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${folder}:${process.env.PATH}`, FONDS_HOME: join(folder, 'home') },
    })
    for (const line of printed) expect(stdout, stderr).toMatch(asPattern(line))
  })
})
