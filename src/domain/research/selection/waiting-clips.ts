import { addMillis, SECOND } from '../../kernel/time.ts'
import type { Policy } from '../policy/policy.ts'
import type { Timed } from './deadlines.ts'

type Batching = Pick<Policy, 'batchClips' | 'batchSeconds'>

/**
 * New clips wait for one another (the batching policy), since each time any become ready every episode is fetched again.
 * They are released together: when enough wait, when the first has waited long enough, or by a person.
 */
export class WaitingClips implements Timed {
  queued: string | undefined
  /** In the order of the log. */
  readonly clips = new Set<number>()
  /** When the first of them came; meaningless while there is none. */
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

  /** Releases them where they have waited long enough, or are enough. */
  pass(now: string): void {
    const due = this.due()
    if (due !== undefined && (due <= now || this.clips.size >= this.#policy().batchClips)) this.release()
  }

  /** Clips that had waited long enough by then do not wait for this one: so it is the same whenever the log is read. */
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
