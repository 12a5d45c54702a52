/** The answer to a request, as c2sp.org/tlog-witness has it. */
export interface WitnessReply {
  readonly status: 200 | 400 | 403 | 404 | 409 | 422
  readonly contentType: 'text/plain; charset=utf-8' | 'text/x.tlog.size'
  /** 200: lines of cosignatures. 409: the size that was cosigned last. Else a sentence. */
  readonly body: string
}

/** The archive's own witness. */
export interface OpenedWitness extends Witness {
  /** Its public keys as people hand them on. */
  readonly keys: readonly string[]
  /** Origins of the logs that it cosigns. */
  readonly origins: readonly string[]
}

/** A head that a log signed and that was not shown to follow from the one that was cosigned before. */
export interface Evidence {
  readonly origin: string
  /** ISO 8601. */
  readonly at: string
  readonly reason: string
  /** Two signed heads of one size with two roots: no honest log has them. */
  readonly isFork: boolean
  /** The signed head that was cosigned last; undefined: none was. */
  readonly cosigned: string | undefined
  /** The signed head that was not cosigned. */
  readonly refused: string
}

/** Cosigns what other archives' logs grew to, and nothing else: one history a log, for ever. */
export interface Witness {
  /** Never rejects for what is sent; rejects with `UnavailableError` where its state cannot be kept: then nothing is cosigned. */
  addCheckpoint(body: Uint8Array): Promise<WitnessReply>
  /** The newest cosigned checkpoint of a log. `originHash`: SHA-256 of the origin in lower-case hex. */
  checkpoint(originHash: string): string | undefined
  /** Newest first: all forks, and the last of the others. */
  evidence(): readonly Evidence[]
  close(): Promise<void>
}

export interface WitnessAnswer {
  readonly status: number
  readonly body: string
}

/** Posts a text. Rejects with `UnavailableError` where nobody answers in time, or more than an answer can be. */
export type PostCheckpoint = (url: string, body: string, signal: AbortSignal) => Promise<WitnessAnswer>
