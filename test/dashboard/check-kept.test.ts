import { checkpointText, consistencyNodes, noteText, type Signer, signedNote, toBase64 } from '@fonds/tlog'
import { nodeHashes, noteSigner, verifierKey } from '@fonds/tlog/compute'
import { describe, expect, it } from 'vitest'
import { checkKept, type Now, type Verdict } from '../../dashboard/src/pages/proof/check-kept.ts'
import { grown } from '../../packages/tlog/test/grown.ts'
import { ed25519 } from '../../packages/tlog/test/keys.ts'
import { entriesOf, treeHash } from '../../packages/tlog/test/naive-tree.ts'

const origin = 'archive.example/fonds'
const log = noteSigner(origin, ed25519())
const other = noteSigner(origin, ed25519())
const all = entriesOf(13)
/** The same leaves but for one. */
const changed = all.with(2, Buffer.from('another'))

interface Made {
  readonly size?: number
  readonly entries?: readonly Uint8Array[]
  readonly signer?: Signer
  readonly origin?: string
}
const head = ({ size = 13, entries = all, signer = log, origin: name = origin }: Made = {}) =>
  noteText(
    signedNote(checkpointText({ origin: name, size: BigInt(size), root: treeHash(entries.slice(0, size)) }), [
      signer,
    ]),
  )
const now = (checkpoint = head(), more: Partial<Now> = {}): Now => ({
  ...{ checkpoint, keys: [verifierKey(log.verifier)], policy: 'quorum none\n', trusted: undefined },
  ...more,
})
/** Gives proofs of the tree with these entries. */
const provesOf = (entries: readonly Uint8Array[]) => async (from: bigint, to: bigint) =>
  (await nodeHashes(consistencyNodes(from, to), to, grown(entries.slice(0, Number(to))).read)).map(toBase64)
const never = async () => {
  throw new Error('no proof is asked for')
}
const verdictOf = async (
  kept: string,
  today = now(),
  ask: Parameters<typeof checkKept>[2] = provesOf(all),
): Promise<Verdict> => {
  const { verdict, steps } = await checkKept(kept, today, ask)
  const isAllPassed = steps.length === 4 && steps.every(({ isPassed }) => isPassed)
  expect(verdict === 'same').toBe(isAllPassed)
  return verdict
}

describe('a checkpoint that somebody kept, against today’s (Q14)', () => {
  it.each([1, 2, 4, 7, 8, 12, 13])('of %i leaves is of the same history', async (size) => {
    expect(await verdictOf(head({ size }))).toBe('same')
  })

  it('is the same, too, as it comes out of a mail: blanks around it, other ends of lines', async () => {
    expect(await verdictOf(`\n  ${head({ size: 5 }).replaceAll('\n', '\r\n')}\r\n`)).toBe('same')
    expect(await verdictOf(head({ size: 5 }).trimEnd())).toBe('same')
  })

  it('with another root at its size is not, whichever history the server proves', async () => {
    const kept = head({ size: 5, entries: changed })
    for (const ask of [provesOf(all), provesOf(changed)])
      expect(await verdictOf(kept, now(), ask)).toBe('not continued')
    expect(await verdictOf(head({ size: 8, entries: changed }))).toBe('not continued')
  })

  it.each([
    ['none', []],
    ['of another length', [toBase64(treeHash(all))]],
    ['no hashes', ['?', 'AAAA']],
  ])('is not the same by a proof that is %s', async (_, hashes) => {
    expect(await verdictOf(head({ size: 5 }), now(), async () => hashes)).toBe('not continued')
  })

  it('is not the same where the proof has a hash too many that is none', async () => {
    const ask = async (from: bigint, to: bigint) => [...(await provesOf(all)(from, to)), '?']
    expect(await verdictOf(head({ size: 5 }), now(), ask)).toBe('not continued')
  })

  it('of one size with another root is a fork: no proof is asked for', async () => {
    expect(await verdictOf(head({ entries: changed }), now(), never)).toBe('fork')
  })

  it('of a larger tree was signed before the log went back', async () => {
    expect(await verdictOf(head(), now(head({ size: 12 })), never)).toBe('went back')
  })

  it('of another log is not compared', async () => {
    const elsewhere = 'other.example/log'
    const signer = noteSigner(elsewhere, ed25519())
    expect(await verdictOf(head({ size: 5, signer, origin: elsewhere }), now(), never)).toBe('another log')
  })

  it('by another key says nothing, of one size with another root, too', async () => {
    const forged = [head({ size: 5, signer: other }), head({ entries: changed, signer: other })]
    for (const kept of forged) expect(await verdictOf(kept, now(), never)).toBe('not signed')
    // An id is four bytes: another key can be made to have it.
    const same = { ...other, sign: (text: string) => ({ ...other.sign(text), keyId: log.verifier.keyId }) }
    expect(await verdictOf(head({ size: 5, signer: same }), now(), never)).toBe('not signed')
    const trusted = verifierKey(other.verifier)
    expect(await verdictOf(head({ size: 5 }), now(head(), { trusted }), never)).toBe('not signed')
    expect(await verdictOf(head({ size: 5, signer: other }), now(head(), { trusted }), never)).toBe(
      'not signed',
    )
  })

  it('says nothing against a head of today that the key did not sign', async () => {
    for (const checkpoint of [head({ signer: other }), head({ size: 4, signer: other })])
      expect(await verdictOf(head({ size: 5 }), now(checkpoint), never)).toBe('not signed')
    expect(await verdictOf(head({ size: 5 }), now(head(), { keys: [] }), never)).toBe('not signed')
  })

  it('by a key that was replaced is believed up to the head before that, and no further', async () => {
    const policy = `#retired ${verifierKey(other.verifier)} 5\nquorum none\n`
    const today = now(head(), { policy })
    expect(await verdictOf(head({ size: 5, signer: other }), today)).toBe('same')
    expect(await verdictOf(head({ size: 6, signer: other }), today, never)).toBe('not signed')
    const trusted = verifierKey(log.verifier)
    expect(await verdictOf(head({ size: 5, signer: other }), { ...today, trusted }, never)).toBe('not signed')
  })

  it('of no leaves says nothing, and is not called the same', async () => {
    expect(await verdictOf(head({ size: 0 }), now(), never)).toBe('empty')
    expect(await verdictOf(head({ size: 0 }), now(head({ size: 0 })), never)).toBe('empty')
  })

  it.each([
    ['nothing', ''],
    ['words', 'museum.example 5'],
    ['its text alone', head().split('\n\n')[0]!],
    ['cut off', head().slice(0, -30)],
    ['a size that is none', head().replace('\n13\n', '\n-1\n')],
    ['a page of HTML', '<!doctype html><title>Proof</title>'],
  ])('that is %s is none', async (_, text) => {
    expect(await verdictOf(text, now(), never)).toBe('not readable')
  })

  it('with a size that was not signed is not believed', async () => {
    expect(await verdictOf(head().replace('\n13\n', '\n12\n'), now(), never)).toBe('not signed')
  })

  it('is not judged where the server gives no proof: what it says instead is passed on', async () => {
    await expect(checkKept(head({ size: 5 }), now(), never)).rejects.toThrow('no proof is asked for')
  })
})
