import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** Runs the commands of a page's first console block, in order, and holds what they print to what the page says. */
export const testExample = (file: string): void => {
  const page = readFileSync(join(root, file), 'utf8')
  const steps = stepsOf(/```console\n([\s\S]*?)```/.exec(page)?.[1] ?? '')

  describe(`the example in ${file}`, () => {
    let folder: string
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'fonds-docs-'))
      writeFileSync(join(folder, 'fonds'), `#!/bin/sh\nexec ${join(root, 'bin/fonds')} "$@"\n`, {
        mode: 0o755,
      })
    })
    afterAll(() => rmSync(folder, { recursive: true, force: true }))

    it('has commands', () => expect(steps.length).toBeGreaterThan(4))

    it.each(steps)('$command', ({ command, printed }) => {
      const { stdout, stderr } = spawnSync('sh', ['-c', command], {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, PATH: `${folder}:${process.env.PATH}`, FONDS_HOME: join(folder, 'home') },
      })
      for (const line of printed) expect(stdout, stderr).toMatch(asPattern(line))
    })
  })
}

/** Each command (with a here-document, if it has one) and the lines it is said to print. */
const stepsOf = (example: string) =>
  example
    .split(/^\$ /m)
    .slice(1)
    .map((step) => {
      const lines = step.trimEnd().split('\n')
      const end = lines.indexOf('END') + 1 || 1
      return { command: lines.slice(0, end).join('\n'), printed: lines.slice(end) }
    })

/** `…` stands for anything. */
const asPattern = (line: string): RegExp =>
  new RegExp(
    line
      .split('…')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*'),
  )
