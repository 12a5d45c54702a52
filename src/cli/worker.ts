import type { Command } from 'commander'
import type { Logger } from 'pino'
import { keepPrivate } from '../app/config/file-modes.ts'
import { newsOf, startRoles, workerSettings } from '../app/roles.ts'
import { aborted } from '../async/aborted.ts'
import { SECOND } from '../domain/kernel/time.ts'
import type { RunningWorker } from '../workers/runtime/worker.ts'
import { workflows } from '../workflows/all.ts'
import { didYouMean } from './closest.ts'
import { type CliContext, running, type Session } from './context.ts'
import { addExamples } from './examples.ts'
import { wholeNumber } from './numbers.ts'
import { type CliFailure, refused } from './output/exit-codes.ts'
import { writeRows } from './output/format.ts'
import { endOnUncaught } from './uncaught.ts'
import { unknownVariables } from './unknown-variables.ts'
import { whenThere } from './when-there.ts'

interface WorkerOptions {
  readonly wait: boolean
  readonly grace: number
}

export const registerWorker = (program: Command, context: CliContext): void => {
  const command = program
    .command('worker')
    .summary('run one worker on its own')
    .description(
      'Runs a worker until Ctrl-C or SIGTERM: it then takes no new work and finishes what it has; a second signal ' +
        'stops it at once, and its claims run out by themselves. It folds the views it takes its work from; what it ' +
        'reports is handled by whoever runs the processors (`fonds start`). Without a kind it lists them.',
    )
    .argument('[kind]')
    .option('--no-wait', 'end with 3 where the log or the broker is away, in place of waiting for it')
    .option('--grace <seconds>', 'longest wait for work under way when stopping', wholeNumber, 30)
    .action(
      running(context, (session, kind: string | undefined, options: WorkerOptions) =>
        worker(context, session, kind, options),
      ),
    )
  addExamples(command, [
    ['worker', 'lists the kinds of workers'],
    ['worker fixity --hands 4 --bytes-per-second 50000000', 'checks content, gently'],
    ['worker researcher --threads 4', 'looks for clips in episodes, four at a time'],
  ])
}

const worker = async (
  context: CliContext,
  session: Session,
  kind: string | undefined,
  { grace, wait }: WorkerOptions,
): Promise<CliFailure | undefined> => {
  for (const sentence of unknownVariables(session.env)) session.say(`warning: ${sentence}`)
  const all = (context.workflows ?? workflows).flatMap((workflow) =>
    workflow.workers.map((kind) => ({ workflow, kind })),
  )
  const kinds = all.map(({ kind }) => kind)
  if (kind === undefined) {
    await writeRows(session.output, [kinds.map(({ kind, description }) => ({ kind, description }))])
    return undefined
  }
  const found = all.find((one) => one.kind.kind === kind)
  if (!found) {
    const names = kinds.map((one) => one.kind)
    return refused(`there is no worker ${kind}`, didYouMean(kind, names))
  }
  const { startAlone } = found.kind
  if (startAlone && context.openAlone) {
    const { config } = session
    keepPrivate(config.homeMode)
    const alone = context.openAlone(config)
    await untilStopped(session, await startAlone({ ...alone, config }), alone.log, grace)
    await alone.close()
    return undefined
  }
  const system = await session.system()
  const begin = () => startRoles(system, ['projections'])
  const views = wait ? await whenThere(begin, session) : await begin()
  if (!views) return undefined
  const onNewWork = newsOf(found.workflow, views.onViewChange)
  const started = await found.kind.start(system, { ...workerSettings(system), onNewWork })
  await untilStopped(session, started, system.log, grace)
  await views.stop()
  return undefined
}

const untilStopped = async (
  session: Session,
  started: RunningWorker,
  log: Logger,
  grace: number,
): Promise<void> => {
  using _ = endOnUncaught(log, () => started.stop(0))
  session.say(`${started.name} is at work; Ctrl-C stops it`)
  try {
    await aborted(session.signal)
    if (started.busy() > 0) session.say(`finishing what is under way: ${started.busy()}`)
  } finally {
    await started.stop(grace * SECOND)
  }
  session.say(`${started.name} has stopped`)
}
