import { vi } from 'vitest'
import { patience } from './patience.ts'

/* Of their own accord, vitest's waits give up after a second. */

const { waitFor, waitUntil } = vi

type Wait = number | { readonly timeout?: number; readonly interval?: number } | undefined

const patiently = (wait: Wait) => {
  const { timeout = 0, ...others } = typeof wait === 'number' ? { timeout: wait } : (wait ?? {})
  return { ...others, timeout: Math.max(timeout, patience) }
}

vi.waitFor = (condition, wait) => waitFor(condition, patiently(wait))
vi.waitUntil = (condition, wait) => waitUntil(condition, patiently(wait))
