import { SECOND } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { RunningWorker } from './worker.ts'

interface Polling<Place> {
  readonly name: string
  readonly places: readonly Place[]
  /** Pause between two rounds. */
  readonly seconds: number
  readonly clock: Clock
  /** Must not reject, unless the signal is aborted. */
  readonly poll: (place: Place, signal: AbortSignal) => Promise<void>
  /** Called once it is stopped. */
  readonly close?: () => Promise<void>
}

/** Polls places one after the other, on a schedule, until it is stopped. Without places it does nothing. */
export const pollPlaces = <Place>({
  name,
  places,
  seconds,
  clock,
  poll,
  close,
}: Polling<Place>): RunningWorker => {
  const stopping = new AbortController()
  const { signal } = stopping
  let isBusy = false

  const loop = async () => {
    while (!signal.aborted && places.length > 0) {
      isBusy = true
      for (const place of places) if (!signal.aborted) await poll(place, signal)
      isBusy = false
      await clock.sleep(seconds * SECOND, signal)
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
