import { spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { checkpointText, noteText, parseCheckpoint, parseNote, signedNote, withSignatures } from '@fonds/tlog'
import { cosigner, noteSigner, verifierKey } from '@fonds/tlog/compute'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { attacks, edit, unreadable } from '../../app/proof/export-attacks.ts'
import { exportOf600, exportOfStated, exportOfThing } from '../../app/proof/exported.ts'
import { exportWithRemoval, removals, removedAttacks } from '../../app/proof/removed-attacks.ts'
import { origin } from '../../app/proof/sealer.ts'
import { statedAttacks, unreadableStated } from '../../app/proof/stated-attacks.ts'
import { thingAttacks, unreadableThings } from '../../app/proof/thing-attacks.ts'
import { server } from '../servers.ts'

/* The program in an export, which shares no line with ours, on exports as they are and as somebody changed them. */

const judge = server('bagit')
const python = join(dirname('address' in judge ? judge.address : ''), 'python')

let folder: string
let whole: string
let thing: string
let stated: string
let removed: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fonds-export-'))
  whole = await exportOf600(folder)
  thing = await exportOfThing(join(folder, 'other'))
  stated = await exportOfStated(join(folder, 'stated'))
  removed = await exportWithRemoval(mkdtempSync(join(folder, 'removed-')))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the program that lies in the export, in another place than where it was made. */
const verify = (change: (at: string) => void = () => {}, ...options: readonly string[]) =>
  verifyOf(whole, change, options)

const verifyThing = (change: (at: string) => void = () => {}) => verifyOf(thing, change)

const verifyOf = (from: string, change: (at: string) => void, options: readonly string[] = []) => {
  const at = mkdtempSync(join(tmpdir(), 'fonds-export-'))
  try {
    cpSync(from, at, { recursive: true })
    change(at)
    const { status, stdout, stderr } = spawnSync(python, ['verify.py', '.', ...options], {
      cwd: at,
      encoding: 'utf8',
    })
    return { status, said: stdout + stderr, files: readdirSync(at) }
  } finally {
    rmSync(at, { recursive: true, force: true })
  }
}
describe.skipIf('absent' in judge)('Q21: the program in an export', () => {
  it('finds that all of it holds, and names what it did not check', () => {
    const { status, said } = verify()
    expect(said).toContain('the root, computed again from all 600 entries, is the signed one')
    expect(said).toContain('600 events were looked at')
    expect(said).toMatch(/unchecked .*ML-DSA-44/)
    expect(said).toMatch(/unchecked .*the policy wants no witness/)
    expect(said).toMatch(/unchecked .*Compare them, or give --policy/)
    expect(said.trimEnd()).toMatch(/What was checked holds; 3 things were not checked\.$/)
    expect(status).toBe(0)
  })

  it.each(attacks)('finds $name', ({ change, found }) => {
    const { status, said } = verify(change)
    expect(said).toMatch(found)
    expect(said).toContain('NOT ALL OF IT HOLDS')
    expect(said).not.toContain('What was checked holds')
    expect(status).toBe(1)
  })

  it.each(unreadable)('cannot check $name, and says so', ({ change, found }) => {
    const { status, said } = verify(change)
    expect(said).toMatch(found)
    expect(said).not.toContain('What was checked holds')
    expect(status).toBe(2)
  })

  it('Q5: finds that a thing had no other event', () => {
    const { status, said } = verifyThing()
    expect(said).toContain('holds      item-a had 101 events and no other when 900 leaves were signed')
    expect(said).toContain('102 events were looked at: the place of each in the tree, and of 102 their data')
    expect(said).toMatch(/unchecked +that item-a are all streams of these things, and 1 events of others/)
    expect(status).toBe(0)
  })

  it.each(thingAttacks)('Q5: of a thing finds $name', ({ change, found }) => {
    const { status, said } = verifyThing(change)
    expect(said).toMatch(found)
    expect(said).toContain('NOT ALL OF IT HOLDS')
    expect(said).not.toContain('and no other when')
    expect(status).toBe(1)
  })

  it.each(unreadableThings)('Q5: of a thing cannot check $name, and says so', ({ change, found }) => {
    const { status, said } = verifyThing(change)
    expect(said).toMatch(found)
    expect(said).not.toContain('What was checked holds')
    expect(status).toBe(2)
  })

  it('Q31: says on which statement of the archive it rests, and leaves the folder as it was', () => {
    const { status, said, files } = verifyOf(stated, () => {})
    expect(said).toContain(
      'holds      item-a, item-b had 103 events and no other when 1301 leaves were signed, if what leaf 1200 states of the first 1200 is right',
    )
    expect(said).toMatch(/holds +leaf 1200, .* of 52 streams among the first 1200.*of item-a it is leaf 800/)
    expect(said).toContain("unchecked  that leaf 1200 states it rightly: it is the archive's own word")
    expect(status).toBe(0)
    expect(files).not.toContain('__pycache__')
  })

  it.each(statedAttacks)('Q31: of a thing with a statement finds $name', ({ change, found }) => {
    const { status, said } = verifyOf(stated, change)
    expect(said).toMatch(found)
    expect(said).toContain('NOT ALL OF IT HOLDS')
    expect(said).not.toContain('and no other when')
    expect(status).toBe(1)
  })

  it.each(unreadableStated)('Q31: of a thing cannot check $name, and says so', ({ change, found }) => {
    const { status, said } = verifyOf(stated, change)
    expect(said).toMatch(found)
    expect(said).not.toContain('What was checked holds')
    expect(status).toBe(2)
  })

  it('Q20: tells events that a policy removed from those of which no event tells', () => {
    const { status, said, files } = verifyOf(removed, () => {})
    for (const one of removals.all) expect(said).toMatch(one)
    expect(status).toBe(0)
    expect(files).not.toContain('__pycache__')
  })

  it.each(removedAttacks)('Q20: $name', ({ change, found }) => {
    expect(verifyOf(removed, change).said).toMatch(found)
    expect(verifyOf(removed, removedAttacks[0]!.change).said).not.toMatch(removals.covered)
  })

  it('a head signed by another key fails against the keys of the policy, also under the same name', () => {
    const other = noteSigner(origin, generateKeyPairSync('ed25519').privateKey)
    const resigned = edit('checkpoint', (text) => noteText(signedNote(parseNote(text).text, [other])))
    const { status, said } = verify(resigned)
    expect(said).toMatch(/FAILS .*no key that the policy names for archive\.example\/log signed it/)
    expect(status).toBe(1)
    const withOwnPolicy = (at: string) => {
      resigned(at)
      edit('policy', () => `log ${verifierKey(other.verifier)}\nquorum none\n`)(at)
    }
    const fooled = verify(withOwnPolicy)
    expect(fooled.said).toContain("they are the export's own")
    const theirs = join(folder, 'policy-of-the-reader')
    writeFileSync(theirs, readFileSync(join(whole, 'policy')))
    expect(verify(withOwnPolicy, '--policy', theirs)).toMatchObject({ status: 1 })
    expect(verify(withOwnPolicy, `--policy=${theirs}`)).toMatchObject({ status: 1 })
    expect(verify(() => {}, theirs)).toMatchObject({
      status: 2,
      said: expect.stringContaining('unrecognized arguments'),
    })
  })

  it('Q25: believes a key that was replaced of heads before, and says so', () => {
    const others = `log ${verifierKey(noteSigner(origin, generateKeyPairSync('ed25519').privateKey).verifier)}\n`
    const retired = (until: number) =>
      edit('policy', (text) => others + text.replace(/^log (\S+)$/gm, `#retired $1 ${until}`))
    const believed = verify(retired(600))
    expect(believed.status).toBe(0)
    expect(believed.said).toContain('that nobody else had the key when it signed')
    expect(verify(retired(599))).toMatchObject({
      status: 1,
      said: expect.stringMatching(/FAILS .*no key that the policy names/),
    })
    expect(verify().said).not.toContain('nobody else had the key')
  })

  it('Q17: takes witnesses as the policy wants them, and the time of each', () => {
    const [a, b] = ['a.example/w', 'b.example/w'].map((name) =>
      cosigner(name, generateKeyPairSync('ed25519').privateKey, () => 1_764_500_000),
    )
    const policyOf = (quorum: string) =>
      edit(
        'policy',
        (text) =>
          `${text.replace('quorum none\n', '')}witness A ${verifierKey(a!.verifier)}\nwitness B ${verifierKey(b!.verifier)}\ngroup both all A B\ngroup any1 any A B\nquorum ${quorum}\n`,
      )
    const cosignedBy = (signer: typeof a) =>
      edit('checkpoint', (text) => {
        const note = parseNote(text)
        return noteText(withSignatures(note, [signer!.sign(note.text)]))
      })
    const both = (quorum: string) => (at: string) => {
      policyOf(quorum)(at)
      cosignedBy(a)(at)
    }
    expect(verify(both('any1')).said).toContain(
      'the witness A saw it at 2025-11-30T10:53:20Z by its own clock',
    )
    expect(verify(both('any1')).status).toBe(0)
    expect(verify(both('both'))).toMatchObject({
      status: 1,
      said: expect.stringContaining('not enough for the policy (both)'),
    })
    const later = cosigner('c.example/w', generateKeyPairSync('ml-dsa-44' as 'ed25519').privateKey, () => 1)
    const unknown = (at: string) => {
      both('both')(at)
      edit('policy', (text) => text.replace(verifierKey(b!.verifier), verifierKey(later.verifier)))(at)
      cosignedBy(later)(at)
    }
    expect(verify(unknown)).toMatchObject({
      status: 0,
      said: expect.stringMatching(/unchecked +whether these witnesses are enough for the policy \(both\)/),
    })
    const wrong = (at: string) => {
      policyOf('A')(at)
      edit('checkpoint', (text) => {
        const note = parseNote(text)
        const { origin, root } = parseCheckpoint(note.text)
        return noteText(withSignatures(note, [a!.sign(checkpointText({ origin, size: 601n, root }))]))
      })(at)
    }
    expect(verify(wrong)).toMatchObject({
      status: 1,
      said: expect.stringContaining('the witness A is not by its key'),
    })
  })
})
