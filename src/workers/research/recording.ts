import type { Pcm } from '@fonds/sound'
import type { TaskContext } from '../../async/task-context.ts'
import type { Gaps } from '../../domain/research/terms.ts'

/** Media that was fetched and decoded once, and is on disk as samples. */
export interface Recording extends Pcm {
  /** Nanoseconds, of the media as decoded. */
  readonly duration: number
  /** SHA-256 of the media file, lower-case hex. */
  readonly hash: string
  /** Stretches that cannot be decoded: silence, or missing at the end. */
  readonly gaps?: Gaps
}

export interface MediaAddress {
  readonly uri: string
  /** As the curator states it; the decoder determines it by the bytes. */
  readonly type: string
  /** The address was named by a stranger to this machine: it must be public, or on an allowed host. */
  readonly foreign?: boolean
}

/** Fetches and decodes media, and caches it: the next item on the same episode costs nothing (X12). */
export interface Recordings {
  /**
   * Throws `MediaFailure`, `NoRoom`, and the reason of the signal. Callers of the same media share one fetch. The
   * recording is in use, and not evicted, until the signal aborts.
   */
  open(media: MediaAddress, context: TaskContext): Promise<Recording>
  /** True if `open` would not fetch. */
  has(media: MediaAddress): boolean
  close(): Promise<void>
}

/** The media cannot be fetched or read, which is to be reported. The message names the address and the remedy. */
export class MediaFailure extends Error {
  override readonly name = 'MediaFailure'
  readonly stage: 'download' | 'decode'

  constructor(stage: 'download' | 'decode', message: string, options?: ErrorOptions) {
    super(message, options)
    this.stage = stage
  }
}
