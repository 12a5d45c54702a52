import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { buildTree, flipByte, hostileNames, writeContent } from './archive.ts'
import * as processes from './run-fonds.ts'
import { addsUp, type Line, linesOf, useFolder } from './run-fonds.ts'
import { ask, run } from './run-here.ts'

/* What an archivist does: record a folder, check it, have it damaged, find the damage, mend it, prove all of it. */

const whole = (report: readonly Line[], store = 'main'): Line =>
  report.find((line) => line.store === store && line.prefix === '(all)')

it('one flipped byte among 3,000 files is found, shown, provable afterwards, and settled by its repair', async () => {
  // A process for each command, as people run them.
  const { ask, run } = processes
  const given = useFolder()
  const { root } = given
  const paths = buildTree(root, 3000)
  const flipped = 'names/right-to-left-\u202etxt.exe'

  const [added] = await ask(['fixity', 'add', root, '--store', 'main'], given)
  expect(added).toMatchObject({ recorded: 1500, baseline: paths.length - 1500, unreadable: 0, notes: [] })
  const first = await run(['fixity', 'check'], given)
  expect(first.code, first.stderr).toBe(0)
  expect(linesOf(first)).toEqual([
    {
      ...{ total: paths.length, checked: paths.length, verified: 1500, baselined: paths.length - 1500 },
      ...none,
      bags: { valid: 1, notValid: 0, notProven: 0 },
    },
  ])
  const known = await ask(['query', 'fixity-items', '--columns', 'path,state'], given)
  expect(known.map(({ path }) => path).toSorted()).toEqual(paths.toSorted())
  expect(hostileNames.every((name) => paths.includes(`names/${name}`))).toBe(true)
  expect(new Set(known.map(({ state }) => state))).toEqual(new Set(['verified', 'baselined']))
  const before = new Date().toISOString()

  flipByte(join(root, flipped))
  const second = await run(['fixity', 'check', 'main'], given)
  expect(second.code).toBe(1)
  expect(second.stderr).toContain(`of ${paths.length}, 1 not as recorded`)
  const report = await ask(['fixity', 'report'], given)
  expect(report.every(addsUp)).toBe(true)
  expect(whole(report)).toMatchObject({ expected: paths.length, failed: 1, suspect: 0 })
  expect(report.find(({ prefix }) => prefix === 'names/')).toMatchObject({ failed: 1 })
  const open = await ask(['query', 'fixity-resolutions', '--where', 'status=open'], given)
  expect(open).toMatchObject([{ store: 'main', path: flipped, status: 'open' }])
  const history = await ask(['history', `main/${flipped}`], given)
  expect(history.at(-2)).toMatchObject({ type: 'FixityDecided', data: { outcome: 'failure' } })
  expect(history.at(-1)).toMatchObject({ type: 'ResolutionOpened' })
  expect(history[1]).toMatchObject({ type: 'BatchChecked', data: { path: flipped, row: 'clause 6' } })
  const own = history.filter(({ stream }) => stream === `fixity-main/${flipped}`)
  expect(own.map(({ revision }) => Number(revision))).toEqual(own.map((_, i) => i))
  expect(own).toHaveLength(history.length - 1)

  const item = ['query', 'fixity-items', '--where', `path=${flipped}`]
  expect(await ask(item, given)).toMatchObject([{ state: 'failed' }])
  expect(await ask([...item, '--as-of', before], given)).toMatchObject([{ state: 'baselined' }])
  const verdicts = await ask(['rebuild', '--all', '--verify'], given)
  expect(verdicts.length).toBeGreaterThan(2)
  expect(verdicts.every(({ verdict }) => verdict === 'equal')).toBe(true)

  flipByte(join(root, flipped))
  const third = await run(['fixity', 'check', 'main', '--item', flipped], given)
  expect(third.code, third.stderr).toBe(0)
  expect(await ask(['query', 'fixity-resolutions'], given)).toMatchObject([
    { path: flipped, status: 'closed', how: 'verified' },
  ])
  const after = await ask(['fixity', 'report'], given)
  expect(whole(after)).toMatchObject({ verified: 1500, baselined: paths.length - 1500, failed: 0 })
  expect(await ask([...item, '--as-of', before], given)).toMatchObject([{ state: 'baselined' }])
})

const none = {
  failed: 0,
  unread: 0,
  unverified: 0,
  accepted: 0,
  lost: 0,
  suspect: 0,
  links: 0,
  unusable: 0,
  parked: 0,
  waiting: 0,
  away: [],
  heldBack: [],
  new: 0,
  missing: 0,
  moved: 0,
  excluded: 0,
  unlisted: 0,
  notes: [],
  notesLeftOut: 0,
  wrong: [],
  wrongLeftOut: 0,
}

/** A store of a few files, checked once. */
const smallStore = async () => {
  const given = useFolder()
  for (const name of ['kept', 'lost', 'withdrawn', 'indexed']) writeContent(given.root, `${name}.txt`, name)
  await ask(['fixity', 'add', given.root, '--store', 'main'], given)
  await ask(['fixity', 'check'], given)
  return given
}

const produce = (topic: string, messages: readonly unknown[], given: { home: string }) =>
  run(['produce', topic, '--wait'], {
    ...given,
    stdin: messages.map((message) => `${JSON.stringify(message)}\n`).join(''),
  })

const itemRow = async (path: string, given: { home: string }): Promise<Line> =>
  (await ask(['query', 'fixity-items', '--where', `path=${path}`], given))[0]

it('F8: a file that vanished is found missing, and one that was withdrawn is expected no more', async () => {
  const given = await smallStore()
  rmSync(join(given.root, 'lost.txt'))
  rmSync(join(given.root, 'withdrawn.txt'))
  const removed = await produce(
    'fonds.fixity.content',
    [{ type: 'content.removed', data: { store: 'main', path: 'withdrawn.txt', reason: 'by the donor' } }],
    given,
  )
  expect(removed.code, removed.stderr).toBe(0)

  const checked = await run(['fixity', 'check'], given)
  expect(checked.code).toBe(1)
  expect(linesOf(checked)).toEqual([
    {
      total: 3,
      checked: 3,
      verified: 0,
      baselined: 2,
      ...none,
      failed: 1,
      missing: 1,
      notes: [{ path: 'lost.txt', note: 'is not there' }],
      wrong: [
        {
          ...{ store: 'main', path: 'lost.txt', state: 'failed' },
          cause: 'The object is gone; index and audit log still record it.',
          lastVerified: expect.any(String),
        },
      ],
    },
  ])
  expect(await itemRow('lost.txt', given)).toMatchObject({ state: 'failed', row: 'F8' })
  expect(await itemRow('withdrawn.txt', given)).toMatchObject({ removed: 1 })
  const report = await ask(['fixity', 'report'], given)
  expect(report.every(addsUp)).toBe(true)
  expect(whole(report)).toMatchObject({ expected: 3, baselined: 2, failed: 1 })

  writeContent(given.root, 'lost.txt', 'lost')
  expect((await run(['fixity', 'check'], given)).code).toBe(0)
  expect(await ask(['query', 'fixity-resolutions'], given)).toMatchObject([
    { path: 'lost.txt', row: 'F8', status: 'closed', how: 'verified' },
  ])
})

it('F5: an index that says otherwise is corrected from the audit log, and the correction is in the log', async () => {
  const given = await smallStore()
  const wrong = { algorithm: 'sha-256', value: 'f'.repeat(64) }
  const told = await produce(
    'fonds.fixity.index',
    [{ type: 'index.recorded', data: { store: 'main', path: 'indexed.txt', checksums: [wrong] } }],
    given,
  )
  expect(told.code, told.stderr).toBe(0)

  expect((await run(['fixity', 'check'], given)).code).toBe(1)
  expect(await itemRow('indexed.txt', given)).toMatchObject({ state: 'failed', row: 'F5' })
  const history = await ask(['history', 'main/indexed.txt'], given)
  const recorded = history.find(({ type }) => type === 'ContentRecorded').data.checksums
  const corrected = history.find(({ type }) => type === 'IndexCorrected')
  expect(corrected).toMatchObject({ data: { from: 'audit', checksums: recorded } })
  expect(whole(await ask(['fixity', 'report'], given))).toMatchObject({
    expected: 4,
    baselined: 3,
    failed: 1,
  })

  const again = await run(['fixity', 'check'], given)
  expect(again.code, again.stderr).toBe(0)
  expect(await itemRow('indexed.txt', given)).toMatchObject({ state: 'baselined' })
  expect(
    (await ask(['rebuild', '--all', '--verify'], given)).every(({ verdict }) => verdict === 'equal'),
  ).toBe(true)
})

it('an outdated report and one under a claim nobody holds are refused: kept in the rejections, with no effect', async () => {
  const given = await smallStore()
  const sighting = {
    store: 'main',
    path: 'kept.txt',
    content: { status: 'missing' },
    storage: { status: 'missing' },
  }
  const before = await ask(['history', 'main/kept.txt'], given)
  const told = await produce(
    'fonds.fixity.observations',
    [
      { id: 'late', type: 'content.observed', data: { ...sighting, observedAt: '2020-01-01T00:00:00Z' } },
      {
        id: 'fenced',
        type: 'content.observed',
        data: { ...sighting, observedAt: new Date().toISOString(), fence: 99 },
      },
    ],
    given,
  )
  expect([told.code, told.stderr]).toEqual([1, expect.stringContaining('2 of 2 messages rejected')])
  const rejections = await ask(['query', 'rejections', '--columns', 'message,code'], given)
  expect(rejections.toSorted((a, b) => (a.message < b.message ? -1 : 1))).toEqual([
    { message: 'fenced', code: 'fenced' },
    { message: 'late', code: 'stale' },
  ])
  expect(await ask(['history', 'main/kept.txt'], given)).toEqual(before)
  expect(whole(await ask(['fixity', 'report'], given))).toMatchObject({ expected: 4, baselined: 4 })
})

it('F9: what was seen and never recorded is a failure that asks for a new audit, and the report counts it', async () => {
  const given = await smallStore()
  const sha256 = { algorithm: 'sha-256', value: 'a'.repeat(64) }
  const seen = (at: string) => ({
    type: 'content.observed',
    data: {
      store: 'main',
      path: 'stranger.txt',
      content: { status: 'read', size: 3, checksums: [sha256] },
      storage: { status: 'present', size: 3, checksums: [sha256] },
      observedAt: at,
    },
  })
  const sightings = Array.from({ length: 3 }, (_, i) =>
    seen(new Date(Date.now() - 9000 + i * 1000).toISOString()),
  )
  const told = await produce('fonds.fixity.observations', sightings, given)
  expect(told.code, told.stderr).toBe(0)
  const history = await ask(['history', 'main/stranger.txt'], given)
  expect(history.at(-1)).toMatchObject({ type: 'ReauditRequested', data: { row: 'F9' } })
  const report = await ask(['fixity', 'report'], given)
  expect(report.every(addsUp)).toBe(true)
  expect(whole(report)).toMatchObject({ expected: 5, baselined: 4, failed: 1 })
  expect(await ask(['query', 'rejections'], given)).toEqual([])
})
