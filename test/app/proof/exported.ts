import { join } from 'node:path'
import { isLeft, right } from 'fp-ts/lib/Either.js'
import { verifierPrograms } from '#infra/proof/verifier/program.ts'
import { type Exported, exportLog } from '#src/app/proof/export/export-log.ts'
import { type ExportedThings, exportThings, type Thing } from '#src/app/proof/export/export-things.ts'
import { signersOf } from '#src/app/proof/signers.ts'
import { sealStreams } from '#src/app/proof/streams/daily-stream-seals.ts'
import type { EventStore } from '#src/ports/event-store.ts'
import { event } from '../../contracts/new-event.ts'
import { fakeEventStore } from '../../fakes/event-store.ts'
import { origin, sealAll } from './sealer.ts'
import { proofLogIn } from './tree-of-log.ts'

/** Exports what was sealed in a folder. */
export const exportIn = async (
  folder: string,
  eventStore: Pick<EventStore, 'readStored' | 'readAll' | 'read' | 'metadata'>,
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
  options: {
    readonly name?: string
    readonly to?: string
    readonly isOpenEnded?: boolean
    readonly isWhole?: boolean
  } = {},
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

/** Leaves 0 … 1,199 as `logOf900` goes on, with leaf 50 of `item-b`; leaf 1,200 states them; leaf 1,250 is of `item-b`, of 1,301. */
export const logWithStatement = async (
  folder: string,
  stated: { readonly origin?: string; readonly leaves?: Iterable<readonly [string, number]> } = {},
): Promise<EventStore> => {
  const store = fakeEventStore({ gap: 3n })
  const add = async (stream: string, name: string, data: object): Promise<void> => {
    const written = await store.append(stream, 'any', [event(name, data)])()
    if (isLeft(written)) throw new Error('not written')
  }
  const addLetters = async (from: number, to: number): Promise<void> => {
    for (let n = from; n < to; n++) {
      const isOwn = n >= 100 && n <= 800 && (n - 100) % 7 === 0
      const isOther = n === 50 || n === 1250
      await add(isOwn ? 'item-a' : isOther ? 'item-b' : `check-${n % 50}`, 'Stored', {
        n,
        text: `letter ${n}`,
      })
    }
  }
  await addLetters(0, 1200)
  await sealAll(folder, store, { perRead: 300, perHead: 300n })
  const leaves = proofLogIn(folder).committedHeads()!
  const system = {
    proofLog: async () => proofLogIn(folder),
    clock: { now: () => '2026-11-30T12:00:00.000Z' },
    execute: async (
      _: unknown,
      to: { readonly stream: string; readonly command: { readonly data: object } },
    ) => {
      return right(await add(to.stream, 'StreamsSealed', to.command.data))
    },
  }
  const given = {
    place: { ...leaves.place, origin: stated.origin ?? origin },
    all: () => stated.leaves ?? leaves.all(),
  }
  await sealStreams(system as never, given, new AbortController().signal)
  leaves.close()
  await addLetters(1201, 1301)
  await sealAll(folder, store, { perRead: 300, perHead: 300n })
  return store
}

/** The thing `a`, of two streams, with the statement in the place of most entries: what `stated-attacks.ts` changes. */
export const exportOfStated = async (folder: string): Promise<string> =>
  (await exportThingsIn(folder, await logWithStatement(folder), [statedThing])).to

export const statedThing: Thing = { thing: 'a', streams: ['item-a', 'item-b'], elsewhere: [] }

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
