import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import { mergedTopic } from '../../../src/domain/matching/messages.ts'
import { svgFault } from '../../projections/matching/questions/xml.ts'
import { openHome } from '../open-home.ts'
import { type Given, type Line, linesOf, start, startServer, stop, until, useFolder } from '../run-fonds.ts'
import { ask, run } from '../run-here.ts'

/* What a cataloguer and a reader see of matching: through the command line, and over HTTP from a running server. */

interface More {
  readonly source?: string
  readonly sourceModifiedAt?: string
  readonly state?: string
  readonly title?: string
}

/** The source's time counts for nothing: unless said, it is older the higher the version is. */
const record = (id: string, sourceVersion: number, links: readonly string[], more: More = {}) => ({
  id,
  source: 'library',
  sourceVersion,
  sourceModifiedAt: new Date(Date.UTC(2021, 3, 30 - sourceVersion)).toISOString(),
  state: 'visible',
  title: `Manuscript ${id}`,
  links: links.map((to) => ({ to, reason: 'same as' })),
  ...more,
})
type Sent = ReturnType<typeof record>

/** Returns when everything that follows from them is done. */
const produce = (given: Given, ...records: readonly Sent[]) =>
  ask(['produce', 'fonds.matching.works', '--wait'], {
    ...given,
    stdin: records.map((one) => `${JSON.stringify(one)}\n`).join(''),
  })

/** At first A and B are a pair, and C and D. */
const wrongPairs = [record('A', 1, ['B']), record('B', 1, []), record('C', 1, ['D']), record('D', 1, ['C'])]
/** Corrected in the order A, B, C, D; heard of in this one. */
const corrections = [
  [record('D', 5, ['A'])],
  [record('A', 2, ['D']), record('C', 4, ['B'])],
  [record('B', 3, ['C'])],
] as const

const documents = async (given: Given, generation = 1): Promise<Readonly<Record<string, Line>>> => {
  const rows = await ask(['query', 'matching-merged', '--where', `generation=${generation}`], given)
  return Object.fromEntries(rows.map((row) => [row.work, row]))
}
/** Works that are shown as one, and the version of each. */
const standing = async (given: Given) => {
  const all = Object.values(await documents(given))
  return {
    together: [...Map.groupBy(all, ({ work, to }) => to ?? work).values()].map((some) =>
      some.map(({ work }) => work).join(''),
    ),
    version: Object.fromEntries(all.map(({ work, version }): [string, number] => [work, version])),
  }
}
const isStuck = async (given: Given) => {
  const { code, stdout } = await run(['matching', 'stuck', '--allowed-seconds', '0'], given)
  expect(code).toBe(stdout === '' ? 0 : 1)
  return linesOf({ stdout })
}

const client = (address: string) => {
  const get = async (path: string, accept = 'application/json'): Promise<Line> => {
    const response = await fetch(`${address}/api/v1${path}`, { headers: { accept } })
    const text = await response.text()
    const isJson = (response.headers.get('content-type') ?? '').includes('json')
    return { status: response.status, body: isJson ? JSON.parse(text) : text }
  }
  return { get, shown: async (work: string) => (await get(`/matching/works/${work}/document`)).body }
}

it('M10–M16, M18–M20: the worked example: four manuscripts, wrongly paired, put right in the wrong order', async () => {
  const given = useFolder()
  let server = await startServer(given)
  let { get, shown } = client(server.address)
  const following = start(['events', '--follow', '--type', 'GraphChanged'], given)
  await produce(given, ...wrongPairs)
  const first = await standing(given)
  expect(first.together).toEqual(['AB', 'CD'])
  const paired = new Date().toISOString()

  // The table of the seed: who is touched gets the new version, nobody else does, and nobody is refused.
  await produce(given, ...corrections[0])
  const afterD = await standing(given)
  expect(afterD.together).toEqual(['ABCD'])
  expect(new Set(Object.values(afterD.version)).size).toBe(1)
  expect(afterD.version.A).toBeGreaterThan(Math.max(...Object.values(first.version)))
  await produce(given, ...corrections[1])
  const afterAC = await standing(given)
  expect(afterAC.together).toEqual(['AD', 'BC'])
  expect(Math.min(...Object.values(afterAC.version))).toBeGreaterThan(afterD.version.A!)
  await produce(given, ...corrections[2])
  const { together, version } = await standing(given)
  expect(together).toEqual(['AD', 'BC'])
  expect([version.A, version.D]).toEqual([afterAC.version.A, afterAC.version.D])
  expect(version.B).toBe(version.C)
  expect(version.B).toBeGreaterThan(afterAC.version.B!)
  expect(await ask(['query', 'matching-refusals'], given)).toEqual([])
  expect(await isStuck(given)).toEqual([])

  // M10, M11, M12: all of it once more, backwards: what is as new changes nothing, what is older is refused and listed.
  const again = [...wrongPairs, ...corrections.flat()].toReversed()
  await expect(produce(given, ...again)).rejects.toThrow('ended with 1:\nerror: 4 of 8 messages rejected')
  expect(await standing(given)).toEqual({ together, version })
  const refused = await ask(['query', 'matching-refusals', '--order', 'work'], given)
  expect(refused.map(({ work, stage, code, offered, held }) => [work, stage, code, offered, held])).toEqual([
    ['A', 'source', 'older-version', 1, 2],
    ['B', 'source', 'older-version', 1, 3],
    ['C', 'source', 'older-version', 1, 4],
    ['D', 'source', 'older-version', 1, 5],
  ])
  expect((await get('/views/matching-refusals')).body.rows).toHaveLength(4)

  // M13, M14: those who parted are updated again, whatever the times are; their former partners are left alone.
  await produce(given, record('A', 6, ['D'], { title: 'A, anew', sourceModifiedAt: '1999-01-01T00:00:00Z' }))
  await produce(given, record('B', 4, ['C'], { title: 'B, anew', sourceModifiedAt: '2999-01-01T00:00:00Z' }))
  await produce(given, record('C', 5, ['B'], { title: 'C, anew' }))
  const anew = await documents(given)
  expect([anew.A.title, anew.B.title, anew.C.to]).toEqual(['A, anew', 'B, anew', 'B'])
  expect([anew.A.version, anew.B.version]).toEqual([anew.D.version, anew.C.version])

  // Why, since when, what if; as it was.
  expect(await ask(['matching', 'why', 'A', 'D'], given)).toMatchObject([
    { kind: 'together', path: [{ links: [{ from: 'A' }, { from: 'D' }] }] },
  ])
  const [apart] = await ask(['matching', 'why', 'A', 'B'], given)
  expect(apart).toMatchObject({ kind: 'apart', lastTogether: { version: expect.any(Number) }, cut: [] })
  expect(apart.lastTogether.until > paired).toBe(true)
  expect((await get(`/matching/why?a=A&b=B&asOf=${paired}`)).body).toMatchObject({ kind: 'together' })
  const before = await ask(['matching', 'graph', 'A', '--as-of', paired], given)
  expect(before[0].nodes.map(({ id }: Line) => id)).toEqual(['A', 'B'])
  const then = (await get(`/matching/graphs/A?asOf=${paired}`)).body
  expect(then).toEqual(before[0])
  const turns = await ask(['matching', 'history', 'B'], given)
  expect(turns.map(({ what }) => what)).toContain('left')
  expect((await get('/matching/works/B/history')).body.turns).toEqual(turns)
  expect((await ask(['matching', 'what-if', 'drop', 'D', 'A'], given))[0].changed).toEqual([])
  expect((await get('/matching/what-if?change=add&from=A&to=B')).body.after).toMatchObject([
    { members: ['A', 'B', 'C', 'D'], target: 'A' },
  ])
  const picture = await get('/matching/graphs/D', 'image/svg+xml')
  expect([picture.status, svgFault(picture.body)]).toEqual([200, undefined])
  expect(picture.body).toContain('A, anew')

  // M18: the repair, from the facts alone.
  await ask(['matching', 'resend', 'D', '--actor', 'ann', '--reason', 'its page is empty'], given)
  const repaired = await documents(given)
  expect(repaired.A.version).toBe(repaired.D.version)
  expect(repaired.A.version).toBeGreaterThan(anew.A.version)
  expect(repaired.B.version).toBe(anew.B.version)

  // A restart changes nothing. M19: versions order, and are not shown.
  const showing = await Promise.all(['A', 'B', 'C', 'D'].map(shown))
  expect(showing).toMatchObject([
    { work: 'A', document: { kind: 'merged', title: 'A, anew' } },
    { work: 'B', document: { kind: 'merged', title: 'B, anew' } },
    { work: 'C', document: { kind: 'redirect', to: 'B' } },
    { work: 'D', document: { kind: 'redirect', to: 'A' } },
  ])
  expect(JSON.stringify(showing)).not.toMatch(/version|generation|graph/i)
  expect(await stop(server)).toBe(0)
  server = await startServer(given)
  ;({ get, shown } = client(server.address))
  await until('it is ready', async () => (await fetch(`${server.address}/readyz`)).status === 200)
  expect(await Promise.all(['A', 'B', 'C', 'D'].map(shown))).toEqual(showing)
  expect((await get('/matching/summary')).body).toMatchObject({ unmatched: 0, unindexed: 0, faults: 0 })
  expect(await ask(['matching', 'verify'], given)).toMatchObject([
    { works: 4, components: 2, differences: 0 },
  ])
  await ask(['rebuild', 'matching', '--verify'], given)

  const life = await ask(['history', 'A'], given)
  expect(life.filter(({ stream }) => stream === 'work-A').map(({ type }) => type)).toEqual(
    Array(3).fill('WorkObserved'),
  )
  expect(life.filter(({ type }) => type === 'WorkMerged').at(-1).data.version).toBe(repaired.A.version)
  const changes = await ask(['events', '--type', 'GraphChanged'], given)
  await until(
    'the follower has seen every change',
    () => linesOf(finished(following.stdout())).length === changes.length,
  )
  const versions = linesOf({ stdout: following.stdout() }).map(({ data }) => data.version as number)
  expect(versions).toEqual(versions.toSorted((one, other) => one - other))

  expect(await stop(server)).toBe(0)
  expect(await highestOnTopic(given.home)).toEqual(
    Object.fromEntries(Object.values(repaired).map((row) => [row.work, [row.version, row.document]])),
  )
})

/** Lines that have come whole. */
const finished = (stdout: string) => ({ stdout: stdout.slice(0, stdout.lastIndexOf('\n') + 1) })

/** What another system keeps that takes the highest version of each work. */
const highestOnTopic = async (home: string): Promise<Readonly<Record<string, unknown>>> => {
  const system = await openHome(home)
  const kept = new Map<string, readonly [number, unknown]>()
  for (const partition of Array(system.config.partitions).keys()) {
    const records = await system.broker.peek(mergedTopic.name, partition, 0n, 10_000)()
    if (isLeft(records)) throw new Error(JSON.stringify(records.left))
    for (const { value } of records.right) {
      const { work, version, document } = JSON.parse(String(value))
      if (version >= (kept.get(work)?.[0] ?? 0)) kept.set(work, [version, document])
    }
  }
  await system.close()
  return Object.fromEntries(kept)
}

it('M17: what waits for the matcher is listed while it does not run, and only then', async () => {
  const given = useFolder()
  await produce(given, record('A', 1, []))
  const withoutMatcher = await startServer(given, ['--roles', 'api,processors,projections'])
  const update = JSON.stringify(record('A', 2, ['B']))
  await ask(['produce', 'fonds.matching.works'], { ...given, stdin: update })
  const waiting = await until('it is accepted', async () => {
    const lines = await isStuck(given)
    return lines.length > 0 && lines
  })
  expect(waiting).toMatchObject([{ what: 'unmatched', id: 'A', says: expect.stringContaining('reactions') }])
  const { get } = client(withoutMatcher.address)
  expect((await get('/matching/stuck?allowedSeconds=0')).body.stuck).toEqual(waiting)
  expect((await get('/matching/stuck')).body.stuck).toEqual([])
  expect((await get('/matching/summary')).body).toMatchObject({ unmatched: 1 })
  expect(await stop(withoutMatcher)).toBe(0)

  await startServer(given)
  await until('the matcher has come to it', async () => (await isStuck(given)).length === 0)
  expect((await ask(['matching', 'graph', 'A'], given))[0].links).toMatchObject([{ from: 'A', to: 'B' }])
})

it('another generation, by other rules: built beside the live one, compared, switched to and back, dropped', async () => {
  const given = useFolder()
  const server = await startServer(given)
  const { get, shown } = client(server.address)
  await produce(
    given,
    record('book', 1, [], { title: 'The book' }),
    record('plate', 1, ['book'], { source: 'pictures', title: 'The plate' }),
    record('other', 1, []),
  )
  expect((await shown('plate')).document).toMatchObject({ kind: 'redirect', to: 'book' })

  const rules = join(given.folder, 'rules.json')
  writeFileSync(rules, JSON.stringify({ precedence: ['pictures'] }))
  const because = ['--actor', 'ann', '--reason', 'pictures first']
  const [built] = await ask(['matching', 'reindex', '--rules', rules, '--wait', ...because], given)
  expect(built).toMatchObject({
    generation: 2,
    comparison: { same: 1, different: 2, onlyInFirst: 0, onlyInSecond: 0 },
  })
  expect(await ask(['matching', 'compare-generations'], given)).toEqual([built.comparison])
  expect((await get('/matching/generations/compare?first=1&second=2')).body).toEqual(built.comparison)
  expect((await shown('plate')).document).toMatchObject({ kind: 'redirect', to: 'book' })

  await ask(['matching', 'switch', '2', ...because], given)
  expect((await shown('plate')).document).toMatchObject({ kind: 'merged', title: 'The plate' })
  expect((await get('/matching/works/book/document?follow=true')).body.work).toBe('plate')
  // Both are kept up to date: back is as quick, and nothing was missed.
  await produce(given, record('book', 2, [], { title: 'The book, revised' }), record('other', 2, ['plate']))
  await ask(['matching', 'switch', '1', ...because], given)
  expect((await shown('book')).document).toMatchObject({ kind: 'merged', title: 'The book, revised' })
  expect((await shown('other')).document).toMatchObject({ kind: 'redirect', to: 'book' })
  expect((await documents(given, 2)).other).toMatchObject({ kind: 'redirect', to: 'plate' })
  for (const generation of ['1', '2'])
    expect(await ask(['matching', 'verify', '--generation', generation], given)).toMatchObject([
      { works: 3, components: 1, differences: 0 },
    ])

  const live = await run(['matching', 'drop', '1', ...because], given)
  expect([live.code, live.stderr]).toEqual([1, expect.stringContaining('readers get generation 1')])
  await ask(['matching', 'drop', '2', ...because], given)
  await produce(given, record('late', 1, ['book']))
  expect((await documents(given, 2)).late).toBe(undefined)
  expect((await ask(['matching', 'generations'], given)).map(({ status }) => status)).toEqual([
    'live',
    'dropped',
  ])
  expect((await get('/matching/summary')).body).toMatchObject({ generation: 1, unindexed: 0, faults: 0 })
})
