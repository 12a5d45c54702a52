import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isLeft, type Right, right } from 'fp-ts/lib/Either.js'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { openPersonalValues } from '#infra/personal/personal-values.ts'
import { UnavailableError } from '#src/async/unavailable.ts'
import { personalCommitment } from '#src/domain/kernel/personal-commitment.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'fonds-personal-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
})

const opened = () => {
  const values = openPersonalValues({ folder: join(home, 'personal'), keyFolder: join(home, 'key') })
  onTestFinished(() => values.close())
  return values
}
type Values = ReturnType<typeof opened>
const sealed = async (values: Values, ...texts: readonly string[]) =>
  ((await values.seal(texts)()) as Right<readonly string[]>).right
const at = '2026-11-30T17:00:00.000Z'
const bytesOf = (folder: string): readonly Buffer[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [readFileSync(join(entry.parentPath, entry.name))] : [],
  )

it('the same text has the same reference, in every process', async () => {
  const values = opened()
  const [ada, ben, again] = await sealed(values, 'ada', 'ben', 'ada')
  expect(again).toBe(ada)
  expect(ben).not.toBe(ada)
  expect(await sealed(opened(), 'ben', 'ada', ada!)).toEqual([ben, ada, ada])
  expect(await values.referenceOf('ada')()).toEqual(right(ada))
  expect(await values.referenceOf('Ada')()).toEqual(right(undefined))
})

it('folders without values are begun only where that may be, and at each try it is asked again', async () => {
  let isElsewhere = true
  const folders = { folder: join(home, 'personal'), keyFolder: join(home, 'key') }
  const values = openPersonalValues(folders, async () => {
    if (isElsewhere) throw new UnavailableError('elsewhere')
  })
  onTestFinished(() => values.close())
  expect(await values.seal(['ada'])()).toMatchObject({ left: { reason: 'elsewhere' } })
  expect(readdirSync(home)).toEqual([])
  isElsewhere = false
  await sealed(values, 'ada')
  isElsewhere = true
  // Those that have values go on.
  expect(await sealed(values, 'ben')).toHaveLength(1)
  const again = openPersonalValues(folders, () => Promise.reject(new Error('never asked')))
  onTestFinished(() => again.close())
  expect(await sealed(again, 'ada')).toEqual(await sealed(values, 'ada'))
})

it('two processes that keep a text at once get one reference', async () => {
  const [one, other] = [opened(), opened()]
  const texts = Array.from({ length: 20 }, (_, i) => `name ${i}`)
  const [first, second] = await Promise.all([sealed(one, ...texts), sealed(other, ...texts.toReversed())])
  expect(second.toReversed()).toEqual(first)
})

it('Q41 a value is read with the salt that its commitment was made with', async () => {
  const values = opened()
  const [reference] = await sealed(values, 'Zoë')
  const found = (await values.find([reference!, 'ada'])()) as Right<ReadonlyMap<string, { salt: string }>>
  expect([...found.right.keys()]).toEqual([reference])
  const { salt } = found.right.get(reference!)!
  expect(found.right.get(reference!)).toEqual({ kind: 'value', text: 'Zoë', salt })
  expect(reference).toContain(`.${personalCommitment(Buffer.from(salt, 'base64url'), 'Zoë')}`)
})

it('Q42 no file has a value as it is; the key is for its user alone', async () => {
  await sealed(opened(), 'Ada Brandt of Ghent')
  expect(bytesOf(home)).not.toHaveLength(0)
  for (const bytes of bytesOf(home)) expect(bytes.includes('Ada')).toBe(false)
  expect(statSync(join(home, 'key', 'master.key')).mode & 0o777).toBe(0o600)
  expect(statSync(join(home, 'key')).mode & 0o777).toBe(0o700)
})

it('Q41 what is erased is in no byte, and its reference says when', async () => {
  const values = opened()
  const [ada, ben] = await sealed(values, 'ada', 'ben')
  // The bytes that lead to the value: wrapped key, ciphertext, lookup.
  const before = opened()
  expect(await before.find([ada!])()).toMatchObject(right(new Map([[ada, { text: 'ada' }]])))
  expect(await values.erase([ada!], at)()).toEqual(right(undefined))
  expect(await values.erase([ada!], '2027-01-01T00:00:00.000Z')()).toEqual(right(undefined))
  for (const one of [values, before, opened()]) {
    expect(await one.find([ada!])()).toEqual(right(new Map([[ada, { kind: 'erased', at }]])))
    expect(await one.find([ben!])()).toMatchObject(right(new Map([[ben, { text: 'ben' }]])))
    expect(await one.counts()()).toEqual(right({ kept: 1, erased: 1, lastErased: at }))
  }
  expect(await values.referenceOf('ada')()).toEqual(right(undefined))
  expect(await sealed(values, 'ada')).not.toEqual([ada])
})

it('Q41 the bytes that were there are overwritten', async () => {
  const values = opened()
  const [ada] = await sealed(values, 'ada')
  const folder = join(home, 'personal')
  const { DatabaseSync } = await import('node:sqlite')
  const db = new DatabaseSync(join(folder, 'values.db'))
  const { key, value, lookup } = db.prepare('SELECT key, value, lookup FROM personal').get() as Record<
    string,
    Uint8Array
  >
  db.close()
  const has = (bytes: Uint8Array) => bytesOf(folder).some((file) => file.includes(Buffer.from(bytes)))
  for (const bytes of [key, value, lookup]) expect(has(bytes!)).toBe(true)
  await values.erase([ada!], at)()
  for (const bytes of [key, value, lookup]) expect(has(bytes!)).toBe(false)
})

it('values that hold a text are found in upper and lower case', async () => {
  const values = opened()
  const [ada, asked, ben] = await sealed(values, 'ada', 'Ada asked for it', 'ben')
  expect(await values.holding('ADA')()).toEqual(right([ada, asked]))
  await values.erase([ada!], at)()
  expect(await values.holding('ADA')()).toEqual(right([asked]))
  expect(await values.holding('be')()).toEqual(right([ben]))
})

it('nothing is made for a question', async () => {
  const values = opened()
  expect(await values.find(['personal:x'])()).toEqual(right(new Map()))
  expect(await values.holding('ada')()).toEqual(right([]))
  expect(await values.erase(['personal:x'], at)()).toEqual(right(undefined))
  expect(await values.counts()()).toEqual(right({ kept: 0, erased: 0 }))
  expect(readdirSync(home)).toEqual([])
})

it('without the key, or under another one, nothing is read and nothing is kept', async () => {
  const [ada] = await sealed(opened(), 'ada')
  renameSync(join(home, 'key'), join(home, 'key-away'))
  for (const attempt of [opened().seal(['ben'])(), opened().find([ada!])()]) {
    const failed = await attempt
    expect(isLeft(failed) && failed.left.reason).toContain('put the folder of the key back')
  }
  expect(readdirSync(home)).toEqual(['key-away', 'personal'])
  renameSync(join(home, 'key-away'), join(home, 'key'))
  const master = readFileSync(join(home, 'key', 'master.key'), 'utf8')
  writeFileSync(join(home, 'key', 'master.key'), `${'A'.repeat(43)}\n`)
  expect(await opened().seal(['ben'])()).toMatchObject({
    left: { reason: expect.stringContaining('were kept under another key') },
  })
  writeFileSync(join(home, 'key', 'master.key'), 'nothing')
  expect(await opened().seal(['ben'])()).toMatchObject({
    left: { reason: expect.stringContaining('holds no key of personal values') },
  })
  writeFileSync(join(home, 'key', 'master.key'), master)
  expect(await sealed(opened(), 'ada')).toEqual([ada])
})

it('the log is followed: what it says is erased is erased, and the position is noted', async () => {
  expect(await opened().erasedTo()()).toEqual(right(undefined))
  const values = opened()
  const [ada, ben] = await sealed(values, 'ada', 'ben')
  expect(await values.erasedTo()()).toEqual(right(-1n))
  const erased = [{ references: [ada!, 'personal:of another archive'], at }]
  expect(await values.eraseUpTo(12n, erased)()).toEqual(right(undefined))
  expect(await opened().erasedTo()()).toEqual(right(12n))
  expect(await values.find([ada!, ben!])()).toMatchObject(
    right(
      new Map<string, object>([
        [ada!, { kind: 'erased', at }],
        [ben!, { kind: 'value' }],
      ]),
    ),
  )
})

it('keeps texts that are no Unicode, two of which have the same bytes', async () => {
  const [one, other] = await sealed(opened(), 'a\ud800', 'a\udc00')
  expect(other).toBe(one)
})

it('finds the values that hold a name, in whatever form of Unicode a keyboard wrote it', async () => {
  const values = opened()
  const [reference] = await sealed(values, 'Zoë Weiß telephoned')
  for (const text of ['zoe\u0308 weiß', 'ZOË WEISS', 'ﬅ', 'Zoë'])
    expect(await values.holding(text)()).toEqual(right(text === 'ﬅ' ? [] : [reference]))
})
