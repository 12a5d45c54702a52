import { UnavailableError } from '../../../src/async/unavailable.ts'
import type { Comparer, Difference, Generation, ViewStore } from '../../../src/ports/view-store.ts'

export interface ToCompare {
  readonly first: Generation
  readonly second: Generation
}

export type Compared =
  | { readonly kind: 'compared'; readonly differences: readonly Difference[] | undefined }
  | { readonly kind: 'failed'; readonly message: string; readonly isUnavailable: boolean }

/** Compares in a thread with a connection of its own, one pair at a time. A store that no other can open compares by itself. */
export const openComparer = (file: string, { compare }: Pick<ViewStore, 'compare'>): Comparer => {
  if (file === '' || file === ':memory:')
    return { compare: async (first, second) => compare(first, second), close: async () => {} }
  // Loaded here: every command opens the file, and few start the thread.
  const { Worker } = process.getBuiltinModule('node:worker_threads')
  const worker = new Worker(new URL('./compare-thread.ts', import.meta.url), { workerData: file })
  const ended = Promise.withResolvers<never>()
  worker.on('error', ended.reject)
  worker.on('exit', () => ended.reject(new UnavailableError('the comparison was stopped')))
  ended.promise.catch(() => {})
  const answer = () =>
    new Promise<Compared>((resolve) => {
      worker.once('message', resolve)
    })
  return {
    compare: async (first, second) => {
      const coming = answer()
      worker.postMessage({ first, second } satisfies ToCompare)
      const compared = await Promise.race([coming, ended.promise])
      if (compared.kind === 'compared') return compared.differences
      const { message, isUnavailable } = compared
      throw isUnavailable ? new UnavailableError(message) : new Error(message)
    },
    close: async () => {
      await worker.terminate()
    },
  }
}
