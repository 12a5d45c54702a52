import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import type { System } from '../../app/system.ts'
import { ensureTopics } from '../../app/topics.ts'
import { orThrow } from '../../async/unavailable.ts'
import { jobStream } from '../../domain/ingest/ids.ts'
import { jobDecider } from '../../domain/ingest/job/decide.ts'
import { type DifferenceKind, describeDifference } from '../../domain/ingest/object/storage.ts'
import { stepsTopic } from '../../domain/ingest/step-messages.ts'
import { objects as objectRows } from '../../domain/ingest/views.ts'
import { plural } from '../../domain/kernel/amounts.ts'
import { isBucketAddress } from '../../domain/kernel/bucket-address.ts'
import { countRows } from '../../domain/kernel/read-views.ts'
import type { ObjectStore } from '../../ports/object-store.ts'
import { identifiers } from '../../processors/ingest/identifiers.ts'
import { refusalSoFar } from '../../processors/ingest/storage-guard.ts'
import type { Row } from '../../projections/runtime/shown.ts'
import { columns } from '../../projections/runtime/shown.ts'
import { cleanStages } from '../../workers/ingest/clean-stages.ts'
import { answeredBy } from '../../workers/ingest/storage/answered-by.ts'
import {
  type ComparedPage,
  compareAside,
  compareHeld,
  compareKnown,
  comparisons,
  type PagesToCompare,
} from '../../workers/ingest/storage/compare-pages.ts'
import { reportOnTopic } from '../../workers/runtime/report-on-topic.ts'
import { ingestContext } from '../../workflows/ingest/context.ts'
import { bringToRest } from '../at-rest.ts'
import type { Session } from '../context.ts'
import { freshViews } from '../fresh-views.ts'
import { type CliFailure, refused } from '../output/exit-codes.ts'
import { writeRows } from '../output/format.ts'

const pageSize = 500

export const run = (session: Session): Promise<CliFailure | undefined> =>
  compareStorage(session, (found) =>
    writeRows(session.output, found, { columns: columns('object', 'what', 'says') }),
  )

/** Before the audit, which lists what the log has then. */
export const runFirst = (session: Session): Promise<CliFailure | undefined> =>
  compareStorage(session, async (found) => {
    for await (const rows of found)
      for (const { object, what, says } of rows) if (what === 'stray') session.say(`${object}: ${says}`)
  })

/** The findings go to the log like a worker's comparison, so that doctor and `ingest audit` show them. */
const compareStorage = async (
  session: Session,
  write: (found: AsyncIterable<readonly Row[]>) => Promise<unknown>,
): Promise<CliFailure | undefined> => {
  const system = await session.system()
  const { config, viewStore } = system
  if (!isBucketAddress(config.ingestStorage) && !existsSync(config.ingestStorage))
    return refused(
      `there is no storage in ${config.ingestStorage}`,
      'FONDS_INGEST_STORAGE says where it is; the running processes have the same',
    )
  const context = ingestContext(system)
  const refusal = await refusalSoFar(context)
  if (refusal !== undefined) return refused(refusal)
  await freshViews(session, system)
  await ensureTopics(system)
  const worker = `ingest-compare@${hostname()}/${process.pid}`
  const { knownObject } = identifiers({ ...system, worker })
  const from = { objects: await context.objectStore(), knownObject, viewStore }
  const progress = session.progress('Comparing storage', { total: 2 * countRows(viewStore, objectRows) })
  let different = 0

  const rows = async function* (): AsyncGenerator<readonly Row[]> {
    await removeStaged(from.objects, system, session)
    const strays = await sweptOf(from.objects, session)
    different += strays.length
    yield strays
    for (const compare of comparisons)
      for await (const page of everyPage(compare, from)) {
        session.signal.throwIfAborted()
        progress.advance(page.compared.length + page.nameless.length)
        const reports = page.compared.flatMap(({ report }) => report ?? [])
        if (reports.length > 0) await reportOnTopic(system, stepsTopic, `fonds://${worker}`, reports)
        const found = rowsOf(page, compare)
        different += found.length
        yield found
      }
    progress.done()
  }
  try {
    await write(rows())
  } finally {
    progress.done()
  }
  await bringToRest(session, system)
  if (different === 0) return void session.say('Storage holds what the log knows, and nothing else.')
  return refused(
    `${plural(different, 'difference')} between storage and log`,
    '`fonds ingest audit` goes on listing them; `fonds do ingest.adopt-versions object=…` takes over what storage holds more, ' +
      '`fonds do ingest.set-aside-versions object=… --confirm` takes it out',
  )
}

/** Those of jobs that go on are no strays. */
const removeStaged = async (
  { stages }: Pick<ObjectStore, 'stages'>,
  { states }: Pick<System, 'states'>,
  session: Session,
): Promise<void> => {
  if (!stages) return
  const job = async (job: number) => (await orThrow(() => states.load(jobDecider, jobStream(job)))).state
  if ((await cleanStages({ stages, job })) > 0)
    session.say('Deleted what jobs that have ended left in storage.')
}

/** Ends what killed processes left in a bucket, and returns what belongs to no object. */
const sweptOf = async (objects: Pick<ObjectStore, 'sweep'>, session: Session): Promise<readonly Row[]> => {
  if (!objects.sweep) return []
  const { writes, uploads, strays } = answeredBy(await objects.sweep()())
  if (writes > 0) session.say(`Finished or removed ${plural(writes, 'write')} of processes that have ended.`)
  if (uploads > 0) session.say(`Gave up ${plural(uploads, 'upload')} that nobody held.`)
  return strays.map((place) => ({
    object: place,
    what: 'stray',
    version: 0,
    file: '',
    says: 'what lies there belongs to no object: its inventory was lost, or another program put it there',
  }))
}

const comparerOf = (what: DifferenceKind): Compare =>
  what === 'copy-without-event' ? compareAside : what === 'event-without-object' ? compareKnown : compareHeld

type Compare = (after: string, limit: number, from: PagesToCompare) => Promise<ComparedPage>

async function* everyPage(compare: Compare, from: PagesToCompare): AsyncGenerator<ComparedPage> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page: ComparedPage = await compare(after, pageSize, from)
    yield page
    after = page.next
  }
}

/**
 * A difference that several comparisons find is reported once: by the scan of storage, except for objects missing in
 * storage, and for copies.
 */
const rowsOf = ({ compared, nameless }: ComparedPage, compare: Compare): readonly Row[] => [
  ...compared.flatMap(({ object, differences }) =>
    differences
      .filter(
        ({ what }) => comparerOf(what) === compare || (what === 'unreadable' && compare !== compareAside),
      )
      .map((one) => ({ object, ...one, says: describeDifference(object, one) })),
  ),
  ...nameless.map((place) => ({
    object: place,
    what: 'unreadable',
    version: 0,
    file: '',
    says: `what lies in ${place} does not say in a readable way which object it is`,
  })),
]
