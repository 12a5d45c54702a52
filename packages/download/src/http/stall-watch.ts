/** Aborts a request whose server sends nothing, or next to nothing. */
interface StallWatch {
  /** Signal of the request: aborts on a stall, and with the caller's signal. */
  readonly signal: AbortSignal
  readonly hasStalled: boolean
  /** Starts the time, when the request is sent. */
  begin(): void
  received(bytes: number): void
  end(): void
}

/** Fewer bytes than this within `stallMillis` count as a stall. */
const minBytes = 16 * 1024

export const createStallWatch = (signal: AbortSignal, stallMillis: number): StallWatch => {
  const stall = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let sinceRefresh = 0
  return {
    signal: AbortSignal.any([signal, stall.signal]),
    get hasStalled() {
      return stall.signal.aborted
    },
    begin: () => {
      clearTimeout(timer)
      timer = setTimeout(() => stall.abort(), stallMillis)
    },
    received: (bytes) => {
      sinceRefresh += bytes
      if (sinceRefresh < minBytes) return
      sinceRefresh = 0
      timer?.refresh()
    },
    end: () => clearTimeout(timer),
  }
}
