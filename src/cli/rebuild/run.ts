import { bindViews } from '../../app/bind-views.ts'
import { createExaminations, type Examined, whyHeld } from '../../app/proof/check/examine-log.ts'
import { holdViews } from '../../app/proof/check/hold-views.ts'
import type { System } from '../../app/system.ts'
import { orThrow } from '../../async/unavailable.ts'
import { countIfFolded } from '../../domain/kernel/read-views.ts'
import { SECOND } from '../../domain/kernel/time.ts'
import { policiesOfLog } from '../../projections/retention/policies.ts'
import type { Projection } from '../../projections/runtime/projection.ts'
import { type RebuildReport, rebuild } from '../../projections/runtime/rebuild.ts'
import { projectionsOf } from '../../workflows/workflow-model.ts'
import { didYouMean } from '../closest.ts'
import type { Session } from '../context.ts'
import { freshViews } from '../fresh-views.ts'
import { type CliFailure, refused, usage } from '../output/exit-codes.ts'
import { jsonText } from '../output/format.ts'
import { count, duration, plural } from '../output/text.ts'

interface RebuildOptions {
  readonly all?: boolean
  readonly verify?: boolean
  readonly promote?: boolean
}

export const run = async (
  session: Session,
  name: string | undefined,
  options: RebuildOptions,
): Promise<CliFailure | undefined> => {
  const home = await session.system()
  const projections = projectionsOf(home.workflows)
  const names = projections.map((one) => one.name)
  if (name === undefined && !options.all)
    return usage('which projection?', `name one of ${names.join(', ')}, or give --all`)
  if (name !== undefined && options.all) return usage('give either a projection or --all, not both')
  if (options.promote && !options.verify)
    return usage(
      '--promote is about differences, so it needs --verify',
      'without --verify they always take place',
    )
  const chosen = options.all ? projections : projections.filter((one) => one.name === name)
  if (chosen.length === 0) return refused(`there is no projection ${name}`, didYouMean(name ?? '', names))
  await bindViews(home)
  if (options.verify) await freshViews(session, home, chosen)
  const examine = createExaminations(home, session.signal)
  let [different, ofAll] = [0, 0]
  let found: Examined | undefined
  for (const projection of chosen) {
    const { isEqual, examined } = await rebuildOne(session, home, projection, options, examine)
    if (!isEqual) different++
    if (!isEqual && foldsAll(projection)) ofAll++
    if (examined?.verdict === 'different') found = examined
  }
  if (found) return notSealed(found)
  if (different > 0 && different === ofAll && !options.promote) {
    const removed = (await policiesOfLog(home.eventStore)).reduce((sum, one) => sum + one.removed, 0)
    if (removed > 0)
      return refused(
        `the rows of ${chosen
          .filter(foldsAll)
          .map((one) => one.name)
          .join(
            ', ',
          )} were folded from more events than the log has: ${plural(removed, 'event')} removed by policies so far`,
        'where they were folded before that they must differ: the same without --verify puts those of the log as it is in their place',
      )
  }
  return different === 0
    ? undefined
    : refused(
        `${plural(different, 'projection')} ${different === 1 ? 'differs' : 'differ'} from the log`,
        options.promote
          ? 'the rebuilt views are live now'
          : '--promote puts the rebuilt views in their place',
      )
}

/** An index of the whole log has rows of events that are removed later, too. */
const foldsAll = ({ filter }: Projection): boolean =>
  filter.categories === undefined && filter.types === undefined

const rebuildOne = async (
  session: Session,
  home: System,
  projection: Projection,
  { verify = false, promote = false }: RebuildOptions,
  examine: ReturnType<typeof createExaminations>,
): Promise<{ readonly isEqual: boolean; readonly examined: Examined | undefined }> => {
  const { eventStore, viewStore } = home
  const progress = session.progress(`Rebuilding ${projection.name}`)
  const end = Number(await orThrow(eventStore.head())) + 1
  const started = performance.now()
  let reached = -1n
  let events = 0
  let report: RebuildReport
  const examination = await examine(projection.filter)
  try {
    report = await rebuild(projection, {
      eventStore,
      viewStore,
      verify,
      promote,
      signal: session.signal,
      examination,
      onProgress: (folded) => {
        // Each phase counts its events from 0; positions only grow.
        if (folded.position <= reached) return
        reached = folded.position
        // On a server positions are bytes.
        progress.part(Math.min(1, (Number(reached) + 1) / end))
        progress.advance(Math.max(0, folded.events - events))
        events = Math.max(events, folded.events)
      },
    })
  } finally {
    progress.done()
  }
  const examined = examination.found()
  if (report.held && examined) await holdViews(home, report.held, examined)
  const seconds = (performance.now() - started) / SECOND
  // Where the first views of all wait, none are live.
  const rows = projection.views.reduce((sum, view) => sum + (countIfFolded(viewStore, view) ?? 0), 0)
  const result = {
    projection: projection.name,
    verdict: verdictOf(report),
    rows,
    views: projection.views.length,
    events,
    seconds: Math.round(seconds * 1000) / 1000,
    eventsPerSecond: Math.round(events / Math.max(seconds, 0.001)),
    position: report.position,
    promoted: report.promoted,
    sealed: examined?.verdict ?? ('not compared' as const),
    differences: report.differences.map(({ onlyInFirst, onlyInSecond, ...rest }) => ({
      ...rest,
      onlyLive: onlyInFirst,
      onlyRebuilt: onlyInSecond,
    })),
  }
  const { output } = session
  await output.write(output.isTTY ? inPlainWords(result) : `${jsonText(result)}\n`)
  return { isEqual: report.differences.length === 0, examined }
}

const notSealed = (examined: Examined): CliFailure =>
  refused(
    whyHeld(examined),
    'the live views stay, and the rebuilt ones wait. `fonds proof check` names all differences: put back the log as it was from a ' +
      'backup and rebuild again, or accept it: fonds do proof.accept-differences --actor <you> --reason <why>',
  )

type Verdict = 'equal' | 'different' | 'not compared'

const verdictOf = ({ comparedAt, differences }: RebuildReport): Verdict =>
  comparedAt === undefined ? 'not compared' : differences.length === 0 ? 'equal' : 'different'

const inPlainWords = (result: {
  readonly projection: string
  readonly verdict: Verdict
  readonly rows: number
  readonly views: number
  readonly events: number
  readonly seconds: number
  readonly eventsPerSecond: number
  readonly promoted: boolean
  readonly sealed: Examined['verdict'] | 'not compared'
  readonly differences: readonly {
    readonly view: string
    readonly rows: number
    readonly onlyLive: readonly unknown[]
    readonly onlyRebuilt: readonly unknown[]
  }[]
}): string => {
  const size = `${plural(result.rows, 'row')} in ${plural(result.views, 'view')}`
  const verdict = {
    equal: `equal row for row (${size})`,
    different: 'different',
    'not compared': `folded anew (${size})`,
  }[result.verdict]
  const sealed = {
    same: "; the sealed events among them are as the tree's entries say",
    different: '; the log is not what was sealed, so the live views stay',
    accepted: '; the log is not what was sealed, and a person accepted that',
    'not compared': '',
  }[result.sealed]
  const pace = `${plural(result.events, 'event')} in ${duration(result.seconds * SECOND)}, ${count(result.eventsPerSecond)}/s`
  const differences = result.differences.flatMap(({ view, rows, onlyLive, onlyRebuilt }) => [
    `  ${view}: ${plural(rows, 'row')} not the same, such as`,
    ...onlyLive.map((row) => `    live     ${jsonText(row)}`),
    ...onlyRebuilt.map((row) => `    rebuilt  ${jsonText(row)}`),
  ])
  return [`${result.projection}: ${verdict}; ${pace}${sealed}`, ...differences]
    .map((line) => `${line}\n`)
    .join('')
}
