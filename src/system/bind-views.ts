import { isSamePlace, placeOf } from '../domain/kernel/event-place.ts'
import { GenerationGone, type ViewStore } from '../ports/view-store.ts'
import { furthestHeld, positionOf } from '../processors/runtime/same-log.ts'
import { orAway } from '../projections/runtime/fold.ts'
import { correct, type LogNow, type Standing, startAnew } from './correct-checkpoint.ts'
import { newestFact } from './newest-fact.ts'
import type { System } from './system.ts'

/**
 * Before anything is folded or followed: checkpoints that are not true of this log are put right. So it is where the
 * address of the event store was changed, and where the log was put back from an older copy, whether it has grown past
 * the checkpoints since or not. Throws `Away`.
 */
export const bindViews = async (system: Pick<System, 'eventStore' | 'viewStore' | 'log'>): Promise<void> => {
  try {
    await bind(system)
  } catch (error) {
    // Another process has put another generation in its place: look again.
    if (!(error instanceof GenerationGone)) throw error
    await bindViews(system)
  }
}

const bind = async ({
  eventStore,
  viewStore,
  log,
}: Pick<System, 'eventStore' | 'viewStore' | 'log'>): Promise<void> => {
  const id = await orAway(eventStore.identity())
  const known = viewStore.foldedLog()
  const standings = standingsIn(viewStore)
  const witnesses = [known?.seen, ...standings.map(({ at }) => at.event)].filter((one) => !!one)
  const isAnother = known !== undefined && known.id !== id
  const now = await look()
  const corrections = standings.flatMap((one) => (isAnother ? startAnew(one) : (correct(one, now) ?? [])))
  const isKnown = !isAnother && known?.seen !== undefined && isSamePlace(now.held, now.newest)
  if (!isKnown || corrections.length > 0)
    viewStore.bindTo({ id, ...(now.newest && { seen: now.newest }) }, corrections)
  const wrong = corrections.filter(({ isWrong }) => isWrong).map(({ generation }) => generation.projection)
  if (wrong.length > 0)
    log.warn(
      { parts: wrong },
      'the log is another one than before, or was put back from an older copy: views of more than it holds are folded anew, and what follows it goes back',
    )

  async function look(): Promise<LogNow> {
    const [last] = await orAway(eventStore.readBack('end', 1))
    const { position: end } = await orAway(eventStore.readAll(last?.position ?? -1n, {}, 1))
    const fact = await newestFact(eventStore)
    const held = isAnother ? undefined : await furthestHeld(eventStore, witnesses)
    return {
      held,
      holdsSeen: known?.seen && BigInt(known.seen.position) <= positionOf(held),
      newest: fact && placeOf(fact),
      lastAt: last?.recordedAt ?? '',
      end,
    }
  }
}

const standingsIn = (viewStore: ViewStore): readonly Standing[] =>
  viewStore.generations().map((generation) => ({ generation, at: viewStore.checkpoint(generation) }))
