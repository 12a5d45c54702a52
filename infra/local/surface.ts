import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable, Writable } from 'node:stream'
import { fetch } from 'undici'
import { http } from '../../src/api/http.ts'
import { runCli } from '../../src/cli/program.ts'
import { openHome } from '../../src/open-home.ts'
import { openSystem } from '../../src/open-system.ts'

/*
 * Writes all that users and other programs see of Fonds into a folder: the help of every command, OpenAPI, AsyncAPI,
 * doctor's report and the metrics of a new home, without numbers. `diff -r` of two such folders proves that a change
 * changes nothing: node infra/local/surface.ts <folder>
 */

const folder = resolve(process.argv[2] ?? '')
if (process.argv[2] === undefined) throw new Error('give the folder to write into')
mkdirSync(join(folder, 'help'), { recursive: true })
const home = mkdtempSync(join(tmpdir(), 'fonds-surface-'))
const env = { ...process.env, FONDS_HOME: home, NO_COLOR: '1' }

/** Returns the output of a command, run in this process: a new one costs more. */
const run = async (...args: readonly string[]): Promise<string> => {
  const output: string[] = []
  const write = (text: string, _: unknown, done: () => void) => {
    output.push(text)
    done()
  }
  const stream = () => Object.assign(new Writable({ decodeStrings: false, write }), { columns: 100 })
  const stdin = Readable.from([])
  await runCli(args, {
    openSystem,
    openHome,
    http: async () => http,
    env,
    stdin,
    stdout: stream(),
    stderr: stream(),
  })
  return output.join('')
}

/** Returns the commands that a page of help lists. */
const commandsIn = (help: string): readonly string[] =>
  (/^Commands:\n((?: +.*\n)+)/m.exec(help)?.[1] ?? '')
    .split('\n')
    .flatMap((line) => /^ {2}([a-z][\w-]*)/.exec(line)?.[1] ?? [])
    .filter((name) => name !== 'help')

const writeHelp = async (path: readonly string[]): Promise<void> => {
  const help = await run(...path, '--help')
  writeFileSync(join(folder, 'help', `${['fonds', ...path].join(' ')}.txt`), help)
  for (const name of commandsIn(help)) await writeHelp([...path, name])
}

/** Leaves out Node's own metrics, which vary. */
const isOurs = (line: string): boolean => !/^(# \w+ )?(nodejs|process)_/.test(line)

const withoutNumbers = (text: string): string =>
  text.replaceAll(home, '<home>').replace(/\d+(?:[.:]\d+)*/g, 'N')

const listening = async (child: ChildProcess): Promise<string> => {
  for await (const line of createInterface({ input: child.stderr! })) {
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0]
    if (address) return address
  }
  throw new Error('fonds start ended')
}

const writeAnswers = async (): Promise<void> => {
  const fonds = resolve(import.meta.dirname, '../../bin/fonds')
  const child = spawn(fonds, ['start', '--port', '0', '--log-level', 'info'], {
    env,
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  try {
    const server = await listening(child)
    child.stderr!.resume()
    for (const name of ['openapi.json', 'asyncapi.json', 'metrics']) {
      const answer = await fetch(`${server}/${name === 'metrics' ? name : `api/v1/${name}`}`)
      const text = await answer.text()
      const shown =
        name === 'metrics'
          ? withoutNumbers(text.split('\n').filter(isOurs).join('\n'))
          : JSON.stringify(JSON.parse(text), null, 2)
      writeFileSync(join(folder, name), shown.replaceAll(server, '<server>'))
    }
  } finally {
    child.kill()
  }
}

try {
  await writeHelp([])
  for (const [, command = ''] of (await run('do')).matchAll(/"command":\s*"([^"]+)"/g))
    writeFileSync(join(folder, 'help', `fonds do ${command}.txt`), await run('do', command, '--help'))
  writeFileSync(join(folder, 'doctor.txt'), withoutNumbers(await run('doctor')))
  await writeAnswers()
} finally {
  rmSync(home, { recursive: true, force: true })
}
