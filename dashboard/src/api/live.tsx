import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import { addressOf, answered } from './client.ts'
import { type Connection, follow } from './follow.ts'

/** Whether the server is heard, and a count that grows when the log has moved on: whoever shows something asks again. */
export interface Live {
  readonly connection: Connection
  readonly moves: number
  /** Since when the server is not heard. */
  readonly lostSince: Date | undefined
}

const Context = createContext<Live>({ connection: 'connecting', moves: 0, lostSince: undefined })

export const useLive = (): Live => useContext(Context)

/** This view moves with every event. */
const address = addressOf('/api/v1/views/{view}/changes', { view: 'log-ends' })
/** However fast the log grows, what is shown is asked again at most so often. */
const calmMillis = 2000

/** One stream for the whole page. Hidden tabs do not listen: shown again they ask for what is true then. */
export const LiveProvider = ({ children }: { readonly children: ComponentChildren }) => {
  const [live, setLive] = useState<Live>({ connection: 'connecting', moves: 0, lostSince: undefined })
  useEffect(() => whileShown((signal) => listen(signal, setLive)), [])
  return <Context.Provider value={live}>{children}</Context.Provider>
}

type Change = (change: (live: Live) => Live) => void

const listen = (signal: AbortSignal, change: Change): void => {
  let isFirst = true
  let timer: ReturnType<typeof setTimeout> | undefined
  const move = () => {
    timer = undefined
    if (!signal.aborted) change((live) => ({ ...live, moves: live.moves + 1 }))
  }
  // The first says where the log is: what is asked from then on is as new, and what was asked before is asked again at once.
  const onTold = () => {
    if (isFirst) move()
    else timer ??= setTimeout(move, calmMillis)
    isFirst = false
  }
  signal.addEventListener('abort', () => clearTimeout(timer))
  const onConnection = (connection: Connection) =>
    change(({ moves, lostSince, ...live }) => ({
      connection,
      moves: connection === 'live' && live.connection !== 'connecting' ? moves + 1 : moves,
      lostSince: connection === 'lost' ? (lostSince ?? new Date()) : undefined,
    }))
  void follow((asked) => answered(address, asked), { signal, onConnection, onTold })
}

const whileShown = (run: (signal: AbortSignal) => void): (() => void) => {
  let running: AbortController | undefined
  const look = () => {
    if (document.hidden) {
      running?.abort()
      running = undefined
    } else if (!running) {
      running = new AbortController()
      run(running.signal)
    }
  }
  look()
  document.addEventListener('visibilitychange', look)
  return () => {
    document.removeEventListener('visibilitychange', look)
    running?.abort()
  }
}
