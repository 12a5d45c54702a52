import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach } from 'vitest'
import { readConfig } from '../../src/app/config/config.ts'
import type { System } from '../../src/app/system.ts'
import { runCli } from '../../src/cli/program.ts'
import { openHome } from '../../src/open-home.ts'
import { openAlone, openSystem } from '../../src/open-system.ts'
import type { Workflow } from '../../src/workflows/workflow.ts'
import { rememberingStream } from './output/streams.ts'

/** What a run of the command left behind. */
export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
  /** Standard output as JSON lines. */
  readonly rows: readonly Record<string, unknown>[]
}

interface RunOptions {
  readonly stdin?: string | Uint8Array
  /** Standard output and error are a terminal of so many columns. */
  readonly terminal?: number
  readonly env?: Readonly<Record<string, string>>
  /** What needs no home opens none, as in `fonds` itself. */
  readonly openAlone?: boolean
  /** What only reads opens the home alone, as in `fonds` itself. */
  readonly openHome?: boolean
  /** Those that can be asked; absent: all that there are. */
  readonly workflows?: readonly Workflow[]
}

export interface Fonds {
  /** A folder of the test's own; `home` is in it. */
  readonly folder: string
  readonly home: string
  /** Writes a file into the folder; returns its path. */
  file(name: string, content: string | Uint8Array): string
  run(argv: readonly string[], options?: RunOptions): Promise<Ran>
  /** Does something with the system as a part of Fonds would. */
  withSystem<A>(work: (system: System) => Promise<A>): Promise<A>
}

/**
 * Gives each test of a file an archive of its own, and takes it away afterwards. With `keepsHistory` views keep their history: for
 * questions as of an older moment.
 */
export const useFonds = ({ keepsHistory = false } = {}): Fonds => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fonds-cli-'))
  })
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  })
  const home = () => join(folder, 'home')
  const given = () => ({
    FONDS_HOME: home(),
    ...(!keepsHistory && { FONDS_PAST_DAYS: '0' }),
  })
  return {
    get folder() {
      return folder
    },
    get home() {
      return home()
    },
    file: (name, content) => {
      const path = join(folder, name)
      writeFileSync(path, content)
      return path
    },
    run: async (
      argv,
      { stdin = '', terminal, env = {}, workflows, openAlone: isAlone, openHome: isHome } = {},
    ) => {
      const screen = terminal === undefined ? undefined : { columns: terminal }
      const stdout = rememberingStream(screen)
      const stderr = rememberingStream(screen)
      const code = await runCli(argv, {
        openSystem: (config) => openSystem({ ...config, durability: 'normal', logLevel: 'silent' }),
        ...(isAlone && { openAlone }),
        ...(isHome && { openHome }),
        ...(workflows && { workflows }),
        http: async () => (await import('#src/api/http.ts')).http,
        env: { ...given(), ...env },
        stdin: Readable.from([Buffer.from(stdin)]),
        stdout,
        stderr,
      })
      const out = stdout.text()
      return {
        code,
        out,
        err: stderr.text(),
        get rows() {
          return out
            .split('\n')
            .filter((line) => line !== '')
            .map((line) => JSON.parse(line) as Record<string, unknown>)
        },
      }
    },
    withSystem: async (work) => {
      const config = readConfig({}, given())
      if (config._tag === 'Left') throw new Error(config.left.join())
      const system = await openSystem(config.right)
      try {
        return await work(system)
      } finally {
        await system.close()
      }
    },
  }
}

export const contentTopic = 'fonds.fixity.content'

/** A line that records an item. */
export const recorded = (path: string, size = 1, store = 'main'): string =>
  JSON.stringify({
    type: 'content.recorded',
    data: {
      store,
      path,
      size,
      checksums: [{ algorithm: 'md5', value: size.toString(16).padStart(32, '0') }],
    },
  })

export const lines = (...all: readonly string[]): string => all.map((line) => `${line}\n`).join('')
