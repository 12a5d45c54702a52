import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Running, startRoles } from '../../app/roles.ts'
import { waitUntilIdle } from '../../app/wait-until-idle.ts'
import type { Submission } from '../../domain/ingest/submission.ts'
import { batches, jobs } from '../../domain/ingest/views.ts'
import { is, row, rows, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import { objectLines } from '../../projections/ingest/questions/objects.ts'
import { depositorReport } from '../../projections/ingest/questions/report.ts'
import { reportLinesOf } from '../../projections/ingest/questions/report-text.ts'
import { newBatch, submitBatch } from '../../workers/ingest/submit/submit.ts'
import { askCommand } from '../ask-command.ts'
import { historyLines } from '../history-lines.ts'
import { writeRows } from '../output/format.ts'
import { bytes as inWords } from '../output/text.ts'
import { untilDone } from '../until-done.ts'
import type { DemoContext } from './context.ts'
import { bringForgotten, makeDeposit } from './deposit.ts'

/** A bag and a manifest with one bad row are submitted; the row is put right. Returns what to do next. */
export const ingestStory = async (context: DemoContext): Promise<readonly string[]> => {
  const { system, title, say, call } = context
  const root = join(system.config.home, 'deposit')
  const roles = await startRoles(system, ['processors', 'reactions', 'projections', 'workers'])
  const work: Work = { ...context, roles }
  try {
    await title('A submission: a bag, and a manifest with one bad row')
    const { bag, manifest } = await makeDeposit(root)
    await say(
      'Ada Brandt submits her diary as a bag, and three letters by a manifest. The third letter is not there.\n',
    )
    const diary = await submit(work, bag, 'bag', { localIds: ['diary'], description: { what: 'Diary' } })
    const letters = await submit(work, manifest, 'single-file-batch-manifest')
    await untilReported(work, 1, diary, letters)
    await showReport(work, diary)
    await say()
    await showReport(work, letters)

    await title('The letter comes after all: its job is resumed where it failed')
    await bringForgotten(root)
    const [resumed] = await resumeFailed(work, letters)
    await showReport(work, letters)

    await title('What is stored, and everything that ever happened to the diary')
    await showObjects(work)
    const ark = row(system.viewStore, jobs, is('batch', diary))?.ark ?? ''
    for (const line of await historyLines(system, ark)) await say(line)
    return [
      `The objects are in ${join(system.config.home, 'storage')}, which any program that knows OCFL can read. Ask for one, or why a job failed at first:`,
      `  ${call} ingest object diary`,
      `  ${call} history ${resumed}`,
      `  ${call} ingest report ${letters} --html letters.html`,
    ]
  } finally {
    await roles.stop()
  }
}

interface Work extends DemoContext {
  readonly roles: Running
}

const actor = 'demo'

/** Returns the public id of the batch. */
const submit = async (
  { system }: Work,
  path: string,
  type: NonNullable<Submission['payload']['type']>,
  extra: Pick<Submission, 'localIds' | 'description'> = {},
): Promise<string> => {
  const batch = newBatch(undefined)
  const payload = { url: pathToFileURL(path).href, type }
  const submission: Submission = {
    profile: 'default',
    submitter: 'Ada Brandt',
    mode: 'add',
    payload,
    ...extra,
  }
  await submitBatch(system, batch, submission, 'fonds://demo')
  return batch
}

/** Until so many reports of each batch are saved, and nothing goes on. Views show a command a moment later. */
const untilReported = async (
  { system, roles, signal }: Work,
  reports: number,
  ...ids: readonly string[]
): Promise<void> => {
  const { viewStore, clock } = system
  const isReported = (id: string): boolean => {
    const [found] = rowsIfFolded(viewStore, batches, { where: [is('batch', id)] })
    return found?.reports === reports && (found.state === 'completed' || found.state === 'failed')
  }
  const poll = () => ({ isDone: ids.every(isReported) })
  await untilDone(roles, poll, { clock, signal })
  await waitUntilIdle(system)
}

/** Returns the jobs that had failed. */
const resumeFailed = async (work: Work, batch: string): Promise<readonly number[]> => {
  const { system } = work
  const failed = rows(system.viewStore, jobs, { where: [is('batch', batch), is('state', 'failed')] })
  for (const { job } of failed)
    await askCommand(system, 'ingest.resume-job', { job }, { actor, reason: 'the letter is there now' })
  await untilAllCompleted(work, batch)
  await askCommand(system, 'ingest.update-report', { batch }, { actor, reason: 'all is put right' })
  await untilReported(work, 2, batch)
  return failed.map(({ job }) => job)
}

/** A batch whose troubleshooting has ended gets a new report. */
const untilAllCompleted = async ({ system, roles, signal }: Work, batch: string): Promise<void> => {
  const { viewStore, clock } = system
  const poll = () => {
    const all = rows(viewStore, jobs, { where: [is('batch', batch)] })
    return { isDone: all.every(({ state }) => state === 'completed') }
  }
  await untilDone(roles, poll, { clock, signal })
  await waitUntilIdle(system)
}

const showReport = async ({ system, say }: Work, id: string): Promise<void> => {
  const batch = row(system.viewStore, batches, is('batch', id))
  const report = batch && depositorReport(system.viewStore, batch, { limit: shown })
  for (const line of report ? reportLinesOf(report) : []) await say(line)
}

const showObjects = async ({ system, output }: Work): Promise<void> => {
  const objects = objectLines(system.viewStore, { limit: shown, offset: 0 })
  const table = objects.map(({ object, localIds, title, version, files, bytes }) => ({
    object,
    'local id': localIds.join(', '),
    title,
    version,
    files,
    size: inWords(bytes ?? 0),
  }))
  await writeRows(output, [table], { format: 'table' })
}

const shown = 100
