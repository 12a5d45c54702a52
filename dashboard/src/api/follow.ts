import { pause } from './pause.ts'

/** What a stream says of itself: `lost` while it tries again. */
export type Connection = 'connecting' | 'live' | 'lost'

export interface Told {
  readonly id: string
  /** Absent: only the place to resume from has moved. */
  readonly data?: unknown
  /** What it is, where the stream tells of several things. */
  readonly type?: string
}

/** Asks for the stream. Rejects where it is refused. */
type Open = (asked: RequestInit) => Promise<Response>

interface Listening {
  readonly signal: AbortSignal
  readonly onTold: (told: readonly Told[]) => void
  readonly onConnection: (connection: Connection) => void
}

/** A server that says nothing for so long is lost: it says every 15 s that it is there. */
const silenceMillis = 40_000
const retryMillis = 1500

/**
 * Follows server-sent events until the signal aborts. After a loss it resumes behind the last id, so that nothing is missed and
 * nothing comes twice. EventSource would neither notice silence nor say why it was refused.
 */
export const follow = async (open: Open, listening: Listening): Promise<void> => {
  const { signal, onConnection } = listening
  let last: string | undefined
  onConnection('connecting')
  while (!signal.aborted) {
    try {
      await listen(open, last, listening, (id) => {
        last = id
      })
    } catch {
      // Why does not matter: it is tried again.
    }
    if (signal.aborted) return
    onConnection('lost')
    await pause(retryMillis, signal)
  }
}

const listen = async (
  open: Open,
  last: string | undefined,
  { signal, onTold, onConnection }: Listening,
  onId: (id: string) => void,
): Promise<void> => {
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), silenceMillis)
  try {
    const response = await open({
      headers: { accept: 'text/event-stream', ...(last !== undefined && { 'last-event-id': last }) },
      cache: 'no-store',
      signal: AbortSignal.any([signal, silence.signal]),
    })
    if (!response.body) return
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    let rest = ''
    onConnection('live')
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      clearTimeout(timer)
      timer = setTimeout(() => silence.abort(), silenceMillis)
      const frames = (rest + value).split('\n\n')
      rest = frames.pop() ?? ''
      const told = frames.flatMap(toldIn)
      const id = told.at(-1)?.id
      if (id === undefined) continue
      onTold(told)
      onId(id)
    }
  } finally {
    clearTimeout(timer)
  }
}

/** A frame without an id is a comment, or says how soon to retry. */
export const toldIn = (frame: string): readonly Told[] => {
  const fields = frame.split('\n').map((line) => /^(\w+): ?(.*)$/.exec(line))
  const of = (name: string) => fields.find((field) => field?.[1] === name)?.[2]
  const [id, data, type] = [of('id'), of('data'), of('event')]
  if (id === undefined) return []
  const said = data === undefined ? undefined : { data: JSON.parse(data) as unknown }
  return [{ id, ...said, ...(type !== undefined && { type }) }]
}
