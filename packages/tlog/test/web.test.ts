import { checkpointText, inclusionNodes, inclusionPath, noteText, parseNote, signedNote } from '@fonds/tlog'
import * as node from '@fonds/tlog/compute'
import { climb, fromBase64, isSignedBy, leafHash, parseVerifierKey, sha256, toBase64 } from '@fonds/tlog/web'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../test/runs.ts'
import { grown } from './grown.ts'
import { ed25519, mlDsa44 } from './keys.ts'
import { entriesOf, treeHash } from './naive-tree.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

describe('in browsers, by WebCrypto', () => {
  it('bytes, digests and base64 are those of Node', async () => {
    const lengths = { minLength: 0, maxLength: 20_000 }
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ ...lengths, size: 'max' }), async (bytes) => {
        expect(hex(await sha256(bytes))).toBe(hex(node.sha256(bytes)))
        expect(hex(await leafHash(bytes))).toBe(hex(node.leafHash(bytes)))
        expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'))
        expect(fromBase64(toBase64(bytes))).toEqual(Uint8Array.from(bytes))
      }),
      { numRuns: runs(40) },
    )
  })

  it.each(['AA', 'AA=', 'AA==\n', ' AA==', 'AB==', 'A===', '-_==', 'é', 'AAA=A'])(
    'base64 has one form: %s',
    (text) => {
      expect(fromBase64(text)).toBeUndefined()
    },
  )

  it('the way from each leaf ends at the root, and no other way does', async () => {
    for (const size of [1, 2, 3, 7, 8, 13, 257]) {
      const entries = entriesOf(size)
      const { read } = grown(entries)
      const root = hex(treeHash(entries))
      for (const index of new Set([0, 1, size >> 1, size - 1].filter((one) => one < size))) {
        const proof = await node.nodeHashes(inclusionNodes(BigInt(index), BigInt(size)), BigInt(size), read)
        const end = async (at: number, of: number, entry = entries[index]!) => {
          const path = inclusionPath({ index: BigInt(at), size: BigInt(of), proof })
          const last = path && (await climb(await leafHash(entry), path)).at(-1)
          expect(last !== undefined && hex(last) === root).toBe(
            node.isIncluded({
              leaf: node.leafHash(entry),
              index: BigInt(at),
              size: BigInt(of),
              proof,
              root: treeHash(entries),
            }),
          )
          return last && hex(last)
        }
        expect(await end(index, size)).toBe(root)
        expect(await end(index + 1, size)).not.toBe(root)
        expect(await end(index - 1, size)).not.toBe(root)
        expect(await end(index, size, Buffer.from('another'))).not.toBe(root)
      }
    }
  })
})

describe('signatures, by WebCrypto', () => {
  const origin = 'archive.example/fonds'
  const text = checkpointText({ origin, size: 5n, root: treeHash(entriesOf(5)) })
  const log = node.noteSigner(origin, ed25519())
  const witness = node.cosigner('w.example', ed25519(), () => 7)
  const note = parseNote(noteText(signedNote(text, [log, witness])))
  const keyOf = (signer: typeof log) => parseVerifierKey(node.verifierKey(signer.verifier))

  it('of the log and of a witness are good; those of another key, or of another text, are not', async () => {
    for (const signer of [log, witness]) expect(await isSignedBy(await keyOf(signer), note)).toBe(true)
    const other = await keyOf(node.noteSigner(origin, ed25519()))
    expect(await isSignedBy(other, note)).toBeUndefined()
    // The same id, as another key can be made to have it.
    expect(await isSignedBy({ ...other, keyId: log.verifier.keyId }, note)).toBe(false)
    for (const changed of [text.replace('\n5\n', '\n6\n'), `${text}more\n`, 'none\n'])
      for (const signer of [log, witness])
        expect(await isSignedBy(await keyOf(signer), { ...note, text: changed })).toBe(false)
  })

  it('by ML-DSA-44 are not verified, and not called good', async () => {
    const key = await keyOf(node.cosigner(origin, mlDsa44(), () => 7))
    const signed = parseNote(noteText(signedNote(text, [node.cosigner(origin, mlDsa44(), () => 7)])))
    expect(await isSignedBy(key, signed)).toBeUndefined()
    const line = { ...signed.signatures[0]!, keyId: key.keyId }
    await expect(isSignedBy(key, { ...signed, signatures: [line] })).rejects.toMatchObject({
      name: 'NotSupportedError',
    })
  })

  it('a key whose id is not of it is none', async () => {
    const text = node.verifierKey(log.verifier).replace(log.verifier.keyId, '00000000')
    await expect(parseVerifierKey(text)).rejects.toThrow('has a key id that is not of its key')
    await expect(parseVerifierKey('x')).rejects.toThrow('is no verifier key')
  })
})
