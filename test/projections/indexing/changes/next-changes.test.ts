import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import { type AccessTerms, accessStream } from '#src/domain/indexing/access/rule.ts'
import { fileStream } from '#src/domain/indexing/file.ts'
import { addMillis, DAY, HOUR } from '#src/domain/kernel/time.ts'
import { nextChanges } from '#src/projections/indexing/changes/next-changes.ts'
import { captureSource } from '#src/workflows/indexing/capture-source.ts'
import { fakeEventStore } from '../../../fakes/event-store.ts'
import { recordedTelemetry } from '../../../fakes/telemetry.ts'
import { changer, emptyFolder, openTestIndex, sortedUnique } from '../../../infra/capture-index/lines.ts'
import { runs } from '../../../runs.ts'
import { applyItem, type Secondary } from './secondary.ts'

let ids = 0
const newId = () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`
const hidden = /^org,b\)\/secret /

const setUp = () => {
  const time = { now: '2026-01-31T12:00:00.000Z' }
  const eventStore = fakeEventStore({ gap: 3n, now: () => time.now })
  const index = openTestIndex(emptyFolder(), { runsPerLevel: 2, maxInputs: 3, graceMillis: 0 })
  const secondary: Secondary = { lines: new Set(), since: undefined }
  const openSource = () =>
    captureSource({
      captureIndex: () => index,
      config: { indexingScanLines: 50 } as never,
      eventStore,
      clock: { now: () => time.now } as never,
      telemetry: recordedTelemetry(),
    })
  const note = async (rule: string, type: string, data: object): Promise<void> => {
    const metadata = { actor: 'ada', causationId: 'c', correlationId: 'c', schema: 1 }
    const event = { id: newId(), type, data: { ...data, reason: 'r', at: time.now }, metadata }
    expect(await eventStore.append(accessStream(rule), 'any', [event])()).toSatisfy(E.isRight)
  }
  /** The word of a person on the embargo of the file of all lines. */
  const embargo = async (until: string | undefined): Promise<void> => {
    const metadata = { actor: 'ada', causationId: 'c', correlationId: 'c', schema: 1 }
    const data = { ...(until !== undefined && { until }), at: time.now }
    const event = { id: newId(), type: until === undefined ? 'EmbargoLifted' : 'EmbargoSet', data, metadata }
    // The first event of the stream is not the embargo: lines of the file may be known.
    const stream = fileStream({ repository: 'm', name: 'f.warc.gz' })
    const moved = { ...event, id: newId(), type: 'FileRescued', data: { reason: 'r', dueAt: time.now } }
    expect(await eventStore.append(stream, 'any', [moved, event])()).toSatisfy(E.isRight)
  }
  /** One answer; where the secondary is killed, it does not keep where to go on. */
  const follow = async (size: number, killedBehind = Number.POSITIVE_INFINITY) => {
    const { signal } = new AbortController()
    const asked = { since: secondary.since, size, now: time.now, signal }
    const answer = await nextChanges(eventStore, openSource, asked)
    if (E.isLeft(answer)) throw new Error(answer.left)
    const { items, next, more } = answer.right
    for (const item of items.slice(0, killedBehind)) applyItem(secondary, item)
    if (items.length <= killedBehind) secondary.since = next
    return { items, more }
  }
  const followAll = async (size = 3) => {
    while ((await follow(size)).more);
  }
  const visible = async () => {
    const { isHidden, index } = await openSource()
    const lines: string[] = []
    const { captureLine } = await import('@fonds/cdx')
    for await (const batch of index.scan({}))
      for (const bytes of batch) {
        const line = captureLine(Buffer.from(bytes).toString())
        if (line && !isHidden?.(line)) lines.push(line.text)
      }
    return lines
  }
  return { eventStore, index, time, secondary, note, embargo, follow, followAll, visible, ...changer(index) }
}

const lineOf = (host: string, path: string, day: number) =>
  `org,${host})/${path} 202601${day}000000 http://${host}.org/${path} text/html 200 D - - 9 ${day} f.warc.gz`

const anyLine = fc
  .tuple(fc.constantFrom('a', 'b'), fc.constantFrom('', 'x', 'secret'), fc.integer({ min: 26, max: 31 }))
  .map((parts) => lineOf(...parts))
const anyLines = fc.array(anyLine, { maxLength: 6 })
const anyTerms: fc.Arbitrary<AccessTerms> = fc.record(
  {
    policy: fc.constantFrom('deny' as const, 'deny' as const, 'allow' as const),
    match: fc.constantFrom('exact' as const, 'prefix' as const, 'host' as const, 'domain' as const),
    url: fc.constantFrom('http://a.org/', 'http://b.org/secret', 'http://org/'),
    capturedTo: fc.constant('20260128'),
    youngerThanDays: fc.constantFrom(1, 3),
    accessedFrom: fc.constantFrom('2026013118', '20260202'),
    accessedTo: fc.constantFrom('2026013120', '20260203'),
  },
  { requiredKeys: ['policy', 'match', 'url'] },
)
const anyRule = fc.constantFrom('r1', 'r2')
const anyStep = fc.oneof(
  fc.record({ kind: fc.constant('publish' as const), file: fc.constantFrom('m/1', 'm/2'), lines: anyLines }),
  fc.record({ kind: fc.constant('withdraw' as const), file: fc.constantFrom('m/1', 'm/2') }),
  fc.record({ kind: fc.constantFrom('add' as const, 'remove' as const), lines: anyLines }),
  fc.record({ kind: fc.constant('rule' as const), rule: anyRule, terms: anyTerms }),
  fc.record({ kind: fc.constant('no-rule' as const), rule: anyRule }),
  fc.record({
    kind: fc.constant('embargo' as const),
    until: fc.constantFrom(undefined, '2026-01-31', '2026-02-01', '2026-02-03'),
  }),
  fc.record({ kind: fc.constant('merge' as const) }),
  fc.record({ kind: fc.constant('time' as const), hours: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ kind: fc.constant('follow' as const), size: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ kind: fc.constant('killed' as const), behind: fc.nat(4) }),
)

it('indexing C15 who follows what changes shows what the index shows, whatever changes, and whenever it is killed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 4, maxLength: 25 }), async (steps) => {
      const all = setUp()
      for (const step of steps)
        switch (step.kind) {
          case 'publish':
            await all.publish(step.file, step.lines)
            break
          case 'withdraw':
            await all.withdraw(step.file)
            break
          case 'add':
          case 'remove':
            await all[step.kind](step.lines)
            break
          case 'rule':
            await all.note(step.rule, 'AccessRuleSet', step.terms)
            break
          case 'no-rule':
            await all.note(step.rule, 'AccessRuleRemoved', {})
            break
          case 'embargo':
            await all.embargo(step.until)
            break
          case 'merge':
            await all.index.mergeDue({ all: true })
            break
          case 'time':
            all.time.now = addMillis(all.time.now, step.hours * HOUR)
            break
          case 'follow':
            await all.follow(step.size)
            break
          case 'killed':
            await all.follow(4, step.behind)
        }
      await all.followAll()
      // An embargo is followed once a day.
      all.time.now = addMillis(all.time.now, DAY)
      await all.followAll()
      expect(sortedUnique(all.secondary.lines)).toEqual(await all.visible())
      await all.index.close()
    }),
    { numRuns: runs(25) },
  )
})

it('indexing C16 what rules hide is not told of, neither where it comes nor where it goes', async () => {
  const { note, publish, withdraw, follow, followAll, secondary } = setUp()
  const [open, secret] = [lineOf('a', '', 26), lineOf('b', 'secret', 26)]
  await publish('m/1', [open, secret])
  await followAll()
  expect([...secondary.lines]).toEqual([open, secret])
  await note('r1', 'AccessRuleSet', { policy: 'deny', match: 'exact', url: 'http://b.org/secret' })
  await publish('m/2', [lineOf('b', 'secret', 27)])
  const ruled = await follow(10)
  expect(ruled.items.filter((item) => !('anew' in item))).toEqual([])
  expect([...secondary.lines]).toEqual([open])
  await withdraw('m/2')
  expect((await follow(10)).items).toEqual([])
  await note('r1', 'AccessRuleRemoved', {})
  await followAll()
  expect([...secondary.lines].filter((line) => hidden.test(line))).toEqual([secret])
})

it('indexing C15 nothing is told twice for nothing, and a place that means nothing is refused', async () => {
  const { publish, followAll, follow, secondary } = setUp()
  await publish('m/1', [lineOf('a', '', 26)])
  await followAll()
  expect((await follow(10)).items).toEqual([])
  await publish('m/1', [lineOf('a', '', 27)])
  expect((await follow(10)).items).toEqual([{ remove: lineOf('a', '', 26) }, { add: lineOf('a', '', 27) }])
  const other = setUp()
  other.secondary.since = secondary.since
  await expect(other.follow(1)).rejects.toThrow('an older one was put in its place')
  other.secondary.since = 'x'
  await expect(other.follow(1)).rejects.toThrow('not what an answer gave')
})

it.each([
  ['an embargo', { youngerThanDays: 3 }, [[], [lineOf('a', '', 29)], [lineOf('a', '', 29)]]],
  ['a beginning', { accessedFrom: '20260202' }, [[lineOf('a', '', 29)], [lineOf('a', '', 29)], []]],
  ['an end', { accessedTo: '20260201' }, [[], [], [lineOf('a', '', 29)]]],
])('indexing C15 time moves what may be seen, too: %s', async (_, terms, expected) => {
  const { note, publish, followAll, secondary, time } = setUp()
  await note('r1', 'AccessRuleSet', { policy: 'deny', match: 'host', url: 'http://a.org/', ...terms })
  await publish('m/1', [lineOf('a', '', 29)])
  for (const [day, lines] of expected.entries()) {
    if (day > 0) time.now = addMillis(time.now, DAY)
    await followAll()
    expect([...secondary.lines]).toEqual(lines)
  }
})
