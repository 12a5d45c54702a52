import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Worker } from 'node:worker_threads'
import { onTestFinished } from 'vitest'

/** Returns a list to which each thread is added that this one starts before the test ends. */
export const threadsStarted = (): readonly Worker[] => {
  const started: Worker[] = []
  const add = (message: unknown) => void started.push((message as { worker: Worker }).worker)
  subscribe('worker_threads', add)
  onTestFinished(() => void unsubscribe('worker_threads', add))
  return started
}
