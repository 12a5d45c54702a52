import { createHash, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addCheckpointText, checkpointText, openNote, signedNote } from '@fonds/tlog'
import { emptyTree, leafHash, noteSigner, parseVerifierKey, verifierKey } from '@fonds/tlog/compute'
import { expect, it, onTestFinished } from 'vitest'
import { openWitnessIn } from '#infra/proof/open-witness.ts'
import { systemClock } from '#src/async/system-clock.ts'
import { startServer } from '../server.ts'

const origin = 'archive.example/log'
const log = noteSigner(origin, generateKeyPairSync('ed25519').privateKey)
const tree = emptyTree()
tree.append(leafHash(Buffer.from('a deposit came')))
const request = (oldSize = 0n): string =>
  addCheckpointText({
    oldSize,
    proof: [],
    note: signedNote(checkpointText({ origin, size: tree.size, root: tree.root() }), [log]),
  })

const useWitness = async (logs = `# a partner\nlog ${verifierKey(log.verifier)}\n`) => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-witness-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const logsFile = join(folder, 'logs')
  writeFileSync(logsFile, logs)
  const settings = { folder: join(folder, 'witness'), name: 'partner.example/witness', logsFile }
  const witness = await openWitnessIn(settings, systemClock)
  onTestFinished(() => witness.close())
  return { ...settings, witness }
}

it('Q18: answers over HTTP as tlog-witness wants it, without a token, and serves what it cosigned', async () => {
  const { witness, folder } = await useWitness()
  const { request: ask } = await startServer({
    settings: { token: 'a-token-that-nobody-here-has' },
    options: { isWitness: true },
    replace: () => ({ witness: async () => witness }),
  })
  const add = (payload: string) => ask({ method: 'POST', url: '/witness/add-checkpoint', payload })
  const first = await add(request())
  expect(first).toMatchObject({ status: 200 })
  expect(first.text).toMatch(/^(— partner\.example\/witness \S+\n){2}$/)
  const conflict = await add(request())
  expect(conflict).toMatchObject({ status: 409, text: '1\n' })
  expect(conflict.headers['content-type']).toBe('text/x.tlog.size')
  expect((await add(request(1n))).status).toBe(200)
  expect((await add('what')).status).toBe(400)

  const hash = createHash('sha256').update(origin).digest('hex')
  const kept = await ask({ url: `/witness/${hash}/checkpoint` })
  const keys = [log.verifier, ...witness.keys.map(parseVerifierKey)]
  expect(openNote(kept.text, keys).verified).toHaveLength(3)
  expect((await ask({ url: `/witness/${'0'.repeat(64)}/checkpoint` })).status).toBe(404)
  expect((await ask({ url: '/witness/what/checkpoint' })).status).toBe(404)
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.pem')))
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600)
})

it('is not there where the role is not', async () => {
  const { request: ask } = await startServer()
  expect((await ask({ method: 'POST', url: '/witness/add-checkpoint', payload: request() })).status).toBe(404)
})

it.each([
  ['', 'names no log'],
  ['log what\n', 'is no verifier key'],
  ['logs of others\n', 'is wrong in line 1: logs is no word of a policy'],
])('a file of logs with %j is refused, and named', async (logs, reason) => {
  await expect(useWitness(logs)).rejects.toThrow(reason)
  await expect(useWitness(logs)).rejects.toThrow('witnessLogs: ')
})
