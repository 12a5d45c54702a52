import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { isRight } from 'fp-ts/lib/Either.js'
import { expect, it, onTestFinished } from 'vitest'
import { openOcflStore } from '#infra/object-store/ocfl/object-store.ts'
import { ask, run } from '../run-here.ts'

/* A log that was put back from a backup beside storage that went on, as people find it. */

const by = ['--actor', 'ada', '--reason', 'the log was put back']

/** A home with two objects; its log, or its storage, was put back to when there was one version of the first. */
const putBack = async (what: 'log' | 'storage' = 'log') => {
  const base = mkdtempSync(join(tmpdir(), 'fonds-newer-'))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  const home = join(base, 'home')
  const given = { home }
  const submit = async (name: string, ...more: readonly string[]) => {
    const folder = join(base, name)
    mkdirSync(folder)
    writeFileSync(join(folder, `${name}.txt`), `of ${name}`)
    return run(['ingest', 'submit', folder, '--wait', ...more], given)
  }
  expect(await submit('first', '--local-id', 'one', '--what', 'Letters')).toMatchObject({ code: 0 })
  const [first] = (await ask(['query', 'ingest-objects'], given)).map(({ object }) => String(object))
  copyFileSync(join(home, 'fonds.db'), join(base, 'backup.db'))
  cpSync(join(home, 'storage'), join(base, 'backup'), { recursive: true })

  expect(await submit('more', '--update', '--ark', first!)).toMatchObject({ code: 0 })
  expect(await submit('second', '--local-id', 'two')).toMatchObject({ code: 0 })
  const objects = (await ask(['query', 'ingest-objects'], given)).map(({ object }) => String(object))
  const second = objects.find((object) => object !== first)!

  const gone = what === 'log' ? /^fonds\.db/ : /^storage$/
  for (const name of readdirSync(home).filter((name) => gone.test(name)))
    rmSync(join(home, name), { recursive: true })
  if (what === 'log') copyFileSync(join(base, 'backup.db'), join(home, 'fonds.db'))
  else cpSync(join(base, 'backup'), join(home, 'storage'), { recursive: true })
  return { base, given, submit, first: first!, second }
}

it('is told, nothing is built upon it unasked, and is settled by taking it over or setting it aside', async () => {
  const { base, given, submit, first, second } = await putBack()

  // What storage holds more is listed, at once and from then on.
  const compared = await run(['ingest', 'compare-storage'], given)
  expect(compared).toMatchObject({ code: 1 })
  expect(compared.stderr).toContain('ingest.adopt-versions')
  const rows = compared.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(rows).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ object: first, what: 'version-without-event', version: 2 }),
      expect.objectContaining({ object: second, what: 'object-without-event' }),
    ]),
  )
  expect(rows).toHaveLength(2)
  const audit = await ask(['ingest', 'audit'], given)
  expect(audit).toHaveLength(2)
  for (const subject of [first, second])
    expect(audit).toContainEqual(expect.objectContaining({ rule: 'storage-differs', subject }))
  expect((await run(['doctor'], given)).stdout).toContain('of 2 objects')
  // A second look says nothing new.
  const before = await ask(['events', '--type', 'StorageDiffered'], given)
  await run(['ingest', 'compare-storage'], given)
  expect(await ask(['events', '--type', 'StorageDiffered'], given)).toEqual(before)

  // An update is refused, and storage stays as it is.
  expect(await submit('later', '--update', '--ark', first)).toMatchObject({ code: 1 })
  const [failed] = await ask(['query', 'ingest-jobs', '--where', 'state=failed'], given)
  expect(failed?.message).toBe(
    `storage holds version 2 of ${first}, and the log knows version 1: ` +
      `\`fonds do ingest.adopt-versions object=${first}\` takes over what storage holds, ` +
      `\`fonds do ingest.set-aside-versions object=${first} --confirm\` takes it out; then resume the job`,
  )

  // Taken over, the next version comes after it.
  expect(await run(['do', 'ingest.adopt-versions', `object=${first}`, ...by], given)).toMatchObject({
    code: 0,
  })
  expect(await run(['do', 'ingest.resume-job', `job=${failed?.job}`, ...by], given)).toMatchObject({
    code: 0,
  })
  expect(await submit('last', '--update', '--ark', first)).toMatchObject({ code: 0 })
  const versions = await ask(['query', 'ingest-versions', '--where', `object=${first}`], given)
  expect(versions.map(({ version, job }) => ({ version, adopted: job === null }))).toEqual([
    { version: 1, adopted: false },
    { version: 2, adopted: true },
    { version: 3, adopted: false },
    { version: 4, adopted: false },
  ])
  const [object] = await ask(['query', 'ingest-objects', '--where', `object=${first}`], given)
  expect(object).toMatchObject({ title: 'Letters', localIds: ['one'] })

  // Set aside, it is no object any more; what it was lies beside the root.
  const aside = ['do', 'ingest.set-aside-versions', `object=${second}`, ...by]
  expect(await run(aside, given)).toMatchObject({ code: 1, stderr: expect.stringContaining('--confirm') })
  const done = await run([...aside, '--confirm'], given)
  expect(done).toMatchObject({ code: 0 })
  const { folder } = JSON.parse(done.stdout).events[0].data
  expect(existsSync(join(folder, 'inventory.json'))).toBe(true)
  expect(folder.startsWith(join(base, 'home', 'storage.set-aside'))).toBe(true)
  expect(JSON.parse((await run([...aside, '--confirm'], given)).stdout || '{}')).not.toMatchObject({
    outcome: 'done',
  })

  expect(await run(['ingest', 'compare-storage'], given)).toMatchObject({ code: 0, stdout: '' })
  expect(await ask(['ingest', 'audit'], given)).toEqual([])
})

it('finds what a killed process set aside, and tells of it once the command is repeated', async () => {
  const { base, given, second } = await putBack()
  // The process ended when storage was done with, and before the log was told.
  const store = await openOcflStore(join(base, 'home', 'storage'))
  const cut = await store.setAside(second, 0)()
  await store.close()
  const folder = isRight(cut) ? cut.right : undefined
  expect(folder).toBeDefined()

  const compared = await run(['ingest', 'compare-storage'], given)
  expect(compared.stdout).toContain(
    `a copy of ${second} was set aside as ${basename(folder!)}, and no event says so`,
  )
  expect((await ask(['ingest', 'audit'], given)).map(({ subject }) => subject)).toContain(second)

  const aside = ['do', 'ingest.set-aside-versions', `object=${second}`, ...by]
  const repeated = await run(aside, given)
  expect(repeated).toMatchObject({ code: 0 })
  expect(JSON.parse(repeated.stdout).events).toMatchObject([
    { type: 'VersionsSetAside', data: { keep: 0, folder } },
  ])
  expect((await ask(['ingest', 'audit'], given)).map(({ subject }) => subject)).not.toContain(second)
  expect(JSON.parse((await run(aside, given)).stdout || '{}').events ?? []).toEqual([])
  expect((await run(['ingest', 'compare-storage'], given)).stdout).not.toContain(second)
})

it('says of a local id what it meant, once its object is taken over: it is minted no second one', async () => {
  const { given, submit, second } = await putBack()
  expect(await run(['do', 'ingest.adopt-versions', `object=${second}`, ...by], given)).toMatchObject({
    code: 0,
  })
  expect(await submit('again', '--local-id', 'two')).toMatchObject({ code: 0 })
  const versions = await ask(['query', 'ingest-versions', '--where', `object=${second}`], given)
  expect(versions.map(({ version }) => version)).toEqual([1, 2])
})

it('is storage that is older, the other way round: nothing is stored upon it', async () => {
  const { given, submit, first, second } = await putBack('storage')
  const compared = await run(['ingest', 'compare-storage'], given)
  expect(compared).toMatchObject({ code: 1 })
  const rows = compared.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(rows.map(({ object, what, version }) => ({ object, what, version }))).toEqual([
    { object: first, what: 'event-without-version', version: 2 },
    { object: second, what: 'event-without-object', version: 0 },
  ])
  expect(await submit('later', '--update', '--ark', first)).toMatchObject({ code: 1 })
  const [failed] = await ask(['query', 'ingest-jobs', '--where', 'state=failed'], given)
  expect(failed?.message).toContain('restore the storage that belongs to this log')
})
