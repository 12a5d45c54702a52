import { presentNodes, whyNotHere } from '../../app/presence.ts'
import { type Running, startRoles } from '../../app/roles.ts'
import type { System } from '../../app/system.ts'
import { waitUntilIdle } from '../../app/wait-until-idle.ts'
import { files } from '../../domain/indexing/views.ts'
import { countRows, is, rows, tally } from '../../domain/kernel/read-views.ts'
import { indexingContext } from '../../workflows/indexing/context.ts'
import { indexPlace } from '../../workflows/indexing/index-place.ts'
import type { Session } from '../context.ts'
import { freshViews } from '../fresh-views.ts'
import { type CliFailure, refused } from '../output/exit-codes.ts'
import { fallingCount } from '../output/falling-count.ts'
import { jsonText } from '../output/format.ts'
import { count, plural } from '../output/text.ts'
import { untilDone } from '../until-done.ts'

export const run = async (session: Session): Promise<CliFailure | undefined> => {
  const system = await session.system()
  await freshViews(session, system)
  // No file would be handed over, and this would wait for it in vain.
  const { mismatch } = await indexPlace(indexingContext(system))
  if (mismatch !== undefined) return refused(mismatch, 'docs/indexing.md, Back up and restore')
  const differs = whyNotHere(system, await presentNodes(system))
  if (differs !== undefined) return refused(differs)
  const before = failures(system)
  const progress = session.progress('Indexing')
  const parts = await startRoles(system, ['processors', 'reactions', 'projections', 'workers'])
  try {
    await waitUntilIdle(system)
    const left = fallingCount(progress)
    const poll = () => {
      const now = open(system)
      left(now)
      return { isDone: now === 0, mark: now }
    }
    await untilDone(parts, poll, { clock: system.clock, signal: session.signal })
    await waitUntilIdle(system)
    await untilTaken(session, system, parts)
  } finally {
    progress.done()
    await parts.stop(0)
  }
  const counts = countsOf(system)
  const { output } = session
  const later = laterSentence(system)
  if (later !== undefined) session.say(later)
  await output.write(output.isTTY ? `${sentence(counts)}\n` : `${jsonText(counts)}\n`)
  const failed = failures(system) - before
  return failed > 0
    ? refused(`${count(failed)} could not be indexed`, '`fonds indexing failed` says why')
    : undefined
}

const patienceMillis = 60_000

/**
 * Waits until the indexed files can be found: through the aggregator of this process, or of another that works on the
 * index.
 */
const untilTaken = async (session: Session, system: System, parts: Running): Promise<void> => {
  const { viewStore, clock, adapters } = system
  const [last] = rows(viewStore, files, { orderBy: [{ column: 'position', descending: true }], limit: 1 })
  const wanted = BigInt(last?.position ?? 0)
  const poll = async () => {
    const reached = await adapters.indexing.captureIndex().position()
    return { isDone: reached >= wanted, mark: `${reached}` }
  }
  const { isDone } = await untilDone(parts, poll, { clock, signal: session.signal, patienceMillis })
  if (!isDone)
    session.say(
      'not all can be found yet: another aggregator has the index, and does not go on; `fonds indexing why <file>`',
    )
}

/** Returns the number of files that are due or held. */
const open = ({ viewStore, clock }: System): number =>
  countRows(viewStore, files, is('queued', 1), { column: 'due', is: '<=', value: clock.now() }) +
  countRows(viewStore, files, { column: 'heldUntil', is: '>=', value: '' })

/** Returns the number of failures of all files that have not succeeded since. */
const failures = ({ viewStore }: System): number =>
  tally(viewStore, files, { by: [], sum: ['failures'] })[0]?.failures ?? 0

/** Files that are to be read, and not yet: whoever has added them and runs this at once must see why nothing comes of it. */
const laterSentence = ({ viewStore, clock }: System): string | undefined => {
  const where = [is('queued', 1), { column: 'due', is: '>', value: clock.now() }] as const
  const waiting = countRows(viewStore, files, ...where)
  const [first] = rows(viewStore, files, { where, orderBy: [{ column: 'due' }], limit: 1 })
  return waiting === 0 || !first
    ? undefined
    : `${plural(waiting, 'file')} ${waiting === 1 ? 'is' : 'are'} not due yet, the first from ${first.due} on: a file is read once it has stood still (FONDS_INDEXING_GRACE_SECONDS), and again a while after a failure`
}

type Counts = Readonly<Record<string, number>>

const countsOf = ({ viewStore }: System): Counts =>
  Object.fromEntries(tally(viewStore, files, { by: ['state'] }).map(({ state, count: n }) => [state, n]))

const sentence = (counts: Counts): string =>
  Object.entries(counts)
    .map(([state, n]) => `${count(n)} ${state}`)
    .join(', ') || 'no file is known: `fonds indexing add <folder>` makes files known'
