import type { Writable } from 'node:stream'

/** Where a command's result goes: standard output, or a test's stream. */
export interface Output {
  /** It is a terminal. */
  readonly isTTY: boolean
  /** Columns of the terminal, now; undefined in a pipe. */
  width(): number | undefined
  readonly colour: boolean
  /** Aborts when the reader has gone away (`fonds events | head`): stop producing, there is no error. */
  readonly closed: AbortSignal
  /** Resolves when the reader has room for more, or is gone. Rejects where the text could not be written. */
  write(text: string): Promise<void>
}

export const outputTo = (
  stream: Writable & { readonly isTTY?: boolean; readonly columns?: number },
  environment: Readonly<Record<string, string | undefined>> = {},
): Output => {
  const closed = new AbortController()
  const isTTY = stream.isTTY === true
  // Each failed write rejects for its caller. Without a listener it would end the process as well.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (isReaderClosed(error)) closed.abort()
  })
  return {
    isTTY,
    width: () => (isTTY ? stream.columns : undefined),
    colour: wantsColour(isTTY, environment),
    closed: closed.signal,
    write: (text) =>
      new Promise((resolve, reject) => {
        if (closed.signal.aborted) return resolve()
        stream.write(text, (error) => {
          if (!error) return resolve()
          if (!isReaderClosed(error)) return reject(error)
          closed.abort()
          resolve()
        })
      }),
  }
}

/** NO_COLOR wins over FORCE_COLOR, which is for readers that understand colour without being a terminal. */
export const wantsColour = (isTTY: boolean, { NO_COLOR, FORCE_COLOR, TERM }: NodeJS.ProcessEnv): boolean => {
  if (NO_COLOR) return false
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '') return FORCE_COLOR !== '0'
  return isTTY && TERM !== 'dumb'
}

const isReaderClosed = (error: NodeJS.ErrnoException): boolean =>
  error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED'
