/** A statement that a time-stamping authority signed: these bytes were there at that time (RFC 3161). */
export interface TimeStamp {
  /** The token as it came, DER: it is kept as it is, for a second writing may differ (Q114). */
  readonly token: Uint8Array
  /** ISO 8601 UTC, to the second: authorities write fractions that readers drop. */
  readonly at: string
  /** Name in the certificate that signed it. */
  readonly authority: string
  /** False where its certificate leads to none that is trusted here. */
  readonly isTrusted: boolean
}

export interface TimeStamper {
  /** Asks for a stamp of these bytes. Rejects with `UnavailableError` where the authority gives none: that is tried again later. */
  stamp(bytes: Uint8Array, signal: AbortSignal): Promise<TimeStamp>
}
