import { generateKeyPairSync, hash } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkpointText, noteText, parseCheckpoint, parseNote, parsePolicy, signedNote } from '@fonds/tlog'
import { cosigner, noteSigner, verifierKey } from '@fonds/tlog/compute'
import { isLeft } from 'fp-ts/lib/Either.js'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { defaultConfig } from '#src/app/config/settings.ts'
import { openSealer } from '#src/app/proof/open-sealer.ts'
import { findOvertaken } from '#src/app/proof/overtaken.ts'
import { policyOf } from '#src/app/proof/policy.ts'
import { verifiersOf } from '#src/app/proof/signers.ts'
import { UnavailableError } from '#src/async/unavailable.ts'
import { treeToReplace } from '#src/workflows/system/replace-tree.ts'
import { event } from '../../contracts/new-event.ts'
import { type FakeClock, fakeClock } from '../../fakes/clock.ts'
import { type FakeEventStore, fakeEventStore } from '../../fakes/event-store.ts'
import { origin, sealAll } from './sealer.ts'
import { proofLogIn } from './tree-of-log.ts'

/* A home whose log and tree were put back from before asks the witnesses of its policy (Q14). */

let folder: string
let clock: FakeClock
let store: FakeEventStore
/** Files that the witness serves, by path. */
let served: Map<string, string | Error>
let asked: number

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fonds-overtaken-'))
  clock = fakeClock('2026-01-01T00:00:00.000Z')
  store = fakeEventStore({ now: clock.now })
  served = new Map()
  asked = 0
})
afterEach(() => {
  for (const each of [folder, `${folder}-earlier`]) rmSync(each, { recursive: true, force: true })
})

const { signal } = new AbortController()
const witnessKey = cosigner('partner.example/witness', generateKeyPairSync('ed25519').privateKey, () => 1)
const checkpointAt = `https://partner.example/witness/${hash('sha256', origin)}/checkpoint`

const systemIn = (home: string, { isWitnessed = true, knowsLog = false } = {}) => ({
  eventStore: store,
  clock,
  log: pino({ level: 'silent' }),
  config: { ...defaultConfig(home), proofName: 'archive.example' },
  proofLog: async () => proofLogIn(home),
  proofPolicy: async () => {
    const own = knowsLog
      ? policyOf(await ownKeys())
          .split('\n')
          .filter((line) => line.startsWith('log'))
      : []
    const witness = `witness partner ${verifierKey(witnessKey.verifier)} https://partner.example/witness`
    return parsePolicy([...own, ...(isWitnessed ? [witness] : []), 'quorum none', ''].join('\n'))
  },
  proofFilesAt: (address: string) => async (path: string) => {
    asked++
    const found = served.get(`${address}/${path}`)
    if (found instanceof Error) throw found
    return found === undefined ? undefined : Buffer.from(found)
  },
  postCheckpoint: async () => ({ status: 404, body: '' }),
  timeStamper: undefined,
})
const ownKeys = async () => verifiersOf(origin, (await proofLogIn(folder).keys())!)
const write = async (count: number) => {
  for (let n = 0; n < count; n++)
    if (isLeft(await store.append('a-1', 'any', [event()])())) throw new Error('not written')
}
const headIn = async (home: string) => (await proofLogIn(home).head())!.text
const opened = async (home: string, options = {}) => {
  const system = systemIn(home, options)
  const found = await openSealer(system, signal)
  if (found.kind === 'sealing') found.sealing.close()
  return found
}
/** Two leaves in `earlier`, five in the folder. */
const putBack = async () => {
  const earlier = `${folder}-earlier`
  await write(2)
  await sealAll(folder, store)
  cpSync(folder, earlier, { recursive: true })
  await write(3)
  await sealAll(folder, store)
  served.set(checkpointAt, await headIn(folder))
  return earlier
}

describe('a tree that was put back from before', () => {
  it('is not extended where a witness has a newer head that this archive signed', async () => {
    const earlier = await putBack()
    expect(await opened(earlier)).toEqual({
      kind: 'overtaken',
      origin,
      reason: `the witness partner has a head of 5 leaves of ${origin}, which this archive signed, and the tree here has 2: it was put back from before, so nothing is signed`,
    })
  })

  it('nor where it went on otherwise than the head that a witness has', async () => {
    await write(5)
    await sealAll(folder, store)
    const [key] = [(await proofLogIn(folder).keys())!.ed25519]
    const other = checkpointText({ origin, size: 3n, root: Buffer.alloc(32, 7) })
    served.set(checkpointAt, noteText(signedNote(other, [noteSigner(origin, key)])))
    const found = await opened(folder)
    expect(found).toMatchObject({ kind: 'overtaken' })
    expect(found).toHaveProperty(
      'reason',
      expect.stringMatching(/3 leaves .* there are two histories of one name/),
    )
  })

  it('is extended where the head at the witness is its beginning', async () => {
    const earlier = await putBack()
    served.set(checkpointAt, await headIn(earlier))
    expect((await opened(folder)).kind).toBe('sealing')
    served.set(checkpointAt, await headIn(folder))
    expect((await opened(folder)).kind).toBe('sealing')
  })

  it.each([
    ['has none', undefined],
    ['does not answer', new UnavailableError('the log at https://partner.example does not answer')],
    ['answers something else', '<html>'],
  ])('is extended where the witness %s', async (_, answer) => {
    const earlier = await putBack()
    if (answer === undefined) served.clear()
    else served.set(checkpointAt, answer)
    expect((await opened(earlier)).kind).toBe('sealing')
  })

  it('believes no head that another key signed, nor one of another tree', async () => {
    const earlier = await putBack()
    const text = checkpointText({ origin, size: 9n, root: Buffer.alloc(32, 7) })
    const stranger = noteSigner(origin, generateKeyPairSync('ed25519').privateKey)
    served.set(checkpointAt, noteText(signedNote(text, [stranger])))
    expect((await opened(earlier)).kind).toBe('sealing')
    const key = (await proofLogIn(folder).keys())!.ed25519
    const elsewhere = checkpointText({ origin: 'archive.example/other', size: 9n, root: Buffer.alloc(32, 7) })
    served.set(checkpointAt, noteText(signedNote(elsewhere, [noteSigner(origin, key)])))
    expect((await opened(earlier)).kind).toBe('sealing')
  })

  it('Q25: believes a key that was replaced of heads before that alone', async () => {
    const earlier = await putBack()
    const text = checkpointText({ origin, size: 9n, root: Buffer.alloc(32, 7) })
    const stolen = noteSigner(origin, generateKeyPairSync('ed25519').privateKey)
    served.set(checkpointAt, noteText(signedNote(text, [stolen])))
    const files = proofLogIn(earlier)
    const head = parseCheckpoint(parseNote(await headIn(earlier)).text)
    const found = (until: bigint) =>
      findOvertaken(systemIn(earlier))({
        ...{ files, head, keys: [], signal },
        retired: [{ key: verifierKey(stolen.verifier), until, at: clock.now() }],
      })
    expect(await found(8n)).toBeUndefined()
    expect(await found(9n)).toContain('it was put back from before')
  })

  it('asks nobody without a witness, and a witness once a minute', async () => {
    const earlier = await putBack()
    expect((await opened(earlier, { isWitnessed: false })).kind).toBe('sealing')
    expect(asked).toBe(0)
    const system = systemIn(earlier)
    const overtaken = findOvertaken(system)
    for (let n = 0; n < 3; n++) await openSealer(system, signal, overtaken)
    expect(asked).toBe(1)
    await clock.advance(60_000)
    await openSealer(system, signal, overtaken)
    expect(asked).toBe(2)
  })
})

describe('the tree in its place', () => {
  const earlierOf = async (home: string, options = {}) => {
    const found = await treeToReplace(systemIn(home, options))
    if (isLeft(found)) throw new Error(found.left.message)
    return found.right.earlier
  }

  it('names the newest head that a witness has', async () => {
    const earlier = await putBack()
    expect(await earlierOf(earlier)).toMatchObject({ origin, size: '5' })
    expect(await earlierOf(earlier, { isWitnessed: false })).toMatchObject({ origin, size: '2' })
  })

  it('believes a head by the policy’s key of the log where the keys are lost', async () => {
    const earlier = await putBack()
    rmSync(proofLogIn(earlier).keyFolder, { recursive: true })
    expect(await earlierOf(earlier)).toMatchObject({ size: '2' })
    expect(await earlierOf(earlier, { knowsLog: true })).toMatchObject({ size: '5' })
  })
})
