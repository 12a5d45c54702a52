import { RejectedError } from '../ask-command.ts'
import type { Session } from '../context.ts'
import { freshViews } from '../fresh-views.ts'
import { type CliFailure, refused, usage } from '../output/exit-codes.ts'
import { jsonText } from '../output/format.ts'
import { awayFailureOf } from './away.ts'
import { type CheckScope, type CheckSummary, checkNow } from './check.ts'
import { checkSentences } from './check-sentences.ts'
import { estimateCheck, estimateLines, estimateRequests } from './estimate.ts'
import { rootOfStore, withInventory } from './inventory.ts'
import { runCheckVersion } from './run-check-version.ts'

interface CheckFlags extends Omit<CheckScope, 'inventory'> {
  /** Address or path of the manifest of an inventory. */
  readonly inventory?: string
  readonly wait?: boolean
  /** A version of `item`, which may not be the current one. */
  readonly versionId?: string
  /** Nothing is checked. */
  readonly estimate?: boolean
  readonly actor: string
}

export const run = async (
  session: Session,
  store: string | undefined,
  { wait, estimate, actor, prefix, item, exclude, inventory: manifest, versionId }: CheckFlags,
): Promise<CliFailure | undefined> => {
  if (versionId !== undefined) {
    if (store === undefined || item === undefined)
      return usage('--version-id is of one item: name the store, and the item with --item')
    return runCheckVersion(session, { store, path: item, versionId }, actor)
  }
  const system = await session.system()
  await freshViews(session, system)
  const scope = {
    ...(store && { store }),
    ...(prefix && { prefix }),
    ...(item && { item }),
    ...(exclude && { exclude }),
  }
  const { output } = session
  if (manifest !== undefined && item !== undefined)
    throw new RejectedError(
      '--inventory tells what is new and missing, and --item checks one item: leave out one',
    )
  const root = manifest === undefined ? '' : rootOfStore(system, store)
  if (estimate) {
    const found = estimateCheck(system, scope, manifest)
    await output.write(output.isTTY ? `${estimateLines(found).join('\n')}\n` : `${jsonText(found)}\n`)
    return undefined
  }
  const estimated = estimateRequests(system, scope, manifest)
  const summary = await withInventory(session, system, { root, manifest }, async (inventory) => {
    const progress = session.progress('Checking')
    let done = 0
    const checked: CheckSummary = await checkNow(
      system,
      { ...scope, inventory },
      { actor, wait: wait === true, signal: session.signal },
      (step) => {
        progress.total(step.total)
        progress.advance(Math.max(0, step.done - done))
        done = Math.max(done, step.done)
      },
    )
    progress.done()
    return { ...checked, ...(estimated && { estimated }) }
  })
  await output.write(output.isTTY ? `${checkSentences(summary).join('\n')}\n` : `${jsonText(summary)}\n`)
  const wrong = whatIsWrong(summary)
  const away = awayFailureOf(summary.away, wrong.length > 0 ? `of ${summary.total}, ${wrong.join(', ')}` : '')
  if (away) return away
  return wrong.length === 0
    ? undefined
    : refused(`of ${summary.total}, ${wrong.join(', ')}`, nextFor(wrong, summary))
}

const nextFor = (wrong: readonly string[], { heldBack: [first] }: CheckSummary): string =>
  first && wrong.length === 1
    ? `\`fonds start\`, or another check, goes on with them at ${first.goesOnAt}`
    : '`fonds fixity findings` lists what is to be settled, and `fonds fixity report` counts all'

const whatIsWrong = ({
  failed,
  suspect,
  unverified,
  parked,
  unusable,
  moved,
  unlisted,
  heldBack,
  bags,
}: CheckSummary): readonly string[] =>
  thoseThatAre([
    [failed, 'not as recorded'],
    [suspect, 'suspect, often a change on its way'],
    [unverified, 'not compared with anything'],
    [parked, 'not to be checked: they wait for a person'],
    [unusable, 'with recorded checksums that cannot be used'],
    [moved, 'moved as it seems, to other names'],
    [bags?.notValid ?? 0, bags?.notValid === 1 ? 'bag that is not valid' : 'bags that are not valid'],
    [unlisted, 'more things that could not be listed, and may be content'],
    [
      heldBack.reduce((sum, { items }) => sum + items, 0),
      'not checked yet: the byte budget of the day is used up',
    ],
  ])

const thoseThatAre = (amounts: readonly (readonly [amount: number, what: string])[]): readonly string[] =>
  amounts.filter(([amount]) => amount > 0).map(([amount, what]) => `${amount} ${what}`)
