import { setTimeout } from 'node:timers/promises'
import { BroadcastChannel } from 'node:worker_threads'
import { left, right } from 'fp-ts/lib/Either.js'
import type { ContentEntry, ContentFailure, ContentStore } from '../../../src/ports/content-store.ts'

/*
 * A content store for the hash threads whose reads do what the path says. `together` ends once two threads read such a file. `gated` gives
 * a chunk that took so long that it is told as progress, then waits for a word on the channel named by the store's root before each
 * further one. Below a root that begins with `wide` three reads are under way at once. A path that begins with `claimed` has an MD5 that the
 * storage claims.
 */

const chunk = Buffer.from('a chunk')
export const chunkSize = chunk.length
export const gatedChunks = 3
const gatedMillis = 150

export const claimed = { algorithm: 'md5', value: 'b'.repeat(32) }

const absent: ContentFailure = { kind: 'NotFound', path: '' }

const entryWith = (path: string, claim: typeof claimed): ContentEntry => ({
  path,
  size: Buffer.byteLength(path),
  version: 'v1',
  modifiedAt: '2025-01-01T00:00:00.000Z',
  claims: path.startsWith('claimed') ? [claim] : [],
})

const openScriptedStore = (root: string, settings?: { readonly claims: 'sha-1' }): ContentStore => {
  const entryOf = (path: string) =>
    entryWith(path, settings ? { algorithm: settings.claims, value: 'c'.repeat(40) } : claimed)
  if (root === 'no such disk') throw new Error('no such disk: mount it')
  let changes = 0
  return {
    ...(root.startsWith('wide') && { readsAtOnce: 3 }),
    async *list() {},
    async *folder() {},
    async *names() {},
    stat: (path) => async () => {
      if (path.startsWith('missing')) return left(absent)
      return right(entryOf(path))
    },
    write: () => async () => left(absent),
    delete: () => async () => left(absent),
    read:
      (path, { version, signal, onEntry }, onChunk) =>
      async () => {
        const [what, argument] = path.split(':')
        if (path.startsWith('missing')) return left({ kind: 'NotFound', path })
        await onEntry?.(entryOf(path))
        switch (what) {
          case 'hang':
            return new Promise(() => {})
          case 'block':
            Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
            return left(absent)
          case 'crash':
            throw new Error('a bug in the store')
          case 'exit':
            return process.exit(3)
          case 'machine':
            return left({ kind: 'Machine', path, reason: 'too many files are open' })
          case 'refused':
            return left({ kind: 'Refused', path, reason: 'the path is absolute' })
          case 'unreadable':
            return left({ kind: 'Unreadable', path, reason: 'got 3 of 5 bytes' })
          case 'changes':
            await onChunk(Buffer.from('of an earlier version'))
            if (changes++ < Number(argument)) return left({ kind: 'Changed', path })
            await onChunk(Buffer.from(version ?? ' without a version'))
            return right({ bytes: 1, version: `v${changes}` })
          case 'together': {
            const others = new BroadcastChannel(root)
            const isMet = new Promise<void>((resolve) => {
              others.onmessage = () => resolve()
            })
            const hello = setInterval(() => others.postMessage('here'), 5)
            await isMet
            // The other one may not have heard it yet.
            others.postMessage('here')
            clearInterval(hello)
            others.close()
            await onChunk(Buffer.from(path))
            return right({ bytes: Buffer.byteLength(path), version: version ?? 'v1' })
          }
          case 'gated': {
            const gate = new BroadcastChannel(root)
            for (let i = 0; i < gatedChunks && !signal?.aborted; i++) {
              const word = new Promise<void>((resolve) => {
                gate.onmessage = () => resolve()
                signal?.addEventListener('abort', () => resolve())
              })
              await setTimeout(gatedMillis)
              await onChunk(chunk)
              await word
            }
            gate.close()
            return signal?.aborted
              ? left({ kind: 'Unreadable', path, reason: 'stopped' })
              : right({ bytes: gatedChunks * chunkSize, version: 'v' })
          }
          default:
            await onChunk(Buffer.from(path))
            return right({ bytes: Buffer.byteLength(path), version: version ?? 'v1' })
        }
      },
  }
}

export default openScriptedStore
