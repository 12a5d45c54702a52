import { checkpointText, inclusionNodes, noteText, proofFileText, type Signer, signedNote } from '@fonds/tlog'
import { cosigner, nodeHashes, noteSigner, verifierKey } from '@fonds/tlog/compute'
import { describe, expect, it } from 'vitest'
import { eventEntry } from '#src/domain/kernel/proof/event-leaf.ts'
import { leafOf } from '#src/domain/kernel/proof/leaf-of.ts'
import { checkFile, isProofFile } from '../../dashboard/src/pages/proof/check-file.ts'
import { entryFacts } from '../../dashboard/src/pages/proof/entry-facts.ts'
import { grown } from '../../packages/tlog/test/grown.ts'
import { ed25519 } from '../../packages/tlog/test/keys.ts'

const origin = 'archive.example/fonds'
const log = noteSigner(origin, ed25519())
const witness = cosigner('w.example', ed25519(), () => 7)
const entries = Array.from({ length: 13 }, (_, n) =>
  Buffer.from(
    eventEntry(
      leafOf(
        {
          ...{ id: `id-${n}`, type: 'ItemVerified', stream: 'item-1', revision: BigInt(n) },
          ...{ position: BigInt(n), recordedAt: '2026-11-30T13:04:51.123Z', isJson: true },
          ...{ data: `{"n":${n}}`, metadata: '{}' },
        },
        undefined,
      ),
    ),
  ),
)

interface Made {
  readonly index?: bigint
  readonly entry?: Uint8Array | undefined
  readonly signers?: readonly Signer[]
}
const fileOf = async ({ index = 3n, signers = [log], ...rest }: Made = {}) => {
  const { tree, read } = grown(entries)
  const extra = 'entry' in rest ? rest.entry : entries[3]
  return proofFileText({
    ...(extra && { extra }),
    index,
    proof: await nodeHashes(inclusionNodes(3n, 13n), 13n, read),
    checkpoint: noteText(signedNote(checkpointText({ origin, size: 13n, root: tree.root() }), [...signers])),
  })
}
const believed = { keys: [verifierKey(log.verifier)], policy: 'quorum none\n', trusted: undefined }
const root = 'The leaf and 4 hashes give the root'
const signed = 'The root is signed by this archive'
const failing = async (text: string, more = {}) => {
  const { steps, isVerified } = await checkFile(text, { ...believed, ...more })
  expect(isVerified).toBe(false)
  return steps.filter(({ isPassed }) => !isPassed).map(({ name }) => name)
}

describe('a proof file that somebody has, in the browser (Q16)', () => {
  it('holds without the event: its entry is in the signed tree, and states what was sealed', async () => {
    const text = await fileOf()
    expect(isProofFile(text)).toBe(true)
    const { steps, isVerified, entry } = await checkFile(text, believed)
    expect([isVerified, steps.map(({ name }) => name)]).toEqual([true, [root, signed]])
    const { facts, id } = entryFacts(entry!)!
    expect(id).toBe('id-3')
    expect(Object.fromEntries(facts)).toMatchObject({ stream: 'item-1', revision: '3', type: 'ItemVerified' })
  })

  it('by the key of a person, and no other', async () => {
    const trusted = verifierKey(log.verifier)
    expect((await checkFile(await fileOf(), { ...believed, keys: [], trusted })).isVerified).toBe(true)
    const other = noteSigner(origin, ed25519())
    expect(await failing(await fileOf(), { trusted: verifierKey(other.verifier) })).toEqual([signed])
    expect(await failing(await fileOf({ signers: [other] }))).toEqual([signed])
    expect(await failing(await fileOf(), { keys: [] })).toEqual([signed])
  })

  it('with another entry, another index or no entry does not', async () => {
    expect(await failing(await fileOf({ entry: entries[4] }))).toEqual([root])
    expect(await failing(await fileOf({ index: 4n }))).toEqual([root])
    expect(await failing(await fileOf({ entry: undefined }))).toEqual([
      'The file brings the entry of its leaf',
    ])
  })

  it('tells which witnesses saw its head, and fails by a wrong signature of one', async () => {
    const policy = `witness w ${verifierKey(witness.verifier)}\nquorum w\n`
    const seen = await checkFile(await fileOf({ signers: [log, witness] }), { ...believed, policy })
    expect([seen.isVerified, seen.cosigned?.seen]).toEqual([true, ['w']])
    const forger = { ...witness, sign: (text: string) => witness.sign(text.replace('13', '14')) }
    const names = await failing(await fileOf({ signers: [log, forger] }), { policy })
    expect(names).toEqual(['0 of 1 witnesses saw the same root'])
  })

  it.each([
    ['cut off', (text: string) => text.slice(0, 120)],
    ['without signatures', (text: string) => text.replace(/— .*\n/, '')],
    ['of another version', (text: string) => text.replace('@v1', '@v2')],
  ])('that is %s cannot be read', async (_, change) => {
    const text = change(await fileOf())
    expect(isProofFile(text)).toBe(true)
    expect(await failing(text)).toEqual(['The proof can be read'])
  })

  it('a checkpoint is no proof file, and an entry of another form no event', () => {
    expect(isProofFile(`${origin}\n13\n`)).toBe(false)
    for (const text of ['', 'fonds.event/v1', 'fonds.row/v1\n"v"\n{}\n', `${entries[3]}more\n`])
      expect(entryFacts(Buffer.from(text))).toBeUndefined()
    const long = `${entries[3]}`.replace('"id-3"', `sha256:${'A'.repeat(43)}=`)
    expect(entryFacts(Buffer.from(long))?.id).toBeUndefined()
  })
})
