import { SECOND } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { RunningWorker } from './worker.ts'

interface Polling<Place> {
  readonly name: string
  /** Asked before each round, and every two seconds if `isDue` is given: they may change. */
  readonly places: () => readonly Place[]
  /** Pause between two rounds; asked before each pause. */
  readonly seconds: () => number
  readonly clock: Clock
  /** Must not reject, unless the signal is aborted. `isEarly`: between two rounds, as the place was due. */
  readonly poll: (place: Place, signal: AbortSignal, isEarly: boolean) => Promise<void>
  /** True for a place that is to be polled before the next round; asked every two seconds. Default: none is. */
  readonly isDue?: (place: Place) => boolean
  /** Called once it is stopped. */
  readonly close?: () => Promise<void>
}

const askSeconds = 2

/** Polls places one after the other, on a schedule, until it is stopped. */
export const pollPlaces = <Place>({
  name,
  places,
  seconds,
  clock,
  poll,
  isDue,
  close,
}: Polling<Place>): RunningWorker => {
  const stopping = new AbortController()
  const { signal } = stopping
  let isBusy = false

  const pollAll = async (some: readonly Place[], isEarly: boolean): Promise<void> => {
    isBusy = true
    for (const place of some) if (!signal.aborted) await poll(place, signal, isEarly)
    isBusy = false
  }

  const pause = async (): Promise<void> => {
    if (!isDue) return clock.sleep(seconds() * SECOND, signal)
    const until = clock.monotonic() + seconds() * SECOND
    for (;;) {
      const left = until - clock.monotonic()
      if (left <= 0 || signal.aborted) return
      await clock.sleep(Math.min(left, askSeconds * SECOND), signal)
      if (!signal.aborted) await pollAll(places().filter(isDue), true)
    }
  }

  const loop = async () => {
    while (!signal.aborted) {
      await pollAll(places(), false)
      await pause()
    }
  }
  const running = loop()

  return {
    name,
    busy: () => (isBusy ? 1 : 0),
    stop: async () => {
      stopping.abort()
      await running
      await close?.()
    },
  }
}
