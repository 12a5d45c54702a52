import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkpointText, noteText, parseNote, parsePolicy, signedNote } from '@fonds/tlog'
import { verifierKey } from '@fonds/tlog/compute'
import { isLeft } from 'fp-ts/lib/Either.js'
import { pino } from 'pino'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { defaultConfig } from '#src/app/config/settings.ts'
import { openSealer } from '#src/app/proof/open-sealer.ts'
import { type OwnTree, ownTree } from '#src/app/proof/own-tree.ts'
import { policyOf } from '#src/app/proof/policy.ts'
import { areKeysDue } from '#src/app/proof/replace-keys.ts'
import { signersOf, verifiersOf } from '#src/app/proof/signers.ts'
import { checkHead } from '#src/app/proof/verify/check-head.ts'
import { createFindings } from '#src/app/proof/verify/findings.ts'
import { UnavailableError } from '#src/async/unavailable.ts'
import { keysStream } from '#src/domain/kernel/proof/keys-events.ts'
import { DAY } from '#src/domain/kernel/time.ts'
import type { ProofLog } from '#src/ports/proof-log.ts'
import { keysToName } from '#src/workflows/system/replace-keys.ts'
import { event } from '../../contracts/new-event.ts'
import { type FakeClock, fakeClock } from '../../fakes/clock.ts'
import { type FakeEventStore, fakeEventStore } from '../../fakes/event-store.ts'
import { proofLogIn, treeIn } from './tree-of-log.ts'

let folder: string
let clock: FakeClock
let store: FakeEventStore
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fonds-keys-'))
  const made = folder
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  clock = fakeClock()
  store = fakeEventStore({ now: clock.now })
})

const { signal } = new AbortController()
const systemOn = (files: ProofLog = proofLogIn(folder)) => ({
  eventStore: store,
  clock,
  log: pino({ level: 'silent' }),
  config: { ...defaultConfig(folder), proofName: 'archive.example' },
  proofLog: async () => files,
  proofPolicy: async () => undefined,
  proofFilesAt: () => async () => undefined,
  postCheckpoint: async () => ({ status: 404, body: '' }),
  timeStamper: undefined,
})
const append = async (stream: string, type: string, data: object) => {
  if (isLeft(await store.append(stream, 'any', [event(type, data)])())) throw new Error('not written')
}
/** Opens the tree as a start of the sealer does, and seals what there is. Returns the head. */
const seal = async (files?: ProofLog): Promise<string> => {
  const opened = await openSealer(systemOn(files), signal)
  if (opened.kind !== 'sealing') throw new Error(opened.kind)
  const { sealing } = opened
  const page = await store.readStored(sealing.position, {}, 1000)()
  if (isLeft(page)) throw new Error(page.left.reason)
  await sealing.add(page.right)
  await sealing.publish()
  sealing.close()
  return sealing.published.head!
}
/** As `proof.replace-keys` does. */
const rotate = async () => {
  const named = await keysToName(systemOn())
  if (isLeft(named)) throw new Error(named.left.message)
  await append(keysStream, 'TreeKeysReplaced', { ...named.right, reason: 'r', at: clock.now() })
  return named.right
}
const begun = async () => {
  await append('a-1', 'T', { n: 1 })
  const head = await seal()
  const origin = head.split('\n', 1)[0]!
  const keys = (await proofLogIn(folder).keys())!
  const old = { policy: policyOf(verifiersOf(origin, keys)), signers: signersOf(origin, keys, () => 1000) }
  return { head, origin, old }
}
const own = async () => (await ownTree(systemOn())) as OwnTree
const ownPolicy = async () => {
  const { verifiers, retired } = await own()
  return policyOf(verifiers, undefined, retired)
}
const isBelieved = (head: string, policy: string) =>
  checkHead(head, parsePolicy(policy), createFindings()) !== undefined
const lines = (head: string) => parseNote(head).signatures.length

describe('Q25: keys that take the place of others', () => {
  it('sign the heads together for thirty days: so the old policy and the new one believe each', async () => {
    const { old } = await begun()
    const named = await rotate()
    expect(named.earlier).toEqual(old.signers.map(({ verifier }) => verifierKey(verifier)))
    const head = await seal()
    expect(lines(head)).toBe(4)
    const policy = await ownPolicy()
    expect((await own()).verifiers.map(verifierKey)).toEqual(named.keys)
    expect(policy).toBe(
      `${named.keys.map((key) => `log ${key}\n`).join('')}${named.earlier.map((key) => `#retired ${key} 1\n`).join('')}quorum none\n`,
    )
    expect([isBelieved(head, policy), isBelieved(head, old.policy)]).toEqual([true, true])
    // An event in the log says so.
    expect((await treeIn(folder))!.entries[1]).toContain('"proof-keys"\n0\n')

    clock.putForth(29 * DAY)
    expect(lines(await seal())).toBe(4)
    clock.putForth(2 * DAY)
    const { origin } = await own()
    const due = { eventStore: store, files: proofLogIn(folder), origin, now: () => Date.parse(clock.now()) }
    expect(await areKeysDue(due)).toBe(true)
    const later = await seal()
    expect(await areKeysDue(due)).toBe(false)
    expect([lines(later), isBelieved(later, policy), isBelieved(later, old.policy)]).toEqual([2, true, false])
    expect(existsSync(join(folder, 'proof-key/last'))).toBe(false)
  })

  it('an old head still holds; one that the old keys sign from then on does not, nor is it gone on from', async () => {
    const { head, origin, old } = await begun()
    await rotate()
    const newest = await seal()
    const policy = await ownPolicy()
    expect([isBelieved(head, policy), isBelieved(head, old.policy)]).toEqual([true, true])
    const forged = (size: bigint) =>
      noteText(signedNote(checkpointText({ origin, size, root: new Uint8Array(32) }), old.signers))
    expect(isBelieved(forged(2n), old.policy)).toBe(true)
    expect(isBelieved(forged(2n), policy)).toBe(false)
    expect(isBelieved(forged(2n), policy.replace(/^#.*\n/gm, ''))).toBe(false)
    const checkpoint = join(folder, 'proof/checkpoint')
    writeFileSync(checkpoint, forged(2n))
    await expect(seal()).rejects.toThrow('is signed by no key that is known')
    writeFileSync(checkpoint, head)
    await expect(seal()).rejects.toThrow('is signed by no key that is known')
    writeFileSync(checkpoint, newest)
    await seal()
  })

  it('keys that the log does not name are not used', async () => {
    await begun()
    await proofLogIn(folder).makeNextKeys()
    expect(lines(await seal())).toBe(2)
    expect((await own()).retired).toEqual([])
  })

  it('a process that ends in between loses nothing: the next goes on', async () => {
    const { old } = await begun()
    const named = await rotate()
    const files = proofLogIn(folder)
    const failing = {
      ...files,
      useNextKeys: async () => {
        throw new UnavailableError('no room')
      },
    }
    await expect(seal(failing)).rejects.toThrow('no room')
    expect(lines((await files.head())!.text)).toBe(4)
    // One of two keys has moved.
    const inFolder = (...names: string[]) => join(folder, 'proof-key', ...names)
    renameSync(inFolder('next/ml-dsa-44.pem'), inFolder('ml-dsa-44.pem'))
    const head = await seal()
    expect((await own()).verifiers.map(verifierKey)).toEqual(named.keys)
    expect((await own()).retired.map(({ key }) => key)).toEqual(named.earlier)
    expect(isBelieved(head, old.policy)).toBe(true)
    // The same is named once; the next time others are.
    expect((await rotate()).keys).not.toEqual(named.keys)
    await seal()
    expect((await own()).retired).toHaveLength(4)
  })
})
