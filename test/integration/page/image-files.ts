import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { packSources } from '#infra/local/pack.ts'

const root = join(import.meta.dirname, '../../..')

/**
 * Puts what the container image holds into an empty folder: what its last stage copies, sources and page from the stage
 * that builds them. What Node keeps of what it compiled is made as there: nodes that tests kill keep nothing.
 */
export const makeImageFiles = async (folder: string): Promise<void> => {
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8')
  const lastStage = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))
  for (const [, stage, from = '', to = ''] of lastStage.matchAll(/^COPY (?:--from=(\w+) )?(\S+) (\S+)$/gm)) {
    const target = join(folder, to)
    if (stage === 'packages') symlinkSync(join(root, 'node_modules'), target)
    else if (stage === 'built') {
      await packSources(target)
      const outDir = join(target, 'dashboard/dist')
      await build({ configFile: join(root, 'dashboard/vite.config.ts'), build: { outDir } })
    } else cpSync(join(root, from), to.endsWith('./') ? join(folder, from) : target, { recursive: true })
  }
  const [, command = ''] = /^RUN bin\/fonds (.+) >\/dev\/null$/m.exec(lastStage) ?? []
  const home = mkdtempSync(join(tmpdir(), 'fonds-image-'))
  execFileSync(join(folder, 'bin/fonds'), ['--home', home, ...command.split(' ')], { stdio: 'ignore' })
  rmSync(home, { recursive: true })
}
