import {
  checkpointText,
  emptyRoot,
  InvalidNote,
  isKeyName,
  noteText,
  openNote,
  parseCheckpoint,
  parseNote,
  type Signature,
  signatureLine,
  signedNote,
  UntrustedNote,
  verifiedSignatures,
  withSignatures,
} from '@fonds/tlog'
import {
  cosignedAt,
  cosigner,
  noteSigner,
  parseVerifierKey,
  verifierKey,
  verifierOf,
} from '@fonds/tlog/compute'
import { describe, expect, it } from 'vitest'
import { ed25519, mlDsa44 } from './keys.ts'
import { entriesOf, treeHash } from './naive-tree.ts'

const origin = 'archive.example/fonds'
const root = treeHash(entriesOf(5))
const text = checkpointText({ origin, size: 5n, root })
const log = noteSigner(origin, ed25519())
const seconds = () => 1_764_000_000
const whole = noteText(signedNote(text, [log]))

describe('a note', () => {
  it('is signed, written, and read by those who know a key', () => {
    const opened = openNote(whole, [log.verifier])
    expect(opened.text).toBe(text)
    expect(opened.verified.map(({ verifier }) => verifier.name)).toEqual([origin])
    expect(parseCheckpoint(opened.text)).toEqual({ origin, size: 5n, root: Uint8Array.from(root) })
  })

  it('that was changed, or signed by another key of the same name, is not trusted', () => {
    expect(() => openNote(whole.replace('\n5\n', '\n6\n'), [log.verifier])).toThrow(UntrustedNote)
    expect(() => openNote(whole, [noteSigner(origin, ed25519()).verifier])).toThrow(
      'is signed by no key that is known',
    )
    expect(() => openNote(whole, [])).toThrow(UntrustedNote)
  })

  it('Q90: with one line that is no signature, or with control characters, is refused whole', () => {
    const others = [
      whole.slice(0, -1),
      whole.replaceAll('\n', '\r\n'),
      whole.replace('archive', 'arc\thive'),
      `${whole}— other.example/key AAAA\n`,
      `${whole}- other.example/key AAAAAAAAAAAA\n`,
      `${whole}— other+key AAAAAAAAAAAA\n`,
      `${whole}— other.example/key AAAAAAAAAAAA more\n`,
      `${whole}— other.example/key !AAAAAAAAAAA\n`,
      whole + '— other.example/key AAAAAAAAAAAA\n'.repeat(100),
      text,
      `${text}\n`,
      '',
    ]
    for (const other of others) expect(() => parseNote(other), JSON.stringify(other)).toThrow(InvalidNote)
    expect(() => parseNote(Buffer.from([0xff, 0x0a, 0x0a]))).toThrow('is no UTF-8 text')
    expect(parseNote(`${whole}— other.example/key AAAAAAAAAAAA\n`).signatures).toHaveLength(2)
  })

  it('Q91: of two lines of one key the first is looked at', () => {
    const [line] = parseNote(whole).signatures
    const wrong: Signature = { ...line!, bytes: Buffer.alloc(64) }
    const two = (...signatures: Signature[]) => noteText({ text, signatures })
    expect(() => openNote(two(wrong, line!), [log.verifier])).toThrow(
      'has a signature by archive.example/fonds that is wrong',
    )
    expect(openNote(two(line!, wrong), [log.verifier]).text).toBe(text)
    expect(withSignatures({ text, signatures: [wrong] }, [line!]).signatures).toEqual([line])
  })

  it('Q92: has no empty line in what is signed, and parts at the last one', () => {
    for (const bad of ['a\n\nb\n', '\na\n', 'a', 'a\tb\n', 'a\r\n', ''])
      expect(() => signedNote(bad, [log]), JSON.stringify(bad)).toThrow(InvalidNote)
    expect(parseNote(`a\n\nb\n\n${signatureLine(parseNote(whole).signatures[0]!)}`).text).toBe('a\n\nb\n')
  })

  it('Q93: names that some reader refuses make no key', () => {
    for (const name of ['', 'a b', 'a+b', 'a\u00a0b', 'a\tb', 'a\u2003b']) {
      expect(isKeyName(name), JSON.stringify(name)).toBe(false)
      expect(() => noteSigner(name, ed25519())).toThrow(InvalidNote)
    }
    expect(isKeyName('münchen.example/log')).toBe(true)
  })
})

describe('a verifier key', () => {
  it('is written and read; its id is in either case', () => {
    const keys = [log, cosigner('w.example', ed25519(), seconds), cosigner('w.example', mlDsa44(), seconds)]
    for (const { verifier } of keys) {
      const line = verifierKey(verifier)
      const { isGood: _, ...read } = parseVerifierKey(line)
      const { isGood: __, ...made } = verifier
      expect(read).toEqual({ ...made, publicKey: Uint8Array.from(made.publicKey) })
      const [name, id, key] = [
        line.split('+')[0],
        verifier.keyId,
        line.slice(line.indexOf('+', line.indexOf('+') + 1) + 1),
      ]
      expect(parseVerifierKey(`${name}+${id.toUpperCase()}+${key}`).keyId).toBe(id)
      expect(() => parseVerifierKey(`x${line}`)).toThrow('has a key id that is not of its key')
    }
  })

  it('Q99: one key has another id for each type', () => {
    const key = ed25519()
    const { publicKey } = noteSigner('a.example', key).verifier
    expect(verifierOf('a.example', 'ed25519', publicKey).keyId).not.toBe(
      verifierOf('a.example', 'ed25519-cosignature', publicKey).keyId,
    )
  })

  it('of an unknown type, another length or another form is refused', () => {
    expect(() => parseVerifierKey('a.example+00000000+AgAA')).toThrow(
      'is of type 2, which nothing here verifies',
    )
    expect(() => parseVerifierKey('a.example+00000000+AQAA')).toThrow(
      'has a key of 2 bytes in the place of 32',
    )
    for (const other of ['', 'a.example', 'a.example+0+AQ==', 'a.example+00000000+', 'a.example+00000000+!'])
      expect(() => parseVerifierKey(other), other).toThrow(InvalidNote)
  })
})

describe('a cosignature', () => {
  const keys = { ed25519: ed25519(), mlDsa44: mlDsa44() }

  it.each(['ed25519', 'mlDsa44'] as const)('by %s holds its time, its name and the tree', (kind) => {
    const witness = cosigner('w.example/1', keys[kind], seconds)
    const note = withSignatures(parseNote(whole), [witness.sign(text)])
    const [one] = verifiedSignatures(note, [witness.verifier])
    expect(cosignedAt(one!.verifier.type, one!.signature.bytes)).toBe(1_764_000_000n)

    const otherTime = Uint8Array.from(one!.signature.bytes)
    otherTime[7]! ^= 1
    expect(witness.verifier.isGood(text, otherTime)).toBe(false)
    expect(witness.verifier.isGood(text.replace('\n5\n', '\n6\n'), one!.signature.bytes)).toBe(false)
    expect(witness.verifier.isGood('no checkpoint\n', one!.signature.bytes)).toBe(false)
    expect(witness.verifier.isGood(text, one!.signature.bytes.subarray(0, 7))).toBe(false)
  })

  it('Q96: by Ed25519 covers further lines, by ML-DSA-44 the tree alone', () => {
    const longer = `${text}more\n`
    const [byEd, byMl] = [cosigner('w', keys.ed25519, seconds), cosigner('w', keys.mlDsa44, seconds)]
    expect(byEd.verifier.isGood(longer, byEd.sign(text).bytes)).toBe(false)
    expect(byMl.verifier.isGood(longer, byMl.sign(text).bytes)).toBe(true)
    expect(parseCheckpoint(longer)).toEqual(parseCheckpoint(text))
  })

  it('by ML-DSA-44 commits to the name of its maker', () => {
    const named = cosigner('w.example/1', keys.mlDsa44, seconds)
    const other = verifierOf('w.example/2', 'ml-dsa-44-cosignature', named.verifier.publicKey)
    expect(other.isGood(text, named.sign(text).bytes)).toBe(false)
  })
})

describe('a checkpoint', () => {
  it('Q94: has a size in its one form, below 2^63', () => {
    const sized = (size: string) =>
      parseCheckpoint(`${origin}\n${size}\n${Buffer.from(root).toString('base64')}\n`).size
    expect(sized('9007199254740993')).toBe(9_007_199_254_740_993n)
    expect(sized('9223372036854775807')).toBe(2n ** 63n - 1n)
    for (const size of [
      '007',
      '0x10',
      '',
      ' 5',
      '5 ',
      '-1',
      '1e3',
      '9223372036854775808',
      '99999999999999999999',
    ])
      expect(() => sized(size), size).toThrow('has no size in its second line')
  })

  it('Q95: has a root of 32 bytes in canonical base64, of no leaves exactly the empty one', () => {
    const rooted = (size: number, line: string) => parseCheckpoint(`${origin}\n${size}\n${line}\n`)
    const line = Buffer.from(root).toString('base64')
    for (const other of [
      '',
      line.slice(0, -4),
      `${line}\r`,
      ` ${line}`,
      line.replace(/.=$/, '9='),
      line.replace('=', ''),
    ])
      expect(() => rooted(5, other), other).toThrow('has no root in its third line')
    const empty = Buffer.from(emptyRoot).toString('base64')
    expect(rooted(0, empty).size).toBe(0n)
    expect(() => rooted(0, line)).toThrow('has a root that is not the root of its size')
    expect(() => rooted(5, empty)).toThrow('has a root that is not the root of its size')
  })

  it('has no empty line, and an origin that every reader takes', () => {
    const [first, size, line] = text.split('\n')
    for (const other of [`\n${size}\n${line}\n`, `${first}\n${size}\n${line}`, `${text}\n`, `${text}more`])
      expect(() => parseCheckpoint(other), JSON.stringify(other)).toThrow(InvalidNote)
    for (const bad of ['', 'my archive', 'a+b', 'a\tb', 'a\nb'])
      expect(() => checkpointText({ origin: bad, size: 5n, root }), JSON.stringify(bad)).toThrow(InvalidNote)
  })
})
