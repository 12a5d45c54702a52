import { spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { emptyRoot, openNote, parseCheckpoint, parsePolicy } from '@fonds/tlog'
import { noteSigner, parseVerifierKey, rawPublicKey, verifierKey } from '@fonds/tlog/compute'
import { isLeft } from 'fp-ts/lib/Either.js'
import pino from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freePort } from '#infra/local/kafka/free-port.ts'
import { postCheckpoint } from '#infra/proof/post-checkpoint.ts'
import { createCountersigning } from '#src/app/proof/countersign.ts'
import { signersOf } from '#src/app/proof/signers.ts'
import type { EventStore } from '#src/ports/event-store.ts'
import { origin, sealAll } from '../../app/proof/sealer.ts'
import { proofLogIn } from '../../app/proof/tree-of-log.ts'
import { event } from '../../contracts/new-event.ts'
import { fakeClock } from '../../fakes/clock.ts'
import { fakeEventStore } from '../../fakes/event-store.ts'
import { server } from '../servers.ts'
import { startAgent } from './ssh-agent.ts'

/* A witness that others wrote, torchwood's litewitness: it cosigns heads of our sealer, and refuses a second history. */

const witness = server('litewitness')

const HOUR = 3_600_000
const signal = new AbortController().signal

const tempFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-lw-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  return folder
}

/** Starts one that knows the keys of a log. Returns its line of a policy. */
const startWitness = async (logKey: string): Promise<string> => {
  const folder = tempFolder()
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const socket = join(folder, 'agent')
  const agent = startAgent(socket, privateKey, rawPublicKey(publicKey))
  onTestFinished(agent.close)
  const port = await freePort()
  const db = join(folder, 'witness.db')
  const options = [
    '-name=witness.example/w',
    `-db=${db}`,
    `-ssh-agent=${socket}`,
    `-key=${agent.fingerprint}`,
  ]
  const program = spawn('address' in witness ? witness.address : '', [
    ...options,
    `-listen=127.0.0.1:${port}`,
  ])
  onTestFinished(async () => {
    program.kill('SIGKILL')
    if (program.exitCode === null && program.signalCode === null) await once(program, 'exit')
  })
  let key: string | undefined
  for await (const line of createInterface(program.stderr)) {
    key ??= / vkey="?([^"\s]+)/.exec(line)?.[1]
    if (line.includes('msg=listening')) break
  }
  program.stderr.resume()
  // It says so just before it does.
  while (program.exitCode === null && !(await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)))
    await wait(10)
  const logs = new DatabaseSync(db)
  logs.prepare('INSERT INTO log VALUES (?, 0, ?)').run(origin, Buffer.from(emptyRoot).toString('base64'))
  logs.prepare('INSERT INTO key VALUES (?, ?)').run(origin, logKey)
  logs.close()
  return `witness litewitness ${key} http://127.0.0.1:${port}`
}

/** An archive's sealed log, and what a witness does with its heads. */
const archive = (folder: string, store: EventStore, policy: string) => {
  const logged: string[] = []
  const clock = fakeClock()
  const log = pino({ level: 'warn' }, { write: (line: string) => logged.push(JSON.parse(line).msg) })
  const others = createCountersigning(
    { clock, log, postCheckpoint, timeStamper: undefined },
    proofLogIn(folder),
    parsePolicy(policy),
  )
  return {
    logged,
    doubts: others.doubts,
    /** Seals some more events, and has the head cosigned an hour later. */
    grow: async (events: number, word: string) => {
      for (let n = 0; n < events; n++)
        if (isLeft(await store.append('a-1', 'any', [event('T', { n, word })])()))
          throw new Error('not written')
      await sealAll(folder, store)
      await clock.advance(HOUR)
      await others.ifDue((await proofLogIn(folder).head())!.text, signal)
    },
    /** Size that the witness cosigned. */
    cosigned: async () => {
      const text = await proofLogIn(folder).witnessed()
      const keys = [...parsePolicy(policy).witnesses.values()].map(({ key }) => parseVerifierKey(key))
      return text === undefined ? undefined : parseCheckpoint(openNote(text, keys).text).size
    },
  }
}

describe.skipIf('absent' in witness)('Q100: litewitness', () => {
  it('cosigns our log as it grows, says where it saw more, and refuses a fork', async () => {
    const folder = tempFolder()
    const keys = await proofLogIn(folder).makeKeys()
    const [ed25519] = signersOf(origin, keys, () => 1_764_500_000)
    const policy = `${await startWitness(verifierKey(ed25519!.verifier))}\nquorum litewitness\n`

    const store = fakeEventStore()
    const ours = archive(folder, store, policy)
    await ours.grow(3, 'a')
    expect(await ours.cosigned()).toBe(3n)
    const fork = tempFolder()
    cpSync(join(folder, 'proof-key'), join(fork, 'proof-key'), { recursive: true })
    await ours.grow(300, 'a')
    expect(await ours.cosigned()).toBe(303n)
    expect([ours.logged, ours.doubts()]).toEqual([[], []])

    // The same key, and another history: smaller first, then as large, then larger.
    const theirs = archive(fork, fakeEventStore(), policy)
    await theirs.grow(5, 'b')
    expect(theirs.doubts()).toEqual([`the witness litewitness saw 303 leaves of ${origin}, this tree has 5`])
    await theirs.grow(298, 'b')
    expect(theirs.doubts()).toEqual([expect.stringContaining('the witness litewitness says: ')])
    await theirs.grow(100, 'b')
    expect(theirs.doubts()).toEqual([expect.stringContaining('the witness litewitness says: ')])
    expect(await theirs.cosigned()).toBeUndefined()

    // It still cosigns the first history.
    await ours.grow(1, 'a')
    expect(await ours.cosigned()).toBe(304n)
  })

  it('refuses a head by another key, and the reason is logged', async () => {
    const other = noteSigner(origin, generateKeyPairSync('ed25519').privateKey)
    const folder = tempFolder()
    const policy = `${await startWitness(verifierKey(other.verifier))}\nquorum litewitness\n`
    const ours = archive(folder, fakeEventStore(), policy)
    await ours.grow(3, 'a')
    expect(await ours.cosigned()).toBeUndefined()
    expect(ours.logged).toEqual([expect.stringMatching(/the witness litewitness answered 403: .*signature/)])
  })
})
