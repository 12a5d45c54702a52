import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openNote, parseCheckpoint, parsePolicy } from '@fonds/tlog'
import { cosigner, parseVerifierKey, verifierKey } from '@fonds/tlog/compute'
import { isLeft } from 'fp-ts/lib/Either.js'
import pino from 'pino'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { openWitness } from '#infra/proof/witness.ts'
import { createCountersigning } from '#src/app/proof/countersign.ts'
import { signersOf } from '#src/app/proof/signers.ts'
import { UnavailableError } from '#src/async/unavailable.ts'
import type { TimeStamper } from '#src/ports/time-stamp.ts'
import type { PostCheckpoint } from '#src/ports/witness.ts'
import { event } from '../../contracts/new-event.ts'
import { fakeClock } from '../../fakes/clock.ts'
import { fakeEventStore } from '../../fakes/event-store.ts'
import { origin, sealAll } from './sealer.ts'
import { proofLogIn } from './tree-of-log.ts'

let folder: string
let store: ReturnType<typeof fakeEventStore>
let clock: ReturnType<typeof fakeClock>
let logged: string[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fonds-countersign-'))
  const made = folder
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  store = fakeEventStore()
  clock = fakeClock()
  logged = []
})

const HOUR = 3_600_000
const signal = new AbortController().signal
const grow = async (events = 1): Promise<string> => {
  for (let n = 0; n < events; n++)
    if (isLeft(await store.append('a-1', 'any', [event('T', { n })])())) throw new Error('not written')
  await sealAll(folder, store)
  return (await proofLogIn(folder).head())!.text
}

/** A witness at https://<name>.example, and its line of a policy. */
const useWitness = async (name: string) => {
  const keys = await proofLogIn(folder).makeKeys()
  const log = signersOf(origin, keys, () => 0).map(({ verifier }) => verifier)
  const signer = cosigner(`${name}.example/w`, generateKeyPairSync('ed25519').privateKey, () => 1_764_500_000)
  const witness = openWitness(join(folder, `${name}.db`), {
    keysOf: (of) => (of === origin ? log : undefined),
    signers: [signer],
    now: clock.now,
  })
  onTestFinished(() => witness.close())
  return { witness, line: `witness ${name} ${verifierKey(signer.verifier)} https://${name}.example` }
}

const useCountersigning = (
  policy: string | undefined,
  post: PostCheckpoint = async () => {
    throw new UnavailableError('nobody answers')
  },
  timeStamper?: TimeStamper,
) =>
  createCountersigning(
    {
      clock,
      log: pino({ level: 'warn' }, { write: (line: string) => logged.push(JSON.parse(line).msg) }),
      postCheckpoint: post,
      timeStamper,
    },
    proofLogIn(folder),
    policy === undefined ? undefined : parsePolicy(policy),
  )
const cosignersOf = async (policy: string) => {
  const text = await proofLogIn(folder).witnessed()
  if (text === undefined) return undefined
  const keys = [...parsePolicy(policy).witnesses.values()].map(({ key }) => parseVerifierKey(key))
  const { verified } = openNote(text, keys)
  return {
    size: parseCheckpoint(text.slice(0, text.indexOf('\n\n') + 1)).size,
    names: verified.map((one) => one.verifier.name),
  }
}

it('Q28: each hour the newest head is cosigned by all witnesses that have an address', async () => {
  const [a, b] = [await useWitness('a'), await useWitness('b')]
  const offline = (await useWitness('c')).line.replace(/ https.*/, '')
  const policy = `${a.line}\n${b.line}\n${offline}\ngroup all2 all a b\nquorum all2\n`
  let asked = 0
  const others = useCountersigning(policy, (url, body) => {
    asked++
    return (url.startsWith('https://a') ? a : b).witness.addCheckpoint(Buffer.from(body))
  })
  await others.ifDue(await grow(3), signal)
  expect(await cosignersOf(policy)).toEqual({ size: 3n, names: ['a.example/w', 'b.example/w'] })
  await others.ifDue(await grow(), signal)
  expect(await cosignersOf(policy)).toMatchObject({ size: 3n })
  expect(asked).toBe(2)
  await clock.advance(HOUR)
  await others.ifDue(await grow(), signal)
  expect(await cosignersOf(policy)).toMatchObject({ size: 5n })
  expect(asked).toBe(4)
  expect([logged, others.doubts()]).toEqual([[], []])
})

it('a witness that does not answer is asked again before an hour is over; those that do count meanwhile', async () => {
  const [a, b] = [await useWitness('a'), await useWitness('b')]
  const policy = `${a.line}\n${b.line}\nquorum a\n`
  let isAway = true
  const others = useCountersigning(policy, (url, body) => {
    if (url.startsWith('https://a')) return a.witness.addCheckpoint(Buffer.from(body))
    if (isAway) throw new UnavailableError('the witness at https://b.example does not answer: refused')
    return b.witness.addCheckpoint(Buffer.from(body))
  })
  const head = await grow(3)
  await others.ifDue(head, signal)
  expect(await cosignersOf(policy)).toMatchObject({ names: ['a.example/w'] })
  expect(logged).toEqual(['the witness at https://b.example does not answer: refused'])
  isAway = false
  await clock.advance(HOUR / 30)
  await others.ifDue(head, signal)
  expect(await cosignersOf(policy)).toMatchObject({ names: ['a.example/w', 'b.example/w'] })
})

it('Q3, Q15: a witness that saw more, or another history, is a doubt that people see', async () => {
  const a = await useWitness('a')
  const policy = `${a.line}\nquorum a\n`
  const post: PostCheckpoint = (_, body) => a.witness.addCheckpoint(Buffer.from(body))
  const head = await grow(3)
  await useCountersigning(policy, post).ifDue(await grow(4), signal)
  const others = useCountersigning(policy, post)
  await others.ifDue(head, signal)
  expect(others.doubts()).toEqual([`the witness a saw 7 leaves of ${origin}, this tree has 3`])
  expect(logged).toEqual(others.doubts())
  expect(await cosignersOf(policy)).toMatchObject({ size: 7n })
})

it('Q4: a head is stamped each hour, and stamps are kept beside the tree', async () => {
  const stamped: string[] = []
  let isAway = false
  const others = useCountersigning(undefined, undefined, {
    stamp: async (bytes) => {
      if (isAway) throw new UnavailableError('the time-stamping authority answers 503')
      stamped.push(Buffer.from(bytes).toString())
      return { token: Buffer.from('token'), at: '2026-01-01T00:00:00Z', authority: 'TSA', isTrusted: false }
    },
  })
  const head = await grow(3)
  await others.ifDue(head, signal)
  expect(stamped).toEqual([head.slice(0, head.indexOf('\n\n') + 1)])
  expect(readFileSync(join(folder, 'proof/stamps/3.tst'), 'utf8')).toBe('token')
  isAway = true
  await clock.advance(HOUR)
  await others.ifDue(await grow(), signal)
  expect(existsSync(join(folder, 'proof/stamps/4.tst'))).toBe(false)
  expect(logged).toEqual([
    'the time stamp leads to no certificate that is trusted here',
    'the time-stamping authority answers 503',
  ])
})

it('asks nobody where nobody is named', async () => {
  await useCountersigning('quorum none\n').ifDue(await grow(), signal)
  expect(await proofLogIn(folder).witnessed()).toBeUndefined()
  expect(logged).toEqual([])
})
