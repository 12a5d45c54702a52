import type { RecordedEvent } from '../../kernel/event.ts'
import type { Readings } from '../capacity.ts'
import type { Policy } from '../policy/policy.ts'
import { Bits } from './bits.ts'
import { explainEpisode, explainPair } from './explain.ts'
import { fold } from './fold.ts'
import { copyModel, modelParts, readModel } from './model-snapshot.ts'
import { SchedulerModel } from './scheduler-model.ts'
import type {
  Choice,
  Explanation,
  LeaseTerms,
  Outlook,
  PairReason,
  SchedulerState,
} from './scheduler-state.ts'
import { select, upcoming } from './select.ts'
import { whyIneligible } from './standing.ts'

/** An empty scheduler state. */
export const createSchedulerState = (): SchedulerState => new FoldedSchedulerState(new SchedulerModel())

/**
 * A snapshot, as `readSchedulerState` takes it, without what is only held. The state must not change while the parts are
 * read.
 */
export const schedulerStateParts = (scheduler: SchedulerState): Generator<Uint8Array> => {
  if (!(scheduler instanceof FoldedSchedulerState))
    throw new Error('Only a scheduler state that createSchedulerState made has parts')
  return modelParts(scheduler.model)
}

/** Undefined if the bytes are of another format, or damaged: the state must then be folded again. */
export const readSchedulerState = (bytes: Uint8Array): SchedulerState | undefined => {
  const state = readModel(bytes)
  return state && new FoldedSchedulerState(state)
}

class FoldedSchedulerState implements SchedulerState {
  readonly model: SchedulerModel

  constructor(state: SchedulerModel) {
    this.model = state
  }

  fold(event: RecordedEvent): string | undefined {
    return fold(this.model, event)
  }

  advance(now: string): void {
    if (now <= this.model.now) return
    this.model.now = now
    this.model.deadlines.advance(now)
  }

  readings(): Readings {
    return { researchers: this.model.presence.count, queued: this.model.leases.waiting }
  }

  paused(): boolean {
    return this.model.paused
  }

  policy(): { readonly version: number; readonly policy: Policy } {
    const { version, policy } = this.model
    return { version, policy }
  }

  select(): Choice | undefined {
    return select(this.model)
  }

  hold({ lease, episode, clips, deadline, notAfter }: LeaseTerms): void {
    const { model: state } = this
    state.leases.grant(
      {
        id: lease,
        episode: state.episode(episode),
        clips: clips.map((clip) => state.clip(clip)),
        deadline,
        notAfter,
      },
      true,
    )
  }

  unhold(lease: string): void {
    this.model.leases.unhold(lease)
  }

  nextChange(): string | undefined {
    return this.model.deadlines.next()
  }

  explain(episode: string): Explanation {
    return explainEpisode(this.model, episode)
  }

  explainPair(episode: string, clip: string): readonly PairReason[] {
    return explainPair(this.model, episode, clip)
  }

  upcoming(max: number): readonly Choice[] {
    return upcoming(this.model, max)
  }

  outlook(): Outlook {
    return outlook(this.model)
  }

  under(policy: Policy): SchedulerState {
    const copy = copyModel(this.model)
    copy.setPolicy(copy.version + 1, policy, copy.now)
    return new FoldedSchedulerState(copy)
  }

  size() {
    const { episodes, clips, pairs, leases } = this.model
    return {
      episodes: episodes.all.length,
      clips: clips.all.length,
      researched: pairs.researched,
      leases: leases.live,
    }
  }
}

/** Counted as `select` would choose if nothing changed: waiting clips fill up the last item of an episode. */
const outlook = (model: SchedulerModel): Outlook => {
  const { pairs, policy, excludedCurators } = model
  const waits = new Bits()
  for (const clip of model.clipOrder.waiting()) waits.add(clip)
  const waitingClips = waits.count()
  const found = { items: 0, pairs: 0, waitingPairs: 0 }
  for (const [episode, standing] of model.episodes.all.entries()) {
    if (whyIneligible(standing, excludedCurators).length > 0) continue
    const open = pairs.counted - pairs.closedCount(episode)
    const waiting = waitingClips - waits.common(pairs.closedOf(episode))
    const items = Math.ceil(open / policy.maxClips)
    const along = Math.min(waiting, items * policy.maxClips - open)
    found.items += items
    found.pairs += open + along
    found.waitingPairs += waiting - along
  }
  const until = model.waiting.due()
  return { ...found, waitingClips, ...(until !== undefined && { until }) }
}
