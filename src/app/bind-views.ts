import { GenerationMissing } from '../async/errors.ts'
import { furthestHeld, positionOf } from '../async/same-log.ts'
import { orThrow } from '../async/unavailable.ts'
import { type EventPlace, isSamePlace, placeOf } from '../domain/kernel/event-place.ts'
import type { ViewStore } from '../ports/view-store.ts'
import { correct, type LogNow, type Standing, startAgain } from './correct-checkpoint.ts'
import { newestFact } from './newest-fact.ts'
import type { System } from './system.ts'

/**
 * Corrects checkpoints that are not of this log, before anything is folded. They are not where the address of the event
 * store was changed, and where the log was put back from an older copy, even if it has grown past the checkpoints since.
 * Throws `UnavailableError`.
 */
export const bindViews = async (system: Pick<System, 'eventStore' | 'viewStore' | 'log'>): Promise<void> => {
  try {
    await bind(system)
  } catch (error) {
    // Another process switched a generation meanwhile: once more.
    if (!(error instanceof GenerationMissing)) throw error
    await bindViews(system)
  }
}

const bind = async ({
  eventStore,
  viewStore,
  log,
}: Pick<System, 'eventStore' | 'viewStore' | 'log'>): Promise<void> => {
  const id = await orThrow(eventStore.identity())
  const known = viewStore.foldedLog()
  const standings = standingsIn(viewStore)
  const witnesses = [...(known?.seen ?? []), ...standings.map(({ at }) => at.event)].filter((one) => !!one)
  const isAnother = known !== undefined && known.id !== id
  const now = await readLog()
  const corrections = standings.flatMap((one) => (isAnother ? startAgain(one) : (correct(one, now) ?? [])))
  const seen = seenNow(known?.seen ?? [], now)
  if (known?.id !== id || corrections.length > 0 || !isSamePlace(known.seen.at(-1), seen.at(-1)))
    viewStore.bindTo({ id, seen }, corrections)
  const wrong = corrections.filter(({ isWrong }) => isWrong).map(({ generation }) => generation.projection)
  if (wrong.length > 0)
    log.warn(
      { parts: wrong },
      'the log was replaced, or restored from an older copy; rebuilding views that reach beyond its end, moving checkpoints back',
    )

  async function readLog(): Promise<LogNow> {
    const [last] = await orThrow(eventStore.readBack('end', 1))
    const lastAt = last?.position ?? -1n
    const isBehind = standings.some(({ at }) => at.position > lastAt)
    const end = isBehind ? (await orThrow(eventStore.readAll(lastAt, {}, 1))).position : lastAt
    const fact = await newestFact(eventStore)
    const held = isAnother ? undefined : await furthestHeld(eventStore, witnesses)
    const lastSeen = known?.seen.at(-1)
    return {
      held,
      holdsSeen: lastSeen && BigInt(lastSeen.position) <= positionOf(held),
      newest: fact && placeOf(fact),
      lastTime: last?.recordedAt ?? '',
      end,
    }
  }
}

const maxSeen = 64

/** Events noted to find out how far the log was put back, if it was: the older, the further apart. */
const seenNow = (
  before: readonly EventPlace[],
  { held, newest }: Pick<LogNow, 'held' | 'newest'>,
): readonly EventPlace[] => {
  const still = before.filter(({ position }) => BigInt(position) <= positionOf(held))
  if (!newest || isSamePlace(still.at(-1), newest)) return still
  const all = [...still, newest]
  return all.length <= maxSeen ? all : all.filter((_, n) => n % 2 === 0 || n >= maxSeen / 2)
}

const standingsIn = (viewStore: ViewStore): readonly Standing[] =>
  viewStore.generations().map((generation) => ({ generation, at: viewStore.checkpoint(generation) }))
