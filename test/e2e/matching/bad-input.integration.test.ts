import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { startRoles } from '../../../src/app/roles.ts'
import { ensureTopics } from '../../../src/app/topics.ts'
import { waitUntilIdle } from '../../../src/app/wait-until-idle.ts'
import type { ProducerRecord } from '../../../src/ports/broker.ts'
import { limits } from '../../patience.ts'
import { openHome } from '../open-home.ts'
import { type Given, type Line, linesOf, startServer, until, useFolder } from '../run-fonds.ts'
import { ask, run } from '../run-here.ts'

/* What a catalogue should never send: it ends in a clear word or as docs/matching.md says, and harms nothing else. */

const topic = 'fonds.matching.works'

const work = (id: string, more: Readonly<Record<string, unknown>> = {}) => ({
  id,
  source: 'library',
  sourceVersion: 1,
  sourceModifiedAt: '2021-01-01T00:00:00Z',
  state: 'visible',
  links: [],
  ...more,
})
const linkedTo = (id: string, to: readonly string[]) =>
  work(id, { links: to.map((one) => ({ to: one, reason: 'same as' })) })
const linked = (id: string, ...to: readonly string[]) => linkedTo(id, to)
const many = (count: number) => Array.from({ length: count }, (_, n) => `y${n}`)
const ndjson = (...works: readonly object[]): string =>
  works.map((one) => `${JSON.stringify(one)}\n`).join('')

const produce = (given: Given, ...works: readonly object[]) =>
  ask(['produce', topic, '--wait'], { ...given, stdin: ndjson(...works) })
/** The last message is rejected, which is told. */
const produceRejected = async (given: Given, ...works: readonly object[]) => {
  const { code, stderr } = await run(['produce', topic, '--wait'], { ...given, stdin: ndjson(...works) })
  expect([code, stderr]).toEqual([1, expect.stringContaining(`1 of ${works.length} messages rejected`)])
}
const documents = async (given: Given): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries(
    (await ask(['query', 'matching-merged', '--columns', 'work,kind,to'], given)).map((row: Line) => [
      row.work,
      row.to ?? row.kind,
    ]),
  )
const isSound = async (given: Given) => {
  expect(await ask(['matching', 'verify'], given)).toMatchObject([{ differences: 0 }])
  expect(await ask(['matching', 'stuck', '--allowed-seconds', '0'], given)).toEqual([])
}

const aMillion = JSON.stringify(linkedTo('x', many(1_000_000)))

/** A line, why it is refused, and what the sentence names. */
const refused: readonly (readonly [line: string, reason: string, says: RegExp])[] = [
  [JSON.stringify({ ...work('x'), id: undefined }), 'wrong-shape', /^work\.updated: id: .*got nothing/],
  [JSON.stringify(work('')), 'wrong-shape', /id: is empty/],
  [JSON.stringify(work(' x')), 'wrong-shape', /id: begins or ends with a space/],
  [JSON.stringify(work('x\t')), 'wrong-shape', /id: holds a control character/],
  [JSON.stringify(work('x'.repeat(2001))), 'wrong-shape', /id: is 2001 characters long; the limit is 2000/],
  [JSON.stringify(work('x', { id: 7 })), 'wrong-shape', /id: wants work id, got 7/],
  [JSON.stringify(work('x', { id: ['x'] })), 'wrong-shape', /id: wants work id/],
  [
    JSON.stringify(work('x', { sourceVersion: '7' })),
    'wrong-shape',
    /sourceVersion: wants whole number.*"7"/,
  ],
  [JSON.stringify(work('x', { sourceVersion: -1 })), 'wrong-shape', /sourceVersion: .*got -1/],
  [JSON.stringify(work('x', { sourceVersion: 1.5 })), 'wrong-shape', /sourceVersion: .*got 1.5/],
  [JSON.stringify(work('x', { sourceVersion: 1e300 })), 'wrong-shape', /sourceVersion: .*got 1e\+300/],
  [JSON.stringify(work('x', { sourceVersion: null })), 'wrong-shape', /sourceVersion: .*got null/],
  [
    JSON.stringify(work('x', { fields: { n: 999 } })).replace('999', '1e999'),
    'wrong-shape',
    /fields\.n: is a number too great to be kept/,
  ],
  [
    JSON.stringify(work('x', { sourceModifiedAt: 'tomorrow' })),
    'wrong-shape',
    /sourceModifiedAt: wants RFC 3339/,
  ],
  [
    JSON.stringify(work('x', { sourceModifiedAt: '2021-02-30T00:00:00Z' })),
    'wrong-shape',
    /sourceModifiedAt/,
  ],
  [JSON.stringify(work('x', { state: 'suppressed' })), 'wrong-shape', /state: wants work state.*suppressed/],
  [JSON.stringify(work('x', { source: '' })), 'wrong-shape', /source: wants .*got ""/],
  [JSON.stringify(work('x', { source: 's'.repeat(201) })), 'wrong-shape', /source: wants .*200 characters/],
  [JSON.stringify(work('x', { links: 'y' })), 'wrong-shape', /links: wants .*got "y"/],
  [JSON.stringify(linked('x', 'y ')), 'wrong-shape', /links\.0\.to: begins or ends with a space/],
  [JSON.stringify(work('x', { links: [{ to: 'y' }] })), 'wrong-shape', /links\.0\.reason: .*got nothing/],
  [JSON.stringify(linkedTo('x', many(10_001))), 'wrong-shape', /links: wants at most 10000 links/],
  [aMillion, 'too-large', /the limit is 1048576/],
  [JSON.stringify(linkedTo('x', many(100_000))), 'too-large', /the limit is 1048576/],
  ['{"id":"x","fields":{"__proto__":{"polluted":1}}}', 'wrong-shape', /__proto__: is no name for a field/],
  [
    JSON.stringify(work('x', { fields: { a: '\ud800' } })),
    'wrong-shape',
    /fields\.a: holds half a character/,
  ],
  [JSON.stringify(work('\udfff')), 'wrong-shape', /id: holds half a character/],
  [
    JSON.stringify(work('x', { fields: { a: 0 } })).replace(
      ':0}',
      `:${'['.repeat(5000)}${']'.repeat(5000)}}`,
    ),
    'wrong-shape',
    /nested deeper than 128 levels/,
  ],
  [`{"id":"x","links":[${'0,'.repeat(500_000)}0]}`, 'wrong-shape', /links/],
]

describe('records that cannot be used', () => {
  it(
    'are refused from the command line, each with its line and the field at fault; the others are taken',
    limits,
    async () => {
      const { folder, home } = useFolder()
      const file = join(folder, 'works.ndjson')
      const bad = refused.toReversed()
      writeFileSync(file, bad.map(([line], n) => `${ndjson(linked(`good ${n}`, 'hub'))}${line}\n`).join(''))
      const sent = await run(['produce', topic, file, '--wait'], { home })
      expect(sent.code).toBe(1)
      const [summary] = linesOf(sent)
      expect(summary).toMatchObject({ accepted: refused.length, refused: refused.length })
      // So many are shown.
      const shown = bad.slice(0, 20)
      expect(summary.refusals).toMatchObject(
        shown.map(([, reason, says], n) => ({
          line: 2 * (n + 1),
          reason,
          message: expect.stringMatching(says),
        })),
      )
      for (const { message } of summary.refusals) expect(message.length).toBeLessThan(1001)
      expect(Object.keys(await documents({ home }))).toHaveLength(refused.length)
      expect(await ask(['dead-letters', 'list', '--status', 'all'], { home })).toEqual([])
      await isSound({ home })
    },
  )

  it('are refused over HTTP with the field at fault', limits, async () => {
    const { home } = useFolder()
    const server = await startServer({ home })
    const post = async (body: string) => {
      const answer = await fetch(`${server.address}/api/v1/topics/${topic}/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      return { status: answer.status, body: (await answer.json()) as Line }
    }
    // Longer bodies than the server takes are cut off while they are sent.
    for (const [line, reason, says] of refused.filter(([line]) => line !== aMillion)) {
      const { status, body } = await post(`{"type":"work.updated","data":${line}}`)
      expect([status, body.code]).toEqual([reason === 'too-large' ? 413 : 400, reason])
      expect(body.detail).toMatch(says)
    }
    expect((await post(JSON.stringify({ type: 'work.updated', data: work('good') }))).status).toBeLessThan(
      300,
    )
    await until('the good one is shown', async () => 'good' in (await documents({ home })))
  })

  it('and come past every client of ours become dead letters, whole', limits, async () => {
    const { home } = useFolder()
    const system = await openHome(home)
    await ensureTopics(system)
    let sent = 0
    const raw = (value: string, key: string): ProducerRecord => ({
      topic,
      key,
      headers: { ce_specversion: '1.0', ce_id: `${++sent}`, ce_source: 'urn:test', ce_type: 'work.updated' },
      value,
    })
    expect(await system.broker.produce([raw(aMillion, 'x')])()).toMatchObject({ left: { kind: 'TooLarge' } })
    const lines = refused.filter(([, reason]) => reason !== 'too-large')
    const records = lines.flatMap(([line], n) => [
      raw(JSON.stringify(linked(`good ${n}`, 'hub')), `good ${n}`),
      raw(line, 'x'),
    ])
    const placed = await system.broker.produce(records)()
    if (isLeft(placed)) throw new Error(JSON.stringify(placed.left))
    const roles = await startRoles(system, ['processors', 'reactions', 'projections'])
    await waitUntilIdle(system)
    await roles.stop()
    const letters = system.viewStore.query('dead-letters', {})
    expect(letters.map(({ processor }) => processor)).toEqual(lines.map(() => 'matching-works'))
    expect(system.viewStore.query('matching-merged', {})).toHaveLength(lines.length)
    await system.close()
    await isSound({ home })
  })
})

describe('records that are odd, and as good as any', () => {
  it('ids with spaces within, of 2,000 characters, that are names of every object', limits, async () => {
    const { home } = useFolder()
    const ids = [
      'two  words',
      'ü'.repeat(2000),
      '__proto__',
      'constructor',
      'toString',
      '-',
      '$all',
      '../x',
      '%2e',
      "'",
    ]
    await produce({ home }, ...ids.map((id) => linked(id, 'hub')), work('alone'))
    expect(await documents({ home })).toEqual(
      Object.fromEntries([['alone', 'merged'], ...ids.map((id) => [id, id === '$all' ? 'merged' : '$all'])]),
    )
    for (const id of ids) {
      const [graph] = await ask(['matching', 'graph', id, '--format', 'json'], { home })
      const nodes = graph.nodes.map(({ id: node }: Line) => node)
      expect(nodes.toSorted()).toEqual([...ids, 'hub'].toSorted())
    }
    await isSound({ home })
  })

  it('field names that are names of every object are fields like others', limits, async () => {
    const { home } = useFolder()
    const fields = { constructor: 'a', toString: ['b'], hasOwnProperty: { c: null }, valueOf: false }
    await produce({ home }, work('a', { fields: { ...fields, '': 1 } }), {
      ...linked('b', 'a'),
      fields: { constructor: 'z', more: 1 },
    })
    const [row] = await ask(['query', 'matching-merged', '--where', 'work=a'], { home })
    expect(row.document.fields).toEqual({ ...fields, '': 1, more: 1 })
  })

  it(
    'a link to itself alone; a ring; a time in the far future; a repeated name; a fraction of a second',
    limits,
    async () => {
      const { home } = useFolder()
      await produce(
        { home },
        linked('self', 'self'),
        linked('r1', 'r2'),
        linked('r2', 'r3'),
        linked('r3', 'r1', 'r1', 'r3'),
        work('future', { sourceModifiedAt: '9999-12-31T23:59:59.999999999Z' }),
        work('far', { sourceVersion: Number.MAX_SAFE_INTEGER }),
      )
      await produce(
        { home },
        work('future', { sourceVersion: 2, title: 'now', sourceModifiedAt: '2021-01-01T00:00:00Z' }),
      )
      expect(await documents({ home })).toEqual({
        ...{ self: 'merged', future: 'merged', far: 'merged' },
        ...{ r1: 'merged', r2: 'r1', r3: 'r1' },
      })
      await isSound({ home })
    },
  )

  it('one id from two sources: the second is refused visibly, until it is handed over', limits, async () => {
    const { home } = useFolder()
    const other = work('a', { source: 'archive', sourceVersion: 9, title: 'theirs' })
    await produceRejected({ home }, work('a', { title: 'ours' }), other)
    expect(await ask(['query', 'rejections', '--columns', 'code,because'], { home })).toEqual([
      {
        code: 'other-source',
        because: expect.stringContaining('library speaks for a, so the word of archive'),
      },
    ])
    const by = ['--actor', 'ada', '--reason', 'moved']
    await ask(['do', 'matching.hand-over', 'work=a', 'to=archive', ...by], { home })
    // What the old source had under way comes late, and is refused.
    await produceRejected(
      { home },
      { ...other, sourceVersion: 1 },
      work('a', { sourceVersion: 99, title: 'late' }),
    )
    const [row] = await ask(['query', 'matching-works', '--columns', 'source,sourceVersion,title'], { home })
    expect(row).toEqual({ source: 'archive', sourceVersion: 1, title: 'theirs' })
    await isSound({ home })
  })
})

describe('messages that only Fonds writes', () => {
  it(
    'forged past every client: a dead letter, and retried another one; the documents stay',
    limits,
    async () => {
      const { home } = useFolder()
      await produce({ home }, linked('a', 'b'), work('b'), work('c'))
      const before = await documents({ home })
      const forged = await run(['produce', 'fonds.matching.graphs'], { home, stdin: '{}\n' })
      expect(forged.code).not.toBe(0)

      const system = await openHome(home)
      const [change] = await ask(['events', '--type', 'GraphChanged'], { home })
      const { version, timeSent, groups } = change.data
      const told = { ...{ generation: 1, version, timeSent, revision: 0 }, group: 0, ...groups[0] }
      const data = { ...told, version: version + 1_000_000 }
      const { component } = data
      const placed = await system.broker.produce([
        {
          topic: 'fonds.matching.graphs',
          key: component,
          headers: {
            ce_specversion: '1.0',
            ce_id: 'f',
            ce_source: 'fonds://matching',
            ce_type: 'graph.changed',
          },
          value: JSON.stringify(data),
        },
      ])()
      if (isLeft(placed)) throw new Error(JSON.stringify(placed.left))
      await system.close()
      await produce({ home }, work('d'))
      const [letter] = await ask(['dead-letters', 'list'], { home })
      expect(letter).toMatchObject({ reason: 'not-in-the-log', processor: 'matching-merger' })
      const by = ['--actor', 'ada', '--reason', 'test']
      const retried = await run(['dead-letters', 'retry', letter.id, ...by], { home })
      expect(retried.code).toBe(1)
      expect(retried.stderr).toContain('1 message could not be used again')
      await produce({ home }, work('e'))
      const letters = await ask(['dead-letters', 'list'], { home })
      expect(letters.map(({ reason }: Line) => reason)).toEqual(['not-in-the-log'])
      expect(letters[0].id).not.toBe(letter.id)
      expect(await documents({ home })).toEqual({ ...before, d: 'merged', e: 'merged' })
      await isSound({ home })
    },
  )
})

describe('a generation that is not built yet', () => {
  it(
    'is not given to readers unless somebody says so, from the command line and over HTTP',
    limits,
    async () => {
      const { home } = useFolder()
      await produce({ home }, work('a'))
      await ask(['matching', 'reindex', '--actor', 'ann', '--reason', 'a test'], { home })
      const cli = await run(['matching', 'switch', '2', '--actor', 'ann', '--reason', 'a test'], { home })
      expect(cli.code).toBe(1)
      expect(cli.stderr).toContain('generation 2 is still being built: readers would miss works')

      const server = await startServer({ home }, ['--roles', 'api,projections'])
      const post = async (input: object) => {
        const answer = await fetch(`${server.address}/api/v1/commands/matching.switch`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ input, actor: 'ada', reason: 'test' }),
        })
        return { status: answer.status, ...((await answer.json()) as Line) }
      }
      expect(await post({ generation: 2 })).toMatchObject({ status: 409, code: 'not-built' })
      expect(await post({ generation: 2, anyway: true })).toMatchObject({ status: 200, outcome: 'done' })
    },
  )
})
