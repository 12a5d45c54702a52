import { isLeft } from 'fp-ts/lib/Either.js'
import { type GroupsTakenAlong, takeGroupsAlong } from '../../app/migrate/take-groups-along.ts'
import { type PlacesTakenAlong, takePlacesAlong } from '../../app/migrate/take-places-along.ts'
import { type Migrated, type MigrationFailure, migrate } from '../../app/migrate.ts'
import {
  eventStoreDbForm,
  hiddenAddress,
  isEventStoreDbAddress,
  withoutLogin,
} from '../../domain/kernel/server-address.ts'
import type { StoredEvent } from '../../domain/kernel/stored-event.ts'
import type { Session } from '../context.ts'
import { type CliFailure, refused, usage } from '../output/exit-codes.ts'
import { jsonText } from '../output/format.ts'
import type { Progress } from '../output/progress.ts'
import { bytes, plural } from '../output/text.ts'

interface MigrateOptions {
  readonly to: string
}

export const run = async (session: Session, { to }: MigrateOptions): Promise<CliFailure | undefined> => {
  if (!isEventStoreDbAddress(to) && !/^sqlite:./.test(to))
    return usage(
      `--to ${hiddenAddress(to)} is no address of a log`,
      `write it as ${eventStoreDbForm}; or as sqlite:<file>`,
    )
  const { eventStore } = session.config
  if (eventStore === to)
    return refused(
      `the log is at ${withoutLogin(to)} already`,
      'give the log to copy with --event-store, and another one with --to',
    )
  const system = await session.system()
  const target = await system.openEventStore(to)
  let progress: Progress | undefined
  let step: 'copy' | 'verify' = 'copy'
  let total = 0
  try {
    const result = await migrate(system.eventStore, target, {
      categories: system.workflows.flatMap(({ eventSets }) => eventSets.map(({ category }) => category)),
      signal: session.signal,
      onStart: (events) => {
        total = events
        progress = session.progress('Copying', { total })
      },
      onProgress: (now, events) => {
        if (now !== step) {
          progress?.done()
          progress = session.progress('Comparing', { total })
          step = now
        }
        progress?.advance(events)
      },
    })
    progress?.done()
    progress = undefined
    if (isLeft(result)) return whyNot(result.left)
    // If the source has grown meanwhile, the groups may be past messages whose events were not copied.
    const { more, counterpart } = result.right
    const taken = more
      ? undefined
      : {
          places: await takePlacesAlong(system, target, counterpart),
          groups: await takeGroupsAlong(system, target),
        }
    const { output } = session
    await output.write(
      output.isTTY
        ? inPlainWords(result.right, taken, to)
        : `${jsonText({ ...forPrograms(result.right), ...taken })}\n`,
    )
    return whatIsMissing(result.right)
  } finally {
    progress?.done()
    await target.close()
  }
}

/** State that is transferred with a complete copy. */
interface Taken {
  readonly places: PlacesTakenAlong
  readonly groups: GroupsTakenAlong | undefined
}

const forPrograms = ({ last, counterpart: _, ...rest }: Migrated) => ({
  ...rest,
  events: rest.before + rest.copied,
  ...(last && { upTo: { position: last.position, recordedAt: last.recordedAt } }),
})

/** Returns a failure that names the streams that could not be copied; undefined if there are none. */
const whatIsMissing = ({ cut }: Migrated): CliFailure | undefined =>
  cut.length === 0
    ? undefined
    : refused(
        `${plural(cut.length, 'stream')} of which the first events are gone ($maxCount) cannot be copied: ${named(cut)}`,
        'what is left of them stays in the old log alone: keep its file; all else was copied',
      )

const maxNamed = 20

const named = (streams: readonly string[]): string =>
  streams.length > maxNamed
    ? `${streams.slice(0, maxNamed).join(', ')} and ${streams.length - maxNamed} more`
    : streams.join(', ')

const inPlainWords = (migrated: Migrated, taken: Taken | undefined, to: string): string => {
  const { before, copied, rewritten, leftOut, deleted, last, more, cut, metadata } = migrated
  const same = cut.length > 0 ? 'of all streams but those that were cut, both logs' : 'both logs'
  const lines = [
    `${plural(copied, 'event')} copied${before > 0 ? `, ${plural(before, 'event')} were there before` : ''}; ${same} are the same${
      last ? ` up to position ${last.position} of ${last.recordedAt}` : ': empty'
    }.`,
    ...(metadata > 0
      ? [
          `Metadata of ${plural(metadata, 'stream')} copied; $maxAge counts from now on, as events are new there.`,
        ]
      : []),
    ...(rewritten > 0
      ? [
          `${plural(rewritten, 'event')} copied by an earlier version: the same values, in other bytes, so that a proof of the old log does not hold for them there.`,
        ]
      : []),
    ...(leftOut > 0 ? [`${plural(leftOut, 'event')} that only keep house stayed behind.`] : []),
    ...(deleted > 0 ? [`${plural(deleted, 'stream')} deleted there as here.`] : []),
    ...(taken ? aboutPlaces(taken.places) : []),
    ...(taken?.groups ? inSentences(taken.groups) : []),
    '',
    more
      ? 'More was written meanwhile. Stop what writes (`fonds start`), then run this once more.'
      : 'What now:',
    `  1. Stop every \`fonds\` that writes to this log, and run this once more: it copies what came since.`,
    `  2. Set FONDS_EVENT_STORE=${withoutLogin(to)} (or --event-store), with the same name and password as here.`,
    '  3. Start again. Views are rebuilt from the new log by themselves; the old log stays as it is.',
  ]
  return lines.map((line) => `${line}\n`).join('')
}

const aboutPlaces = ({ moved, inUse }: PlacesTakenAlong): readonly string[] => [
  ...(moved.length > 0
    ? [`${plural(moved.length, 'follower')} (reactions, relay) will go on there where they are here.`]
    : []),
  ...(inUse.length > 0
    ? [`The new log has followers already; the checkpoints of ${inUse.join(' and ')} there were kept.`]
    : []),
]

const inSentences = ({ bound, inUse, others }: GroupsTakenAlong): readonly string[] => [
  ...(bound.length > 0
    ? [
        `${plural(bound.length, 'consumer group')} on Kafka now ${bound.length === 1 ? 'works' : 'work'} for the new log.`,
      ]
    : []),
  ...(inUse.length > 0 ? [`At work, and bound by the next run: ${inUse.join(', ')}.`] : []),
  ...(others.length > 0 ? [`Left as they are, since they work for neither log: ${others.join(', ')}.`] : []),
]

const whyNot = (failure: MigrationFailure): CliFailure => {
  if (failure.kind === 'Conflict')
    return refused(
      `${failure.stream} was written at the target by another writer meanwhile`,
      'only this command may write these streams there: stop what does, then run it again',
    )
  if (failure.kind === 'TooLarge')
    return refused(
      `${nameOf(failure.event)} is larger than the target takes, which is ${bytes(failure.limit)}`,
      "raise the server's limit (MaxAppendSize), then run it again; it continues from here",
    )
  const { here, there } = failure
  if (there === undefined)
    return refused(`${here ? nameOf(here) : 'an event'} was copied, but is not at the target`, missingHint)
  if (here === undefined)
    return refused(`the target holds ${nameOf(there)}, which is not in this log`, differentHint)
  return refused(
    `the target holds other events: where this log has ${nameOf(here)}, it has ${nameOf(there)}`,
    differentHint,
  )
}

const differentHint =
  'migrate needs a target without events in these categories, or with a part of its own copy'
const missingHint = 'was the target changed meanwhile? Run it again to see where they differ'

const nameOf = ({ type, stream, revision, id }: StoredEvent): string =>
  `${type} ${id} (${stream} at ${revision})`
