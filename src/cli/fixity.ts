import { userInfo } from 'node:os'
import { type Command, Option } from 'commander'
import { reportPage } from '../api/report-page.ts'
import { fixity as fixityProjection } from '../projections/fixity/projection.ts'
import { fixityReport, type ReportScope } from '../projections/fixity/report.ts'
import { writeForPerson } from '../system/file-modes.ts'
import { type CliContext, running, type Session } from './context.ts'
import { addExamples } from './examples.ts'
import { addFolder } from './fixity/add.ts'
import { summaryLines } from './fixity/add-summary.ts'
import { type CheckScope, type CheckSummary, checkNow } from './fixity/check.ts'
import { checkSentences } from './fixity/check-sentences.ts'
import { reportColumns, reportRows } from './fixity/report-table.ts'
import { freshViews } from './fresh-views.ts'
import { wholeNumber } from './numbers.ts'
import { type CliFailure, refused } from './output/exit-codes.ts'
import { defaultFormat, type Format, formats, jsonText, writeRows } from './output/format.ts'
import { visible } from './output/text.ts'

interface AddFlags {
  readonly store?: string
  readonly intervalDays?: number
  readonly lagSeconds?: number
  readonly replica?: boolean
  readonly actor: string
}

interface CheckFlags extends CheckScope {
  readonly wait?: boolean
  readonly actor: string
}

interface ReportFlags extends ReportScope {
  readonly format?: Format
  readonly html?: string
}

export const registerFixity = (program: Command, context: CliContext): void => {
  const fixity = program.command('fixity').summary('is the content still what it was?')
  const me = userInfo().username

  const add = fixity
    .command('add')
    .summary('record a folder of content')
    .description(
      'Walks a tree. Bags (BagIt) and checksum files (*.md5, SHA256SUMS, …) are the record; other files get a first ' +
        'reading as their baseline. Run it again to add what is new: what is recorded stays as it is.',
    )
    .argument('<folder>')
    .option('--store <name>', "the store's name; else the folder's")
    .option('--interval-days <n>', 'each item is due again within so many days (90)', wholeNumber)
    .option(
      '--lag-seconds <n>',
      'how long a record of a change may be under way: the wait before a mismatch counts. 0 unless others record ' +
        'changes of this folder too',
      wholeNumber,
    )
    .option('--replica', 'there is a good second copy to mend from')
    .option('--actor <name>', 'who adds it', me)
    .action(running(context, addCommand))
  addExamples(add, [
    ['fixity add /srv/archive', 'records everything below it, as the store "archive"'],
    ['fixity add ~/bags --store bags --interval-days 60', 'each item is checked within 60 days'],
  ])

  const check = fixity
    .command('check')
    .summary('check now, ahead of the schedule')
    .description(
      'Reads every byte in scope in this process, beside other workers. Exit code 1 when anything failed.',
    )
    .argument('[store]')
    .option('--prefix <path>', 'only what is below')
    .option('--item <path>', 'only this one')
    .option('--wait', 'stay for last looks that are due later')
    .option('--actor <name>', 'who asks', me)
    .action(running(context, checkCommand))
  addExamples(check, [
    ['fixity check', 'everything'],
    ['fixity check archive --prefix letters/1912/', 'one folder'],
    ['fixity check archive --item letters/1912/03.tif', 'one item'],
  ])

  const report = fixity
    .command('report')
    .summary('what is verified, failed, late; numbers that add up')
    .argument('[store]')
    .option('--prefix <path>', 'only what is below, a line a folder')
    .option('--html <file>', 'write it as a page to print')
    .addOption(new Option('--format <format>', 'table on a terminal, else ndjson').choices([...formats]))
    .action(running(context, reportCommand))
  addExamples(report, [
    ['fixity report', 'a line a top folder'],
    ['fixity report archive --prefix letters/ --format csv', 'for a spreadsheet'],
    ['fixity report --html report.html', 'a page to print'],
  ])
}

const addCommand = async (
  session: Session,
  folder: string,
  flags: AddFlags,
): Promise<CliFailure | undefined> => {
  const system = await session.system()
  // A view that stands still is told at once; the work would wait for it in vain.
  await freshViews(session, system)
  const progress = session.progress('Recording')
  const summary = await addFolder(
    system,
    folder,
    flags,
    ({ items }) => progress.advance(items),
    session.signal,
  )
  progress.done()
  const { output } = session
  if (!output.isTTY) return void (await output.write(`${jsonText(summary)}\n`))
  await output.write(`${summaryLines(summary).join('\n')}\n`)
  session.say(
    `Next: \`fonds fixity check ${summary.store}\` reads every byte; \`fonds start\` keeps checking.`,
  )
}

const checkCommand = async (
  session: Session,
  store: string | undefined,
  { wait, actor, prefix, item }: CheckFlags,
): Promise<CliFailure | undefined> => {
  const system = await session.system()
  await freshViews(session, system)
  const progress = session.progress('Checking')
  let done = 0
  const scope = { ...(store && { store }), ...(prefix && { prefix }), ...(item && { item }) }
  const summary: CheckSummary = await checkNow(
    system,
    scope,
    { actor, wait: wait === true, signal: session.signal },
    (step) => {
      progress.total(step.total)
      progress.advance(Math.max(0, step.done - done))
      done = Math.max(done, step.done)
    },
  )
  progress.done()
  const { output } = session
  await output.write(output.isTTY ? `${checkSentences(summary).join('\n')}\n` : `${jsonText(summary)}\n`)
  const bad = summary.failed + summary.parked
  return bad === 0
    ? undefined
    : refused(
        `${bad} of ${summary.total} are not as recorded, or could not be checked`,
        'see `fonds fixity report` and `fonds query fixity-resolutions --where status=open`',
      )
}

const reportCommand = async (
  session: Session,
  store: string | undefined,
  { prefix, format, html }: ReportFlags,
): Promise<CliFailure | undefined> => {
  const system = await session.system()
  await freshViews(session, system, [fixityProjection])
  const report = fixityReport(system.viewStore, system.clock.now(), {
    ...(store && { store }),
    ...(prefix && { prefix }),
  })
  if (store && report.stores.length === 0)
    return refused(`there is no store ${visible(store)}`, '`fonds query fixity-stores` lists them')
  if (html !== undefined) {
    writeForPerson(html, reportPage(report))
    session.say(`written to ${html}`)
    return undefined
  }
  await writeRows(session.output, [reportRows(report)], {
    format: format ?? defaultFormat(session.output),
    columns: reportColumns,
  })
  if (!session.output.isTTY) return undefined
  const open = report.resolutions.length
  session.say(
    open === 0
      ? 'nothing is to be settled'
      : `${open} to be settled: fonds query fixity-resolutions --where status=open`,
  )
}
