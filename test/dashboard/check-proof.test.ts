import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkpointText, inclusionNodes, noteText, proofFileText, type Signer, signedNote } from '@fonds/tlog'
import { cosigner, leafHash, nodeHashes, noteSigner, verifierKey } from '@fonds/tlog/compute'
import { describe, expect, it } from 'vitest'
import type { EventLeaf } from '#src/domain/kernel/proof/event-entry.ts'
import { eventEntry } from '#src/domain/kernel/proof/event-leaf.ts'
import { leafOf } from '#src/domain/kernel/proof/leaf-of.ts'
import { keyIn, whyNotHere } from '../../dashboard/src/pages/proof/can-check.ts'
import { checkProof } from '../../dashboard/src/pages/proof/check-proof.ts'
import { differingLines, entryOf } from '../../dashboard/src/pages/proof/entry-of.ts'
import type { ProofAnswer } from '../../dashboard/src/pages/proof/proof-answer.ts'
import { grown } from '../../packages/tlog/test/grown.ts'
import { ed25519 } from '../../packages/tlog/test/keys.ts'

const origin = 'archive.example/fonds'
const log = noteSigner(origin, ed25519())
const events = Array.from({ length: 13 }, (_, n) => ({
  ...{ id: `id-${n}`, type: 'ItemVerified', stream: `item-${n % 3}`, revision: BigInt(Math.floor(n / 3)) },
  ...{ position: BigInt(n + 100), recordedAt: '2026-11-30T13:04:51.123Z', isJson: true },
  ...{
    data: `{"n":${n},"é":"\\u202e"}`,
    metadata: n === 5 ? Uint8Array.of(0xff, 0x00) : '{"actor":"person:1"}',
  },
}))
const entries = events.map((event, n) =>
  Buffer.from(eventEntry(leafOf(event, n < 3 ? undefined : BigInt(n - 3)))),
)

interface Made {
  readonly event?: Partial<NonNullable<ProofAnswer['event']>>
  readonly index?: number
  readonly entry?: Uint8Array
  readonly signer?: Signer
  readonly size?: bigint
  readonly proofOf?: number
  readonly witnesses?: readonly Signer[]
  readonly policy?: string
}

/** The answer about event `n`, as the server gives it unless something is changed. */
const answerOf = async (n: number, made: Made = {}): Promise<ProofAnswer> => {
  const { index = n, entry = entries[n]!, signer = log, size = 13n, proofOf = n, witnesses = [] } = made
  const { tree, read } = grown(entries)
  const proof = await nodeHashes(inclusionNodes(BigInt(proofOf), 13n), 13n, read)
  const checkpoint = noteText(
    signedNote(checkpointText({ origin, size, root: tree.root() }), [signer, ...witnesses]),
  )
  const { position, revision, isJson: _, data, metadata, ...rest } = events[n]!
  return {
    ...{
      file: `id-${n}.tlog-proof`,
      origin,
      index: `${index}`,
      size: '13',
      keys: [verifierKey(log.verifier)],
    },
    policy: made.policy ?? 'quorum none\n',
    proof: proofFileText({ extra: entry, index: BigInt(index), proof, checkpoint }),
    event: {
      ...{ ...rest, position: `${position}`, revision: `${revision}`, data },
      metadata:
        typeof metadata === 'string' ? metadata : { base64: Buffer.from(metadata).toString('base64') },
      ...made.event,
    },
  }
}
const failing = async (answer: ProofAnswer, asked: Parameters<typeof checkProof>[1], key?: string) => {
  const { steps, isVerified } = await checkProof(answer, asked, key)
  const failed = steps.filter(({ isPassed }) => !isPassed).map(({ name }) => name)
  expect(isVerified).toBe(failed.length === 0 && steps.length >= 4)
  expect(isVerified).toBe(false)
  return failed
}
const asked = 'It is the event that was asked for'
const bytes = 'The event’s bytes give its leaf'
const root = 'The leaf and 4 hashes give the root'
const signed = 'The root is signed by this archive'
const legible = 'The proof can be read'

describe('a proof in the browser (Q16)', () => {
  it.each([0, 3, 5])('of event %i is verified: every check passed', async (n) => {
    for (const by of [
      { position: `${n + 100}` },
      { id: `id-${n}` },
      { position: `${n + 100}`, id: `id-${n}` },
    ]) {
      const { steps, isVerified, way } = await checkProof(await answerOf(n), by)
      expect(steps.map(({ isPassed }) => isPassed)).toEqual([true, true, true, true])
      expect(isVerified).toBe(true)
      expect([way?.index, way?.hashes.length]).toEqual([BigInt(n), 5])
    }
  })

  it.each([
    ['its data', { data: '{"n":3,"é":"\\u202e"} ' }, 'another data'],
    ['its metadata', { metadata: '{"actor":"person:2"}' }, 'another metadata'],
    ['its type', { type: 'ItemMissing' }, 'another type'],
    ['its stream', { stream: 'item-1' }, 'another stream'],
    ['its revision', { revision: '2' }, 'another revision'],
    ['its time', { recordedAt: '2026-11-30T13:04:51.124Z' }, 'another time of recording'],
    ['its data, as bytes', { data: { base64: 'AAAA' } }, 'another data'],
  ] as const)('a byte of %s that was changed is named, and not verified', async (_, event, found) => {
    const answer = await answerOf(3, { event })
    expect(await failing(answer, { position: '103' })).toEqual([bytes])
    expect((await checkProof(answer, { position: '103' })).steps[1]!.computed).toBe(found)
  })

  it('an entry that was changed with the event gives another root', async () => {
    const data = '{"n":4}'
    const entry = Buffer.from(eventEntry(leafOf({ ...events[3]!, data }, 0n)))
    expect(await failing(await answerOf(3, { event: { data }, entry }), { position: '103' })).toEqual([root])
  })

  it('the proof of another event, or for another index, is not verified', async () => {
    const other = await answerOf(4)
    expect(await failing(other, { position: '103' })).toEqual([asked])
    expect(await failing(other, { id: 'id-3' })).toEqual([asked])
    expect(await failing(await answerOf(3), {})).toEqual([asked])
    expect(await failing(await answerOf(3, { index: 4 }), { position: '103' })).toEqual([root])
    expect(await failing(await answerOf(3, { index: 13 }), { position: '103' })).toEqual([
      'The leaf and 4 hashes give the root',
    ])
    expect(await failing(await answerOf(3, { proofOf: 4 }), { position: '103' })).toEqual([root])
    expect(await failing({ ...other, event: (await answerOf(3)).event }, { position: '103' })).toEqual([
      bytes,
    ])
  })

  it('a head of another key, of another log or of none is not verified', async () => {
    const forger = noteSigner(origin, ed25519())
    const forged = await answerOf(3, { signer: forger })
    expect(await failing(forged, { position: '103' })).toEqual([signed])
    expect(await failing(await answerOf(3), { position: '103' }, verifierKey(forger.verifier))).toEqual([
      signed,
    ])
    const elsewhere = verifierKey(noteSigner('other.example/log', ed25519()).verifier)
    expect(await failing(await answerOf(3), { position: '103' }, elsewhere)).toEqual([signed])
    expect(await failing({ ...(await answerOf(3)), keys: [] }, { position: '103' })).toEqual([signed])
    expect((await checkProof(forged, { position: '103' }, verifierKey(forger.verifier))).isVerified).toBe(
      true,
    )
  })

  it('a size or a root that was not signed is not verified', async () => {
    const answer = await answerOf(3)
    const larger = { ...answer, proof: answer.proof.replace('\n13\n', '\n14\n') }
    expect(await failing(larger, { position: '103' })).toContain(signed)
    const { tree } = grown(entries.slice(0, 12))
    const old = Buffer.from(grown(entries).tree.root()).toString('base64')
    const other = answer.proof.replace(old, Buffer.from(tree.root()).toString('base64'))
    expect(await failing({ ...answer, proof: other }, { position: '103' })).toEqual([root, signed])
  })

  it('an event that the log lost is not verified, whatever its entry has', async () => {
    expect(await failing({ ...(await answerOf(3)), event: null }, { position: '103' })).toEqual([
      asked,
      bytes,
    ])
  })

  it.each([
    ['nothing', () => ''],
    ['without its entry', (text: string) => text.replace(/extra .*\n/, '')],
    ['cut off', (text: string) => text.slice(0, 200)],
    ['with a hash too few', (text: string) => text.replace(/(index 3\n).*\n/, '$1')],
    ['with a hash too many', (text: string) => text.replace(/(index 3\n)(.*\n)/, '$1$2$2')],
    ['without signatures', (text: string) => text.replace(/— .*\n/, '')],
  ])('a proof that is %s is not verified', async (_, change) => {
    const answer = await answerOf(3)
    const failed = await failing({ ...answer, proof: change(answer.proof) }, { position: '103' })
    expect(failed.length).toBeGreaterThan(0)
  })

  it('a key or bytes that are of no form are a check that failed, and no error', async () => {
    const answer = await answerOf(3)
    expect(await failing({ ...answer, keys: ['x'] }, { position: '103' })).toEqual([legible])
    const event = { ...answer.event!, data: { base64: '?' } }
    expect(await failing({ ...answer, event }, { position: '103' })).toEqual([legible])
    for (const revision of ['1\n', ' 1', '0x1', '1.0', 'one', '']) {
      const named = { ...answer, event: { ...answer.event!, revision } }
      expect(await failing(named, { position: '103' })).toEqual([legible])
    }
  })
})

describe('witnesses in the browser', () => {
  const [one, two] = ['w.example/1', 'w.example/2'].map((name) => cosigner(name, ed25519(), () => 7)) as [
    Signer,
    Signer,
  ]
  const lines = [one, two].map(({ verifier }, i) => `witness w${i + 1} ${verifierKey(verifier)}\n`).join('')
  const policy = `${lines}group all all w1 w2\nquorum all\n`
  const asking = { position: '103' }

  it.each([
    [[one, two], '2 of 2 witnesses saw the same root', 'enough for the policy'],
    [[two], '1 of 2 witnesses saw the same root', 'the policy wants more'],
  ] as const)('that cosigned are a check more', async (witnesses, name, kept) => {
    const { steps, isVerified } = await checkProof(await answerOf(3, { witnesses, policy }), asking)
    expect(isVerified).toBe(true)
    expect(steps[4]).toMatchObject({ name, isPassed: true, kept })
  })

  it('that did not are none, and are not called witnesses of it', async () => {
    const { steps, isVerified, cosigned } = await checkProof(await answerOf(3, { policy }), asking)
    expect([steps.length, isVerified, cosigned]).toEqual([
      ...[4, true],
      { seen: [], wrong: [], asked: 2, isEnough: false },
    ])
  })

  it('whose signature is wrong keep it from being verified', async () => {
    const forged = { ...one, sign: (text: string) => one.sign(text.replace('13', '14')) }
    const answer = await answerOf(3, { witnesses: [forged, two], policy })
    const { steps, isVerified } = await checkProof(answer, asking)
    expect(isVerified).toBe(false)
    expect(steps[4]).toMatchObject({ isPassed: false, computed: 'a wrong signature of w1' })
  })

  it('of a policy that is none are a check that failed', async () => {
    expect(await failing(await answerOf(3, { policy: 'quorum of them\n' }), asking)).toEqual([legible])
  })
})

describe('the entry that the browser writes', () => {
  const { entries: vectors } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../domain/kernel/proof/event-leaf-vectors.json'), 'utf8'),
  ) as { entries: { name: string; fields: Record<string, unknown>; entry: string; leafHash: string }[] }

  it.each(vectors)('is that of the vectors but for its digests: $name', async ({ fields, entry }) => {
    const [stream, id, type] = ['stream', 'id', 'type'].map((name) => fields[name])
    // Texts of which the vector has the digest alone are not there to be written.
    const isText = [stream, id, type].every((text) => typeof text === 'string')
    if (!isText) return expect(entry).toMatch(/\n(sha256|commitment):/)
    const { revision, recordedAt } = fields as { revision: string; recordedAt: string }
    const event = {
      ...({ stream, id, type } as { stream: string; id: string; type: string }),
      revision,
      recordedAt,
    }
    const whole = { ...event, position: '1', data: 'd', metadata: 'm' }
    const written = await entryOf(whole, Buffer.from(entry))
    expect(differingLines(written, Buffer.from(entry))).toEqual(['data', 'metadata'])
    const digests = leafOf({ ...whole, revision: BigInt(revision), position: 1n, isJson: true }, undefined)
    const lines = entry.split('\n')
    expect(Buffer.from(written).toString().split('\n')).toEqual(
      lines.with(6, digests.data).with(7, digests.metadata),
    )
  })

  it('has the digest of a text that is too long', async () => {
    const [long] = ['ü'.repeat(9000)]
    const event = { ...events[3]!, stream: long! }
    const expected = eventEntry(leafOf(event, undefined) as EventLeaf)
    const { revision, position, ...rest } = event
    const answer = {
      ...rest,
      revision: `${revision}`,
      position: `${position}`,
      metadata: '{"actor":"person:1"}',
    }
    expect(Buffer.from(await entryOf(answer, Buffer.from(expected))).toString()).toBe(expected)
    expect(expected).toContain('sha256:')
    expect(leafHash(Buffer.from(expected))).toHaveLength(32)
  })
})

describe('where it can be checked', () => {
  it('in a secure page, with Ed25519; else there is a reason', async () => {
    expect(await whyNotHere()).toBeUndefined()
  })

  it('a key is taken out of what people paste', () => {
    const key = verifierKey(log.verifier)
    for (const text of [key, `  ${key}\n`, `log ${key}\nquorum none\n`, `# keys\nlog ${key} https://x\n`])
      expect(keyIn(text)).toBe(key)
    for (const text of ['', 'x', origin, key.replace(/\+A./, '+BA')]) expect(keyIn(text)).toBeUndefined()
  })
})
