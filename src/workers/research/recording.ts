/** What a researcher works with: media that was fetched once, decoded once, and lies on disk as samples. */
export interface Recording {
  /** Raw PCM on disk: signed 16-bit little-endian, mono, at `rate`. */
  readonly path: string
  readonly rate: number
  readonly samples: number
  /** Nanoseconds, of the media as decoded. */
  readonly duration: number
  /** SHA-256 of the media file, lower-case hex. */
  readonly hash: string
}

export interface MediaAddress {
  readonly uri: string
  /** By the curator's word; the bytes are looked at. */
  readonly type: string
}

export interface Hold {
  readonly signal: AbortSignal
  /** Call it whenever there is progress: what shows none for long is taken for hung. */
  readonly progress: () => void
}

/** Fetches and decodes; keeps what it has, so that the next item on the same episode costs nothing (X12). */
export interface Recordings {
  /**
   * Throws `MediaFailure`, and whatever the signal aborts with. Two callers that want the same share one fetch. Until the
   * signal aborts the recording is in use, and not removed.
   */
  open(media: MediaAddress, hold: Hold): Promise<Recording>
  /** True when `open` would not fetch. */
  has(media: MediaAddress): boolean
  close(): Promise<void>
}

/** The media cannot be had or read: a fact to report, not a bug. The message names the address and what to do. */
export class MediaFailure extends Error {
  override readonly name = 'MediaFailure'
  readonly stage: 'download' | 'decode'

  constructor(stage: 'download' | 'decode', message: string, options?: ErrorOptions) {
    super(message, options)
    this.stage = stage
  }
}
