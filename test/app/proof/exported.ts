import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { verifierProgram } from '#infra/proof/verifier/program.ts'
import { type Exported, exportLog } from '#src/app/proof/export/export-log.ts'
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
  const files = proofLogIn(folder)
  const head = (await files.head())!.text
  const keys = await files.makeKeys()
  const parts = {
    eventStore,
    files,
    head,
    verifiers: signersOf(origin, keys, () => 0).map(({ verifier }) => verifier),
    program: await verifierProgram(),
    now: '2026-11-30T12:00:00.000Z',
  }
  const to = join(folder, name)
  const signal = new AbortController().signal
  const exported = await exportLog(parts, to, { ...rest, onProgress: () => {}, signal })
  return isLeft(exported) ? { to, why: exported.left } : { to, exported: exported.right }
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
