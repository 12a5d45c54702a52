import type { RecordedEvent } from '../../kernel/event.ts'
import type { Readings } from '../capacity.ts'
import type { Policy } from '../desk/policy.ts'
import type { Board, Choice, Explanation, LeaseTerms, Outlook, PairReason } from './board.ts'
import { copyState, readState, stateParts } from './board-snapshot.ts'
import { BoardState } from './board-state.ts'
import { explainEpisode, explainPair } from './explain.ts'
import { fold } from './fold.ts'
import { outlook } from './outlook.ts'
import { select, upcoming } from './select.ts'

/** An empty board. */
export const createBoard = (): Board => new StatefulBoard(new BoardState())

/** For a snapshot, without what is only held. Bytes that `readBoard` takes; the board must not change while they are read. */
export const boardParts = (board: Board): Generator<Uint8Array> => {
  if (!(board instanceof StatefulBoard)) throw new Error('Only a board that createBoard made has parts')
  return stateParts(board.state)
}

/** Undefined where the bytes are of another format, or damaged: the board is to be folded anew. */
export const readBoard = (bytes: Uint8Array): Board | undefined => {
  const state = readState(bytes)
  return state && new StatefulBoard(state)
}

class StatefulBoard implements Board {
  readonly state: BoardState

  constructor(state: BoardState) {
    this.state = state
  }

  fold(event: RecordedEvent): string | undefined {
    return fold(this.state, event)
  }

  advance(now: string): void {
    if (now <= this.state.now) return
    this.state.now = now
    this.state.deadlines.advance(now)
  }

  readings(): Readings {
    return { researchers: this.state.presence.count, queued: this.state.leases.waiting }
  }

  paused(): boolean {
    return this.state.paused
  }

  policy(): { readonly version: number; readonly policy: Policy } {
    const { version, policy } = this.state
    return { version, policy }
  }

  select(): Choice | undefined {
    return select(this.state)
  }

  hold({ lease, episode, clips, deadline, notAfter }: LeaseTerms): void {
    const { state } = this
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
    this.state.leases.unhold(lease)
  }

  nextChange(): string | undefined {
    return this.state.deadlines.next()
  }

  explain(episode: string): Explanation {
    return explainEpisode(this.state, episode)
  }

  explainPair(episode: string, clip: string): readonly PairReason[] {
    return explainPair(this.state, episode, clip)
  }

  upcoming(most: number): readonly Choice[] {
    return upcoming(this.state, most)
  }

  outlook(): Outlook {
    return outlook(this.state)
  }

  under(policy: Policy): Board {
    const copy = copyState(this.state)
    copy.setPolicy(copy.version + 1, policy, copy.now)
    return new StatefulBoard(copy)
  }

  size() {
    const { episodes, clips, pairs, leases } = this.state
    return {
      episodes: episodes.all.length,
      clips: clips.all.length,
      researched: pairs.researched,
      leases: leases.live,
    }
  }
}
