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
  /**
   * Resolves when the reader has room for more, or is gone. Rejects where the text could not be written. Personal values take the
   * place of their references, but in what is written `as stored`: XML, HTML, documents.
   */
  write(text: string, form?: 'as stored'): Promise<void>
  /** The value with personal values in the place of their references. */
  readable<A>(value: A): Promise<A>
}

/** How references of personal values are shown. */
export interface Readable {
  lines(text: string): Promise<string>
  value<A>(value: A): Promise<A>
}

/** Quick: true for each value that has a reference in it. */
export const mayHoldPersonal = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.includes('personal:')
    : typeof value === 'object' && value !== null && Object.values(value).some(mayHoldPersonal)

export const outputTo = (
  stream: Writable & { readonly isTTY?: boolean; readonly columns?: number },
  environment: Readonly<Record<string, string | undefined>> = {},
  readable?: Readable,
): Output => {
  const closed = new AbortController()
  const isTTY = stream.isTTY === true
  const put = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      if (closed.signal.aborted) return resolve()
      stream.write(text, (error) => {
        if (!error) return resolve()
        if (!isReaderClosed(error)) return reject(error)
        closed.abort()
        resolve()
      })
    })
  // Each failed write rejects for its caller. Without a listener it would end the process as well.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (isReaderClosed(error)) closed.abort()
  })
  return {
    isTTY,
    width: () => (isTTY ? stream.columns : undefined),
    colour: wantsColour(isTTY, environment),
    closed: closed.signal,
    write: async (text, form) => put(readable && form !== 'as stored' ? await readable.lines(text) : text),
    readable: async (value) => (readable ? readable.value(value) : value),
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
