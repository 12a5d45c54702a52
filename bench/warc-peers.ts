import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Another program that reads WARC files, and its arguments; it writes a line for each capture. */
export interface Peer {
  readonly name: string
  readonly command: readonly string[]
}

const judges = join(import.meta.dirname, '../.judges/archives/bin')

/** Those that `.ci/judges` installed, and warcio.js where npm has it, which goes into that folder. */
export const findPeers = (folder: string): readonly Peer[] =>
  [
    { name: 'warcio.js cdx-index', command: warcio(folder) },
    { name: 'cdxj-indexer (Python)', command: judge('cdxj-indexer') },
    { name: 'FastWARC index (native)', command: judge('fastwarc', 'index', '-f', 'offset,warc-target-uri') },
  ].flatMap(({ name, command }) => (command ? [{ name, command }] : []))

const judge = (program: string, ...args: readonly string[]): readonly string[] | undefined => {
  const path = join(judges, program)
  if (existsSync(path)) return [path, ...args]
  console.log(`!!! SKIPPED ${program}: .ci/judges installs it`)
  return undefined
}

const warcio = (folder: string): readonly string[] | undefined => {
  const args = ['install', '--silent', '--no-save', '--prefix', folder, 'warcio@2.4.11']
  if (spawnSync('npm', args, { stdio: 'ignore' }).status === 0)
    return [process.execPath, join(folder, 'node_modules/warcio/dist/cli.js'), 'cdx-index', '--format', 'cdx']
  console.log('!!! SKIPPED warcio.js: npm could not install warcio@2.4.11')
  return undefined
}

/** Seconds of the processor that the program takes for the file, its start among them; its lines are counted. */
export const secondsOf = (
  { command }: Peer,
  file: string,
  lines: string,
): { seconds: number; lines: number } => {
  const out = openSync(lines, 'w')
  // The shell tells what its children took: a line for itself, and one for them.
  const script = '"$@" || exit 1; times >&2'
  const run = spawnSync('sh', ['-c', script, 'sh', ...command, file], {
    encoding: 'utf8',
    stdio: ['ignore', out, 'pipe'],
  })
  closeSync(out)
  const times = /(\d+)m([\d.]+)s (\d+)m([\d.]+)s\s*$/.exec(run.stderr)
  if (!times) throw new Error(run.stderr)
  const [, userMinutes, user, systemMinutes, system] = times.map(Number)
  return {
    seconds: (userMinutes! + systemMinutes!) * 60 + user! + system!,
    lines: readFileSync(lines, 'latin1')
      .split('\n')
      .filter((line) => /^[^#\s]/.test(line)).length,
  }
}
