import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { verifierPrograms } from '#infra/proof/verifier/program.ts'
import { type Exported, exportLog } from '#src/app/proof/export/export-log.ts'
import { type ExportedThings, exportThings, type Thing } from '#src/app/proof/export/export-things.ts'
import { signersOf } from '#src/app/proof/signers.ts'
import type { EventStore } from '#src/ports/event-store.ts'
import { event } from '../../contracts/new-event.ts'
import { fakeEventStore } from '../../fakes/event-store.ts'
import { origin, sealAll } from './sealer.ts'
import { proofLogIn } from './tree-of-log.ts'

/** Exports what was sealed in a folder. */
export const exportIn = async (
  folder: string,
  eventStore: Pick<EventStore, 'readStored' | 'read' | 'metadata'>,
  options: { readonly since?: string; readonly name?: string } = {},
): Promise<{ readonly to: string; readonly exported?: Exported; readonly why?: string }> => {
  const { name = 'export', ...rest } = options
  const parts = { eventStore, ...(await partsIn(folder)) }
  const to = join(folder, name)
  const signal = new AbortController().signal
  const exported = await exportLog(parts, to, { ...rest, onProgress: () => {}, signal })
  return isLeft(exported) ? { to, why: exported.left } : { to, exported: exported.right }
}

const partsIn = async (folder: string) => {
  const files = proofLogIn(folder)
  const keys = await files.makeKeys()
  return {
    files,
    head: (await files.head())!.text,
    verifiers: signersOf(origin, keys, () => 0).map(({ verifier }) => verifier),
    programs: await verifierPrograms(),
    now: '2026-11-30T12:00:00.000Z',
  }
}

/** Exports things of what was sealed in a folder. */
export const exportThingsIn = async (
  folder: string,
  eventStore: EventStore,
  things: readonly Thing[],
  options: { readonly name?: string; readonly to?: string; readonly isOpenEnded?: boolean } = {},
): Promise<{ readonly to: string; readonly exported: ExportedThings }> => {
  const { name = 'things', to = join(folder, name), ...rest } = options
  const signal = new AbortController().signal
  const given = { ...rest, onProgress: () => {}, signal }
  const exported = await exportThings({ eventStore, ...(await partsIn(folder)) }, to, things, given)
  if (isLeft(exported)) throw new Error(exported.left)
  return { to, exported: exported.right }
}

/** 900 events: leaves 100, 107 … 800 are of `item-a`, the others of 50 streams. */
export const logOf900 = async (): Promise<EventStore> => {
  const store = fakeEventStore({ gap: 3n })
  for (let n = 0; n < 900; n++) {
    const isOwn = n >= 100 && n <= 800 && (n - 100) % 7 === 0
    const stream = isOwn ? 'item-a' : `check-${n % 50}`
    const written = await store.append(stream, 'any', [event('Stored', { n, text: `letter ${n}` })])()
    if (isLeft(written)) throw new Error('not written')
  }
  return store
}

/** The thing `a`, and an event of another stream that concerns it: what `thing-attacks.ts` changes. Returns its folder. */
export const exportOfThing = async (folder: string): Promise<string> => {
  const store = await logOf900()
  await sealAll(folder, store, { perRead: 300, perHead: 300n })
  const elsewhere = [{ stream: 'check-0', revision: revisionIn(850) }]
  return (await exportThingsIn(folder, store, [{ thing: 'a', streams: ['item-a'], elsewhere }])).to
}

/** Revision of leaf `at` in its stream of `logOf900`. */
const revisionIn = (at: number): bigint => {
  let before = -1n
  for (let n = at % 50; n <= at; n += 50) if (!(n >= 100 && n <= 800 && (n - 100) % 7 === 0)) before++
  return before
}

/** An export of 600 events of five things: what `export-attacks.ts` changes. Returns its folder. */
export const exportOf600 = async (folder: string): Promise<string> => {
  const store = fakeEventStore({ gap: 3n })
  for (let n = 0; n < 600; n++) {
    const text = n === 7 ? 'é \u2028 "x"' : `letter ${n}`
    const written = await store.append(`item-${n % 5}`, 'any', [event('Stored', { n, text })])()
    if (isLeft(written)) throw new Error('not written')
  }
  await sealAll(folder, store)
  return (await exportIn(folder, store)).to
}
