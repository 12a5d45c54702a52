import { rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Command } from 'commander'
import { type Config, defaultConfig } from '../app/config/settings.ts'
import { type CliContext, running, type Session } from './context.ts'
import { addExamples } from './examples.ts'
import { refused } from './output/exit-codes.ts'

export const registerDemo = (program: Command, context: CliContext): void => {
  const command = program
    .command('demo')
    .summary('a small real archive through every workflow')
    .description(
      'Makes an archive, records it, checks it, damages it, finds the damage; takes in what a depositor submits; indexes harvests of a site; matches and ' +
        'merges a small catalogue; has clips found in a radio programme; and proves its views. It lives in a home of its own (`<home>/demo`), made anew each time, and stays there to be ' +
        'looked at.',
    )
    .action((...given) => {
      const inDemo: CliContext = {
        ...context,
        openSystem: (config, options) => context.openSystem(demoConfig(config), options),
      }
      return running(inDemo, demo).apply(command, given as [])
    })
  addExamples(command, [['demo', 'about fifteen seconds']])
}

/**
 * The demo empties its home, and writes into it alone: no folder and no server of the person's own settings is touched.
 */
const demoConfig = ({ home, homeMode, logLevel, threads }: Config): Config => ({
  ...defaultConfig(join(home, 'demo')),
  homeMode,
  logLevel,
  threads,
  indexingAttempts: 1,
  // It takes a few megabytes, also of a disk that is nearly full.
  ingestThresholdPercent: 100,
})

/** In a checkout the sources are TypeScript, and the program is not on the PATH. */
const program = import.meta.filename.endsWith('.ts') ? 'bin/fonds' : 'fonds'

const demo = async (session: Session) => {
  const home = join(session.config.home, 'demo')
  await rm(home, { recursive: true, force: true })
  const system = await session.system()
  const { runDemo } = await import('./demo/demo.ts')
  const differences = await runDemo({
    system,
    output: session.output,
    progress: (label, total) => session.progress(label, total === undefined ? {} : { total }),
    signal: session.signal,
    call: `${program} --home ${relative(process.cwd(), home)}`,
  })
  return differences === 0 ? undefined : refused('the rebuilt views differ from the live ones')
}
