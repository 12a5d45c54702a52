import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { shells } from '#src/cli/completion.ts'
import { useFonds } from '../../cli/fonds.ts'
import { server } from '../servers.ts'

/* The scripts, in the shells that they are for. */

const fonds = useFonds()

type Shell = (typeof shells)[number]

const programs = { bash: { address: 'bash' }, zsh: server('zsh'), fish: server('fish') } as const

/** Prints what a shell offers, a line each: the words of the command line so far, the last one half typed. */
const ask: Record<Shell, (script: string, words: readonly string[]) => string> = {
  // Bash hands words over split at "=".
  bash: (script, words) => {
    const split = words.flatMap((word) => word.split(/(=)/).filter((part, i) => part !== '' || i === 0))
    return `source ${script}
COMP_WORDS=(${split.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${split.length - 1}
_fonds
printf '%s\n' "\${COMPREPLY[@]}"`
  },
  // What is shown is zsh's; what it is given is ours.
  zsh: (script, words) => `_describe() { shift 3; print -rl -- "\${(@P)1%%:*}"; }
_files() { print files; }
source ${script}
words=(${words.map((word) => `'${word}'`).join(' ')})
CURRENT=${words.length}
_fonds`,
  fish: (script, words) => `source ${script}
complete -C '${words.join(' ')}' | string replace -r '\\t.*' ''; or true`,
}

const offered = async (shell: Shell, ...words: readonly string[]): Promise<readonly string[]> => {
  const program = programs[shell]
  if ('absent' in program) throw new Error(program.absent)
  const { out } = await fonds.run(['completion', shell])
  const script = fonds.file('completion', out)
  const text = execFileSync(program.address, [shell === 'zsh' ? '-fc' : '-c', ask[shell](script, words)], {
    encoding: 'utf8',
    cwd: fonds.folder,
    env: { ...process.env, HOME: fonds.folder, XDG_CONFIG_HOME: join(fonds.folder, 'config') },
  })
  return text
    .split('\n')
    .filter((line) => line !== '')
    .filter((line) => line.startsWith(words.at(-1) ?? '') || shell === 'bash')
}

describe.each(shells.filter((shell) => !('absent' in programs[shell])))('%s completes', (shell) => {
  it('commands', async () => {
    expect(await offered(shell, 'fonds', 'dea')).toEqual(['dead-letters'])
    expect(await offered(shell, 'fonds', 'dead-letters', 're')).toEqual(['retry'])
  })

  it('commands of `do`, and their fields, each with a value where there are few', async () => {
    expect(await offered(shell, 'fonds', 'do', 'fixity.acc')).toEqual(['fixity.accept'])
    expect(await offered(shell, 'fonds', 'do', 'fixity.resolve', 'st')).toEqual(['store='])
    expect(await offered(shell, 'fonds', 'do', 'fixity.resolve', 'store=main', 'pa')).toEqual(['path='])
    const repaired = shell === 'bash' ? 'repaired' : 'how=repaired'
    expect(await offered(shell, 'fonds', 'do', 'fixity.resolve', 'how=re')).toEqual([repaired])
  })

  it('views once, where an argument may stand', async () => {
    expect(await offered(shell, 'fonds', 'query', 'fixity-item')).toEqual(['fixity-items'])
    expect(await offered(shell, 'fonds', 'query', 'fixity-items', 'fixity-item')).toEqual([])
  })

  it('options of the command, and the settings where none of its own fits', async () => {
    expect(await offered(shell, 'fonds', 'query', '--form')).toEqual(['--format'])
    expect(await offered(shell, 'fonds', 'query', '--home-m')).toEqual(['--home-mode'])
  })

  it('what an option may be, and takes no value for a command', async () => {
    expect([...(await offered(shell, 'fonds', 'query', '--format', 'nd'))]).toEqual(['ndjson'])
    expect(await offered(shell, 'fonds', '--home', 'do', 'dem')).toEqual(['demo'])
  })

  it('every command and every option of it that its help shows', async () => {
    const { out: help } = await fonds.run(['--help'])
    const names = [...(help.split('Settings')[0] ?? '').matchAll(/^ {2}([a-z][a-z-]+) /gm)].map(
      ([, name]) => name,
    )
    expect(names.length).toBeGreaterThan(15)
    expect(await offered(shell, 'fonds', '')).toEqual(expect.arrayContaining(names))
    const { out: query } = await fonds.run(['query', '--help'])
    const options = [...query.matchAll(/(?<=\s)--[a-z-]+(?=.*\s{2})/g)].map(([name]) => name)
    expect(options.length).toBeGreaterThan(4)
    expect(await offered(shell, 'fonds', 'query', '--')).toEqual(
      expect.arrayContaining(options.filter((one) => query.includes(`  ${one} `))),
    )
  })
})
