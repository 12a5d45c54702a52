import { generateKeyPairSync } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { InvalidNote, noteText, parseNote, signedNote, withSignatures } from '@fonds/tlog'
import { cosigner, noteSigner, verifierKey } from '@fonds/tlog/compute'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { UnreadableExport } from '#src/app/proof/verify/export-files.ts'
import { verifyExport } from '#src/app/proof/verify/verify-export.ts'
import { attacks, edit, unreadable } from './export-attacks.ts'
import { exportOf600 } from './exported.ts'
import { origin } from './sealer.ts'

let folder: string
let whole: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fonds-export-'))
  whole = await exportOf600(folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const verify = async (change: (at: string) => void = () => {}, policy?: string) => {
  const at = mkdtempSync(join(tmpdir(), 'fonds-export-'))
  try {
    cpSync(whole, at, { recursive: true })
    change(at)
    const signal = new AbortController().signal
    return await verifyExport(at, { ...(policy !== undefined && { policy }), onProgress: () => {}, signal })
  } finally {
    rmSync(at, { recursive: true, force: true })
  }
}
const said = async (change?: (at: string) => void, policy?: string): Promise<string> =>
  (await verify(change, policy)).all.map(({ kind, sentence }) => `${kind} ${sentence}`).join('\n')

describe('Q21: checking an export', () => {
  it('finds that all of it holds, by both signatures, and names what it did not check', async () => {
    const { failures, all } = await verify()
    expect(failures).toBe(0)
    expect(all.map(({ kind, sentence }) => `${kind} ${sentence}`)).toEqual([
      "unchecked that the keys are the right ones: they are the export's own. Compare them, or give a policy",
      `holds the log ${origin} signed 600 leaves, by ed25519 and ml-dsa-44-cosignature`,
      'unchecked that everybody sees the same history: the policy wants no witness',
      'holds the root, computed again from all 600 entries, is the signed one',
      'holds the place of 600 events in the tree, and the data and metadata of each',
    ])
    expect(await said(undefined, readFileSync(join(whole, 'policy'), 'utf8'))).not.toContain(
      'keys are the right ones',
    )
  })

  it.each(attacks)('finds $name', async ({ change, found }) => {
    const { failures } = await verify(change)
    expect(failures).toBeGreaterThan(0)
    expect(await said(change)).toMatch(found)
    expect(await said(change)).not.toMatch(/^holds the place of/m)
  })

  it.each(unreadable)('cannot check $name', async ({ change, found }) => {
    const error = await verify(change).catch((thrown: unknown) => thrown)
    expect(error instanceof UnreadableExport || error instanceof InvalidNote).toBe(true)
    expect((error as Error).message).toMatch(found)
  })

  it('finds a hash in a tile that is not of its entries', async () => {
    const change = edit('tile/1/000.p/2', () => 'x'.repeat(64))
    expect(await said(change)).toContain('fails tile 0 of level 1 does not have the hashes of its entries')
  })

  it('believes no other key of the same name, and not the keys of the export where others are given', async () => {
    const other = noteSigner(origin, generateKeyPairSync('ed25519').privateKey)
    const resigned = edit('checkpoint', (text) => noteText(signedNote(parseNote(text).text, [other])))
    expect(await said(resigned)).toContain(
      `fails no key that the policy names for ${origin} signed the checkpoint`,
    )
    const withTheirs = (at: string) => {
      resigned(at)
      writeFileSync(join(at, 'policy'), `log ${verifierKey(other.verifier)}\nquorum none\n`)
    }
    expect((await verify(withTheirs)).failures).toBe(0)
    expect((await verify(withTheirs, readFileSync(join(whole, 'policy'), 'utf8'))).failures).toBe(1)
  })

  it('says where an export begins, and of how many events it has no bytes', async () => {
    const late = (at: string) => {
      edit('export.json', () => '{"form":"fonds.export/v1","of":"log","from":598}')(at)
      edit('events.ndjson', (text) =>
        text
          .split('\n')
          .slice(598)
          .join('\n')
          .replaceAll(/"(meta)?data":"(?:[^"\\]|\\.)*",?/g, '')
          .replaceAll(',}', '}'),
      )(at)
    }
    const found = await said(late)
    expect(found).toContain('unchecked what the events before leaf 598 hold: they are not in this export')
    expect(found).toMatch(/unchecked leaf 599, .*: its data are not in the export/)
    expect(found).toMatch(/^holds the place of 2 events in the tree$/m)
  })

  it('Q25: believes a key that was replaced of heads before, and says so', async () => {
    const others = `log ${verifierKey(noteSigner(origin, generateKeyPairSync('ed25519').privateKey).verifier)}\n`
    const own = readFileSync(join(whole, 'policy'), 'utf8')
    const retired = (until: number) => others + own.replace(/^log (\S+)$/gm, `#retired $1 ${until}`)
    const believed = await said(undefined, retired(600))
    expect(believed).toMatch(/^holds the place of 600 events/m)
    expect(believed).toContain('unchecked that nobody else had the key when it signed')
    const refused = await verify(undefined, retired(599))
    expect(refused.all[0]?.sentence).toContain(
      `no key that the policy names for ${origin} signed the checkpoint`,
    )
    expect(await said(undefined, own)).not.toContain('nobody else had the key')
  })

  it('Q17: wants as many witnesses as the policy, and gives the time of each', async () => {
    const witness = cosigner('w.example/w', generateKeyPairSync('ed25519').privateKey, () => 1_764_500_000)
    const policy = readFileSync(join(whole, 'policy'), 'utf8').replace(
      'quorum none',
      `witness W ${verifierKey(witness.verifier)}\nquorum W`,
    )
    expect(await said(undefined, policy)).toContain('fails these witnesses are not enough for the policy (W)')
    const cosign = edit('checkpoint', (text) => {
      const note = parseNote(text)
      return noteText(withSignatures(note, [witness.sign(note.text)]))
    })
    const found = await said(cosign, policy)
    expect(found).toContain('holds the witness W saw it at 2025-11-30T10:53:20.000Z by its own clock')
    expect(found).toContain('holds these witnesses are enough for the policy (W)')
  })
})
