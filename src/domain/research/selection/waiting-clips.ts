import { addMillis, SECOND } from '../../kernel/time.ts'
import type { Policy } from '../desk/policy.ts'
import type { Timed } from './deadlines.ts'

type Batching = Pick<Policy, 'batchClips' | 'batchSeconds'>

/**
 * New clips wait for one another, since each time any become ready every episode is to be fetched again. They are let go
 * together: when so many wait, when the first has waited so long, or when a person says so.
 */
export class WaitingClips implements Timed {
  queued: string | undefined
  /** In the order of the log. */
  readonly clips = new Set<number>()
  /** When the first of them came; of no meaning while there is none. */
  since = ''
  readonly #policy: () => Batching
  readonly #release: (clips: readonly number[]) => void

  constructor(policy: () => Batching, release: (clips: readonly number[]) => void) {
    this.#policy = policy
    this.#release = release
  }

  due(): string | undefined {
    return this.clips.size > 0 ? addMillis(this.since, this.#policy().batchSeconds * SECOND) : undefined
  }

  /** Those that have waited by then are let go, and those that are enough. */
  pass(now: string): void {
    const due = this.due()
    if (due !== undefined && (due <= now || this.clips.size >= this.#policy().batchClips)) this.release()
  }

  /** Who had waited by then does not wait for this one: the log says the same whenever it is read. */
  add(clip: number, at: string): void {
    this.pass(at)
    if (this.clips.size === 0) this.since = at
    this.clips.add(clip)
    this.pass(at)
  }

  release(): void {
    const clips = [...this.clips]
    this.clips.clear()
    this.#release(clips)
  }
}
