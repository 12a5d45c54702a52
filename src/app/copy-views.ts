import { orThrow } from '../async/unavailable.ts'
import { NotCaughtUp } from '../async/wait-until.ts'
import { HOUR, MINUTE } from '../domain/kernel/time.ts'
import type { RunningProjections } from '../projections/runtime/runner.ts'
import { projectionsOf } from '../workflows/workflow-model.ts'
import { everyHour, type Hourly } from './every-hour.ts'
import type { System } from './system.ts'

type Copying = Pick<System, 'viewCopies' | 'eventStore' | 'workflows' | 'clock' | 'config' | 'log'>

/** Copies the views once a calendar month, where the setting says that they do not keep all of their past. No failure harms anything else. */
export const startCopying = (
  system: Copying,
  projections: Pick<RunningProjections, 'whenCaughtUp'>,
): Hourly | undefined => {
  const { viewCopies, eventStore, clock, config, log } = system
  const { pastDays, pastCopies } = config
  if (pastDays === undefined) return undefined
  const copy = async (signal: AbortSignal): Promise<void> => {
    const month = clock.now().slice(0, 'yyyy-mm'.length)
    if (pastCopies > 0 && !viewCopies.kept().some((one) => one.month === month)) {
      // Views that are still folded for the first time would make a copy of little use.
      await projections.whenCaughtUp(await orThrow(eventStore.head()), { timeoutMillis: HOUR })
      await viewCopies.make(month, signal)
    }
    for (const one of tooMany(system)) viewCopies.remove(one)
  }
  const tryToCopy = async (signal: AbortSignal): Promise<void> => {
    try {
      await copy(signal)
    } catch (error) {
      if (signal.aborted || error instanceof NotCaughtUp) return
      log.warn(
        { err: error },
        'this month’s copy of the views could not be made: it is tried again in an hour',
      )
    }
  }
  // A command that is soon over copies nothing.
  return everyHour(system, tryToCopy, MINUTE)
}

/** Months of the copies that hold views of a version that is asked now. */
export const monthsOfUse = ({
  viewCopies,
  workflows,
}: Pick<System, 'viewCopies' | 'workflows'>): ReadonlySet<string> => {
  const versions = new Map(projectionsOf(workflows).map(({ name, version }) => [name, version]))
  const found = viewCopies.views().filter(({ projection, version }) => versions.get(projection) === version)
  return new Set(found.map(({ month }) => month))
}

/** Months of the copies to remove: those that are of no use go first; then the log is to be parted as evenly as it can be. */
const tooMany = (system: Copying): readonly string[] => {
  const kept = system.viewCopies.kept().map(({ month }) => month)
  const more = kept.length - system.config.pastCopies
  if (more <= 0) return []
  const used = monthsOfUse(system)
  const gone = kept.filter((month) => !used.has(month)).slice(0, more)
  const left = kept.filter((month) => !gone.includes(month))
  while (gone.length < more) gone.push(...left.splice(leastMissed(left), 1))
  return gone
}

/** Its neighbours are the nearest to each other; the oldest and the newest stay. */
const leastMissed = (months: readonly string[]): number => {
  const between = months.map((_, i) => numberOf(months[i + 1]) - numberOf(months[i - 1])).slice(1, -1)
  return between.indexOf(Math.min(...between)) + 1
}

const numberOf = (month = ''): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5))
