import { createHash } from 'node:crypto'
import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, it, vi } from 'vitest'
import type { System } from '#src/app/system.ts'
import { askCommand } from '#src/cli/ask-command.ts'
import { addFolder } from '#src/cli/fixity/add.ts'
import { checkNow } from '#src/cli/fixity/check.ts'
import { contentTopic } from '#src/domain/fixity/messages.ts'
import { bagQuestion } from '#src/projections/fixity/questions/bag-question.ts'
import { findings } from '#src/projections/fixity/questions/findings-question.ts'
import { liveBags, shownBag } from '#src/projections/fixity/questions/live-bags.ts'
import { fixityReport } from '#src/projections/fixity/questions/report.ts'
import { reportOnTopic } from '#src/workers/runtime/report-on-topic.ts'
import { fixityCauses } from '#src/workflows/fixity/attention.ts'
import { fixityOverview } from '#src/workflows/fixity/overview.ts'
import { folderOf, produce, shown, started, testSystem } from '../../app/archive.ts'
import { patience } from '../../patience.ts'

const signal = new AbortController().signal
const add = (system: System, root: string) =>
  addFolder(system, root, { store: 'main', actor: 'ada' }, () => {}, signal)
const check = (system: System, scope: object = {}) =>
  checkNow(system, scope, { actor: 'ada', wait: false, signal }, () => {})

const asked = async (system: System, scope: { readonly prefix?: string } = {}) => {
  const found = await findings.ask(
    system.viewStore,
    { ...scope, limit: 100 } as never,
    {
      now: system.clock.now(),
      people: { find: () => async () => E.right([]) },
    } as never,
  )
  if (E.isLeft(found)) throw new Error(JSON.stringify(found.left))
  return found.right
}

const withdraw = (system: System, path: string) =>
  reportOnTopic(system, contentTopic, 'https://repository.example', [
    { type: 'content.removed', data: { store: 'main', path, reason: 'withdrawn' } },
  ])

const sha = (text: string) => createHash('sha256').update(text).digest('hex')

/** The files of a bag in the folder `b`. */
const bagOf = (payload: Readonly<Record<string, string>>): Record<string, string> => {
  const declaration = 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n'
  const manifest = Object.entries(payload)
    .map(([name, text]) => `${sha(text)}  data/${name}\n`)
    .join('')
  const tags = `${sha(declaration)}  bagit.txt\n${sha(manifest)}  manifest-sha256.txt\n`
  return {
    'b/bagit.txt': declaration,
    'b/manifest-sha256.txt': manifest,
    'b/tagmanifest-sha256.txt': tags,
    ...Object.fromEntries(Object.entries(payload).map(([name, text]) => [`b/data/${name}`, text])),
  }
}

const withBag = async () => {
  const system = await testSystem()
  const root = await folderOf({ ...bagOf({ '1.txt': 'one', '2.txt': 'two' }), 'beside.txt': 'beside' })
  const added = await add(system, root)
  expect(added.bags).toEqual({ complete: 1, incomplete: 0 })
  const running = await started(system, ['processors', 'projections'])
  const bag = async () => {
    await shown(system, running)
    const now = system.clock.now()
    const [found] = liveBags(system.viewStore, { store: 'main' }, now)
    return found && shownBag(system.viewStore, found, now)
  }
  return { system, root, bag }
}

describe('a bag', () => {
  it('is not proven before it was read, and valid since its check', async () => {
    const { system, bag } = await withBag()
    expect(await bag()).toMatchObject({ bag: 'b', verdict: 'not-proven', rule: 'B5' })
    const summary = await check(system)
    expect(summary).toMatchObject({ failed: 0, bags: { valid: 1, notValid: 0, notProven: 0 } })
    const valid = await bag()
    expect(valid).toMatchObject({ verdict: 'valid', rule: 'B7', files: 2, bytes: 6 })
    await check(system)
    expect((await bag())?.since).toBe(valid?.since)
    const now = system.clock.now()
    expect(fixityReport(system.viewStore, now).stores[0]?.bags).toEqual({
      valid: 1,
      notValid: 0,
      notProven: 0,
    })
  })

  it('that got a stray file is never valid: in its payload, beside it, listed or added', async () => {
    const { system, root, bag } = await withBag()
    await check(system)
    expect(await bag()).toMatchObject({ verdict: 'valid' })
    await writeFile(join(root, 'b/data/stray.txt'), 'stray')
    const summary = await check(system)
    expect(summary.bags).toEqual({ valid: 0, notValid: 1, notProven: 0 })
    expect(summary.notes.map(({ path }) => path)).toContain('b')
    const stray = await bag()
    expect(stray).toMatchObject({ verdict: 'not-valid', rule: 'B1' })
    expect(stray?.because).toContain('b/data/stray.txt: is payload of a bag, and not in')
    // No finding is about it: doctor, home and mails name the bag.
    expect(fixityCauses(system)).toMatchObject([
      {
        key: 'bags/main',
        says: expect.stringMatching(
          /^1 bag of main is not valid: b: It is not complete: b\/data\/stray.txt: .*[^.]$/,
        ),
        brief: '1 bag of main is not valid: b',
        todo: expect.stringContaining('`fonds fixity bag main b`'),
        weight: 1,
      },
    ])
    expect(fixityOverview(system)?.needs).toBe(1)
    const told = await asked(system)
    expect(told).toMatchObject({
      findings: [],
      bags: [{ store: 'main', bag: 'b', because: expect.stringContaining('stray.txt'), since: stray?.since }],
    })
    expect(findings.nothing?.(told, {} as never)).toBe('no finding is open')
    expect(findings.remarks?.(told, {} as never).join()).toContain(
      '`fonds fixity bag main b` names what is wrong',
    )
    expect((await asked(system, { prefix: 'c' })).bags).toEqual([])
    await add(system, root)
    await check(system)
    expect(await bag()).toMatchObject({ verdict: 'not-valid', rule: 'B1' })
    await rm(join(root, 'b/data/stray.txt'))
    await check(system)
    expect(await bag()).toMatchObject({ verdict: 'not-valid', rule: 'B2' })
    // Now a finding is about one of its files, and counted once.
    expect(fixityCauses(system).map(({ key }) => key)).toEqual(['findings/main/internal'])
    expect(fixityOverview(system)?.needs).toBe(1)
    expect((await asked(system)).bags).toEqual([])
  })

  it('with a file beside its payload that no manifest names is not proven', async () => {
    const { system, root, bag } = await withBag()
    await check(system)
    await writeFile(join(root, 'b/notes.txt'), 'notes')
    await check(system)
    expect(await bag()).toMatchObject({
      verdict: 'not-proven',
      rule: 'B3',
      because: '1 file is in no manifest: b/notes.txt.',
    })
  })

  it('is not valid by a listing that finds another size than recorded, or a file written to since it was read', async () => {
    const { system, root, bag } = await withBag()
    await check(system)
    await appendFile(join(root, 'b/data/1.txt'), '!')
    await add(system, root)
    const grown = await bag()
    expect(grown).toMatchObject({ verdict: 'not-proven', rule: 'B5' })
    expect(grown?.because).toContain('1 file was changed after the last check had read it: b/data/1.txt')
    await writeFile(join(root, 'b/data/1.txt'), 'ONE')
    await add(system, root)
    expect(await bag()).toMatchObject({ verdict: 'not-proven', rule: 'B5' })
    await writeFile(join(root, 'b/data/1.txt'), 'one')
    await check(system)
    expect(await bag()).toMatchObject({ verdict: 'valid', rule: 'B7' })
  })

  it('that was written to is valid once a check by schedule has read it, without another listing', async () => {
    const { system, root, bag } = await withBag()
    await check(system)
    await writeFile(join(root, 'b/data/1.txt'), 'one')
    await add(system, root)
    const written = await bag()
    expect(written).toMatchObject({ verdict: 'not-proven', rule: 'B5' })
    await started(system, ['reactions', 'workers'])
    await askCommand(
      system,
      'fixity.check',
      { store: 'main', path: 'b/data/1.txt' },
      { actor: 'ada', reason: 'test' },
    )
    await vi.waitFor(
      async () => expect(await bag()).toMatchObject({ verdict: 'valid', rule: 'B7' }),
      patience,
    )
    expect((await bag())?.listedAt).toBe(written?.listedAt)
  })

  it('that was removed on purpose is listed and counted no more, and is one again once it is back', async () => {
    const { system, root, bag } = await withBag()
    await check(system)
    await rm(join(root, 'b'), { recursive: true })
    expect((await check(system)).bags).toEqual({ valid: 0, notValid: 1, notProven: 0 })
    const files = bagOf({ '1.txt': 'one', '2.txt': 'two' })
    for (const path of Object.keys(files)) await withdraw(system, path)
    expect((await check(system)).bags).toBeUndefined()
    expect(await bag()).toBeUndefined()
    expect(fixityCauses(system).filter(({ key }) => key.startsWith('bags/'))).toEqual([])
    expect((await asked(system)).bags).toEqual([])
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(root, path, '..'), { recursive: true })
      await writeFile(join(root, path), text)
    }
    await add(system, root)
    await check(system)
    expect(await bag()).toMatchObject({ bag: 'b', verdict: 'valid' })
  })

  it('is not valid as soon as a check of one of its files fails, without any listing', async () => {
    const { system, root, bag } = await withBag()
    await check(system)
    await writeFile(join(root, 'b/data/1.txt'), 'ONE')
    await check(system, { item: 'b/data/1.txt' })
    const found = await bag()
    expect(found).toMatchObject({ verdict: 'not-valid', rule: 'B2' })
    expect(found?.because).toContain('b/data/1.txt: ')
  })

  it('is not proven once something below it was recorded that no listing has seen', async () => {
    const { system, bag } = await withBag()
    await check(system)
    await produce(system, { path: 'b/data/late.txt' })
    expect(await bag()).toMatchObject({ verdict: 'not-proven', rule: 'B4' })
  })

  it('whose manifest was written anew, with other digests, is not valid', async () => {
    const { system, root, bag } = await withBag()
    await check(system)
    for (const [path, text] of Object.entries(bagOf({ '1.txt': 'ONE', '2.txt': 'two' })))
      await writeFile(join(root, path), text)
    await check(system)
    expect(await bag()).toMatchObject({ verdict: 'not-valid', rule: 'B1' })
  })

  it('whose manifests have a digest that the record lacks is not valid', async () => {
    const { system, root, bag } = await withBag()
    const md5 = (text: string) => createHash('md5').update(text).digest('hex')
    await writeFile(
      join(root, 'b/manifest-md5.txt'),
      `${md5('one')}  data/1.txt\n${md5('two')}  data/2.txt\n`,
    )
    await check(system)
    expect((await bag())?.because).toContain('has a digest (md5) that its record lacks')
  })

  it('that is a bag no more is not valid', async () => {
    const { system, root, bag } = await withBag()
    await check(system)
    await rm(join(root, 'b/bagit.txt'))
    await check(system)
    const found = await bag()
    expect(found).toMatchObject({ verdict: 'not-valid', rule: 'B1' })
    expect(found?.because).toContain('there is no bagit.txt any more')
  })

  it('found by a check alone, and never added, is not proven', async () => {
    const system = await testSystem()
    const root = await folderOf({ 'a.txt': 'A' })
    await add(system, root)
    for (const [path, text] of Object.entries(bagOf({ '1.txt': 'one' }))) {
      await mkdir(join(root, path, '..'), { recursive: true })
      await writeFile(join(root, path), text)
    }
    expect((await check(system)).bags).toEqual({ valid: 0, notValid: 0, notProven: 1 })
  })

  it('has a certificate, which is valid for what is valid alone', async () => {
    const { system, root, bag } = await withBag()
    await check(system)
    await bag()
    const ask = async () => {
      const asked = await bagQuestion.ask(system.viewStore, { store: 'main', bag: 'b/' }, {
        now: system.clock.now(),
      } as never)
      if (E.isLeft(asked)) throw new Error(asked.left.message)
      const page = await bagQuestion.pictures?.[0]?.draw(asked.right, {} as never)
      return page && E.isRight(page) ? page.right : ''
    }
    expect(await ask()).toContain('is <strong>valid</strong>')
    await appendFile(join(root, 'b/data/2.txt'), '!')
    await check(system)
    await bag()
    const after = await ask()
    expect(after).toContain('is <strong>not valid</strong>')
    expect(after).not.toContain('is <strong>valid</strong>')
    expect(after).toContain('b/data/2.txt')
  })
})
