import { userInfo } from 'node:os'
import { type RegisterIn, running, type Session } from './context.ts'
import { addExamples } from './examples.ts'
import { addFolder } from './fixity/add.ts'
import { type AddSummary, summaryLines } from './fixity/add-summary.ts'
import { awayFailureOf } from './fixity/away.ts'
import { type CheckScope, type CheckSummary, checkNow } from './fixity/check.ts'
import { checkSentences } from './fixity/check-sentences.ts'
import { freshViews } from './fresh-views.ts'
import { collect, wholeNumber } from './numbers.ts'
import { type CliFailure, refused } from './output/exit-codes.ts'
import { jsonText } from './output/format.ts'
import { plural } from './output/text.ts'

interface AddFlags {
  readonly store?: string
  readonly intervalDays?: number
  readonly lagSeconds?: number
  readonly awaySeconds?: number
  readonly replica?: boolean
  readonly exclude?: readonly string[]
  readonly acceptMoves?: boolean
  readonly actor: string
}

interface CheckFlags extends CheckScope {
  readonly wait?: boolean
  readonly actor: string
}

/** The sub-commands that record or read content. */
export const registerFixity: RegisterIn = (fixity, context) => {
  const me = userInfo().username

  const add = fixity
    .command('add')
    .summary('record a folder of content')
    .description(
      'Walks a tree. Bags (BagIt) and checksum files (*.md5, SHA256SUMS, …) are the record; other files get a first ' +
        'reading as their baseline. Run it again to add what is new: what is recorded stays as it is. Exit code 1 when ' +
        'a manifest says what cannot be used, or names what is not there.',
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
    .option(
      '--away-seconds <n>',
      'how long the folder may be empty, or another one, before its content counts as gone (86400: a day)',
      wholeNumber,
    )
    .option('--replica', 'there is a good second copy to mend from')
    .option(
      '--exclude <pattern>',
      'a name or a path from the root that is not recorded, such as "*.tmp" or "work/cache"; may be repeated. ' +
        'Lines of .fondsignore in the folder, and litter such as .DS_Store, are left out, too, unless a manifest names it',
      collect,
    )
    .option(
      '--accept-moves',
      'what is not there, and has the bytes of one new file alone, is expected at its new name only',
    )
    .option('--actor <name>', 'who adds it', me)
    .action(running(context, addCommand))
  addExamples(add, [
    ['fixity add /srv/archive', 'records everything below it, as the store "archive"'],
    ['fixity add /srv/archive --exclude "*.tmp" --exclude work/cache', 'but for these'],
    ['fixity add ~/bags --store bags --interval-days 60', 'each item is checked within 60 days'],
  ])

  const check = fixity
    .command('check')
    .summary('check now, ahead of the schedule')
    .description(
      'Reads every byte in scope in this process, beside other workers, and tells what is new, missing and moved. Exit code 1 when anything ' +
        'failed, is suspect, moved, or could not be compared; 3 when a store is away.',
    )
    .argument('[store]')
    .option('--prefix <path>', 'only what is below')
    .option('--item <path>', 'only this one')
    .option(
      '--exclude <pattern>',
      'what is not told as new, as of `fixity add`; may be repeated. Lines of .fondsignore and litter are not, either',
      collect,
    )
    .option('--wait', 'stay for last looks that are due later')
    .option('--actor <name>', 'who asks', me)
    .action(running(context, checkCommand))
  addExamples(check, [
    ['fixity check', 'everything'],
    ['fixity check archive --prefix letters/1912/', 'one folder'],
    ['fixity check archive --item letters/1912/03.tif', 'one item'],
  ])
}

const addCommand = async (
  session: Session,
  folder: string,
  flags: AddFlags,
): Promise<CliFailure | undefined> => {
  const system = await session.system()
  // A view that cannot be folded is reported at once: the work would wait for it in vain.
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
  await output.write(output.isTTY ? `${summaryLines(summary).join('\n')}\n` : `${jsonText(summary)}\n`)
  if (output.isTTY)
    session.say(
      `Next: \`fonds fixity check ${summary.store}\` reads every byte; \`fonds start\` keeps checking.`,
    )
  const wrong = whatWasWrong(summary)
  return wrong.length === 0
    ? undefined
    : refused(
        summary.unlisted > 0
          ? `not all was recorded: ${wrong.join(', ')}`
          : `all was recorded, but ${wrong.join(', ')}`,
        'the notes above say which, and why',
      )
}

const checkCommand = async (
  session: Session,
  store: string | undefined,
  { wait, actor, prefix, item, exclude }: CheckFlags,
): Promise<CliFailure | undefined> => {
  const system = await session.system()
  await freshViews(session, system)
  const progress = session.progress('Checking')
  let done = 0
  const scope = {
    ...(store && { store }),
    ...(prefix && { prefix }),
    ...(item && { item }),
    ...(exclude && { exclude }),
  }
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
  const wrong = whatIsWrong(summary)
  const away = awayFailureOf(summary.away, wrong.length > 0 ? `of ${summary.total}, ${wrong.join(', ')}` : '')
  if (away) return away
  return wrong.length === 0
    ? undefined
    : refused(
        `of ${summary.total}, ${wrong.join(', ')}`,
        'see `fonds fixity report` and `fonds query fixity-resolutions --where status=open`',
      )
}

const whatIsWrong = ({
  failed,
  suspect,
  unverified,
  parked,
  unusable,
  moved,
  unlisted,
}: CheckSummary): readonly string[] =>
  thoseThatAre([
    [failed, 'not as recorded'],
    [suspect, 'suspect, often a change on its way'],
    [unverified, 'not compared with anything'],
    [parked, 'not to be checked: they wait for a person'],
    [unusable, 'with recorded checksums that cannot be used'],
    [moved, 'moved as it seems, to other names'],
    [unlisted, 'more things that could not be listed, and may be content'],
  ])

const whatWasWrong = (summary: AddSummary): readonly string[] => {
  const { problems, bags, unusable, missing, absent, moved, unreadable, unlisted } = summary
  const told: readonly (readonly [amount: number, one: string, many: string])[] = [
    [problems, 'thing is wrong with manifests and bags', 'things are wrong with manifests and bags'],
    [bags.incomplete, 'bag is not as RFC 8493 wants it', 'bags are not as RFC 8493 wants them'],
    [
      unusable,
      'item has recorded checksums that cannot be used',
      'items have recorded checksums that cannot be used',
    ],
    [missing, 'item is in a manifest and not there', 'items are in a manifest and not there'],
    [absent, 'item was recorded before and is not there', 'items were recorded before and are not there'],
    [moved, 'item seems to have moved', 'items seem to have moved'],
    [unreadable, 'item could not be read', 'items could not be read'],
    [
      unlisted,
      'thing could not be looked at, and is not recorded',
      'things could not be looked at, and are not recorded',
    ],
  ]
  return told.filter(([amount]) => amount > 0).map((one) => plural(...one))
}

const thoseThatAre = (amounts: readonly (readonly [amount: number, what: string])[]): readonly string[] =>
  amounts.filter(([amount]) => amount > 0).map(([amount, what]) => `${amount} ${what}`)
