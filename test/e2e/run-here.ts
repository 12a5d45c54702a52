import { Readable } from 'node:stream'
import { runCli } from '../../src/cli/program.ts'
import { openHome, openPersonal } from '../../src/open-home.ts'
import { openSystem } from '../../src/open-system.ts'
import { rememberingStream } from '../cli/output/streams.ts'
import { asking, type Given, type Ran } from './run-fonds.ts'

/* The command line in the process of the test, for what is asked of a home where no process is on trial: a start costs more. */

export const run = async (args: readonly string[], { home, stdin = '', env }: Given): Promise<Ran> => {
  const [stdout, stderr] = [rememberingStream(), rememberingStream()]
  const code = await runCli(args, {
    openSystem,
    openHome,
    openPersonal: async (config) => openPersonal(config),
    http: async () => (await import('../../src/api/http.ts')).http,
    env: { FONDS_HOME: home, ...env },
    stdin: Readable.from([Buffer.from(stdin)]),
    stdout,
    stderr,
  })
  return { code, stdout: stdout.text(), stderr: stderr.text() }
}

export const ask = asking(run)
