import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqliteEventStore } from '#infra/event-store/sqlite/event-store.ts'
import { openDatabase } from '#infra/sqlite/database.ts'
import { checkLog } from '#src/app/proof/check/check-log.ts'
import type { Difference } from '#src/app/proof/check/differences.ts'
import { createDeletions } from '#src/app/proof/removals.ts'
import { signersOf } from '#src/app/proof/signers.ts'
import { verifyExport } from '#src/app/proof/verify/verify-export.ts'
import { categoryOf } from '#src/domain/kernel/event.ts'
import { retentionStream } from '#src/domain/kernel/retention.ts'
import { exportIn } from './exported.ts'
import {
  exportWithRemoval,
  logWithRemoval,
  removals,
  removedAttacks,
  removedFrom,
  setPolicy,
  write,
} from './removed-attacks.ts'
import { origin } from './sealer.ts'
import { proofLogIn } from './tree-of-log.ts'

/* Q20: events that a policy removed are told apart from those that went by a rule that no event tells of. */

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fonds-removed-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const { signal } = new AbortController()
const verified = async (at: string) => {
  const found = await verifyExport(at, { onProgress: () => {}, signal })
  return { ...found, said: found.all.map(({ kind, sentence }) => `${kind} ${sentence}`).join('\n') }
}

describe('a log that lost events by a policy, and others by a rule', () => {
  it('is checked: each is counted where it belongs', async () => {
    const store = await logWithRemoval(folder)
    const files = proofLogIn(folder)
    const verifiers = signersOf(origin, (await files.keys())!, () => 0).map(({ verifier }) => verifier)
    const found: Difference[] = []
    const options = { onDifference: (one: Difference) => void found.push(one), onProgress: () => {}, signal }
    const checked = await checkLog(store, files, (await files.head())!.text, verifiers, options)
    expect(found).toEqual([])
    expect(checked).toMatchObject({
      ...{ same: 14, deleted: 6, unsealed: 0 },
      removedBy: [{ category: 'sensor', events: 3, first: 1n, last: 1n, policy: { days: 30, actor: 'ada' } }],
    })
    const { whyDeleted } = createDeletions(store)
    const recordedAt = '2026-01-01T00:00:00.000Z'
    const why = (stream: string, revision: bigint) => whyDeleted({ stream, revision, recordedAt })
    expect(await why('sensor-a', 2n)).toMatchObject({
      by: 'policy',
      removal: { stream: 'retention-sensor', revision: 1n },
    })
    expect(await why('sensor-a', 3n)).toEqual({ by: 'rule' })
    expect(await why('sensor-a', 5n)).toBeUndefined()
    expect(await why('other-a', 0n)).toEqual({ by: 'rule' })
    expect(await why('other-a', 1n)).toBeUndefined()
    await store.close()
  })

  it('of streams that Fonds needs: an event that names them covers nothing', async () => {
    const store = openSqliteEventStore(openDatabase(join(folder, 'fonds.db')))
    const recordedAt = '2026-01-01T00:00:00.000Z'
    for (const stream of ['fixity-main/a', 'duty-x', 'settings-archive']) {
      const category = categoryOf(stream)
      await write(store, stream, 'Measured', {})
      await setPolicy(store, category)
      const named = { ...removedFrom(stream, '1', 1), category }
      await write(store, retentionStream(category), 'EventsRemoved', named)
      const { whyDeleted } = createDeletions(store)
      expect(await whyDeleted({ stream, revision: 0n, recordedAt })).toBeUndefined()
    }
    const letter = 'deadletter-a'
    await setPolicy(store, 'deadletter')
    await write(store, retentionStream('deadletter'), 'EventsRemoved', {
      ...{ ...removedFrom(letter, '1', 1), category: 'deadletter' },
    })
    const { whyDeleted } = createDeletions(store)
    expect(await whyDeleted({ stream: letter, revision: 0n, recordedAt })).toMatchObject({ by: 'policy' })
    await store.close()
  })

  it('is exported with how many went, and how many of them by a policy', async () => {
    const store = await logWithRemoval(folder)
    const { to, exported } = await exportIn(folder, store)
    expect(exported).toMatchObject({ events: 23, deleted: 9, removed: 3 })
    expect(readFileSync(join(to, 'README.md'), 'utf8')).toContain('Of 3 that was done by policies')
    await store.close()
  })

  it('is exported: the verifier says which event tells of three, and that none tells of the others', async () => {
    const { failures, said } = await verified(await exportWithRemoval(folder))
    expect(failures).toBe(0)
    for (const one of removals.all) expect(said).toMatch(one)
  })

  it.each(removedAttacks)('$name', async ({ change, found }) => {
    const at = join(folder, 'copy')
    cpSync(await exportWithRemoval(folder), at, { recursive: true })
    change(at)
    expect((await verified(at)).said).toMatch(found)
  })

  it('an event that was changed to name more is not believed', async () => {
    const at = await exportWithRemoval(folder)
    removedAttacks[0]!.change(at)
    expect((await verified(at)).said).not.toMatch(removals.covered)
  })
})
