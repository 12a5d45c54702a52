import { existsSync, readFileSync, utimesSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { contentTopic, lines, recorded, useFonds } from './fonds.ts'

const fonds = useFonds()
const topicRecords = async (): Promise<unknown> => {
  const { rows } = await fonds.run(['topics'])
  return rows.find(({ topic }) => topic === contentTopic)?.records
}
const eventCount = async () => (await fonds.run(['events'])).rows.length

test('a topic of events takes nothing', async () => {
  const { code, err } = await fonds.run(['produce', 'fonds.fixity.events'], { stdin: lines(recorded('a')) })
  expect(code).toBe(1)
  expect(err).toContain("fonds.fixity.events carries Fonds' own events")
  expect(err).toContain(contentTopic)
})

describe('accepted lines', () => {
  test('of a file are on the topic when it returns; nothing has handled them yet', async () => {
    const file = fonds.file('in.ndjson', lines(recorded('a'), '', recorded('b')))
    const { code, rows, err } = await fonds.run(['produce', contentTopic, file])
    expect(code).toBe(0)
    expect(err).toBe('')
    expect(rows).toEqual([
      {
        topic: contentTopic,
        source: 'fonds://produce/in.ndjson',
        dryRun: false,
        accepted: 2,
        refused: 0,
        refusals: [],
      },
    ])
    expect(await topicRecords()).toBe('2')
    expect(await eventCount()).toBe(0)
  })

  test('of standard input, more than one batch, with --wait until the views show them', async () => {
    const stdin = lines(...Array.from({ length: 1203 }, (_, i) => recorded(`f${i}`, i)))
    const { code, rows } = await fonds.run(['produce', contentTopic, '--wait'], { stdin })
    expect(code).toBe(0)
    expect(rows[0]).toMatchObject({ accepted: 1203, source: 'fonds://produce/stdin' })
    expect((await fonds.run(['query', 'fixity-items'])).rows).toHaveLength(1203)
  })

  test('keep their own id and source when they are CloudEvents, and --source names the others', async () => {
    const event = {
      specversion: '1.0',
      id: '1',
      source: '/cms',
      type: 'index.removed',
      data: { store: 'main', path: 'a' },
    }
    const bare = { type: 'index.removed', data: { store: 'main', path: 'b' } }
    const stdin = lines(JSON.stringify(event), JSON.stringify(bare))
    await fonds.run(['produce', 'fonds.fixity.index', '-', '--source', '/nightly'], { stdin })
    const records = await fonds.withSystem(async ({ broker }) => {
      const all = await Promise.all(
        [0, 1, 2, 3].map((partition) => broker.peek('fonds.fixity.index', partition, 0n, 9)()),
      )
      return all.flatMap((read) => (read._tag === 'Right' ? read.right : []))
    })
    expect(records.map(({ headers }) => headers.ce_source).sort()).toEqual(['/cms', '/nightly'])
  })

  test('are only checked with --dry-run', async () => {
    const { code, rows } = await fonds.run(['produce', contentTopic, '--dry-run'], {
      stdin: lines(recorded('a')),
    })
    expect(code).toBe(0)
    expect(rows[0]).toMatchObject({ accepted: 1, dryRun: true })
    expect(await topicRecords()).toBe('0')
  })
})

describe('refused lines', () => {
  const huge = `"${'x'.repeat(1_200_000)}"`
  const bad = () =>
    Buffer.concat([
      Buffer.from(lines(recorded('a'), '{not json', '{"type":"no.such","data":{}}')),
      Buffer.from('{"type":"content.recorded","data":{"store":"main"}}\n'),
      Buffer.from([0x22, 0xff, 0x22, 0x0a]),
      Buffer.from(lines(huge, recorded('b'))),
    ])

  test('are told with number and reason, stop nothing else, and make the exit code 1', async () => {
    const { code, rows, err } = await fonds.run(['produce', contentTopic, fonds.file('in', bad())])
    expect(code).toBe(1)
    expect(err).toContain('5 of 7 lines refused')
    expect(rows[0]).toMatchObject({
      accepted: 2,
      refused: 5,
      refusals: [
        { line: 2, reason: 'not-json' },
        { line: 3, reason: 'unknown-type' },
        { line: 4, reason: 'wrong-shape', path: 'data.path' },
        { line: 5, reason: 'not-utf8' },
        { line: 6, reason: 'too-large' },
      ],
    })
    expect(await topicRecords()).toBe('2')
  })

  test('are kept as they came with --rejects; mended there they can be sent alone', async () => {
    const rejects = `${fonds.folder}/rejects`
    await fonds.run(['produce', contentTopic, fonds.file('in', bad()), '--rejects', rejects])
    const kept = readFileSync(rejects)
    const wanted = Buffer.concat([
      Buffer.from(lines('{not json', '{"type":"no.such","data":{}}')),
      Buffer.from('{"type":"content.recorded","data":{"store":"main"}}\n'),
      Buffer.from([0x22, 0xff, 0x22, 0x0a]),
      Buffer.from(lines(huge)),
    ])
    expect(kept.equals(wanted)).toBe(true)
  })

  test('are all counted, however few are shown', async () => {
    const stdin = lines(...Array.from({ length: 30 }, () => '{'))
    const { rows } = await fonds.run(['produce', contentTopic, '--show', '3'], { stdin })
    expect(rows[0]).toMatchObject({ accepted: 0, refused: 30 })
    expect(rows[0]?.refusals).toHaveLength(3)
  })

  test('stand in a table on a terminal', async () => {
    const { out, err } = await fonds.run(['produce', contentTopic, '--show', '1'], {
      stdin: lines('{', '}'),
      terminal: 100,
    })
    expect(out).toContain('not-json')
    expect(out).toContain('… and 1 more line refused')
    expect(out).toContain(`0 lines went to ${contentTopic}, 2 lines refused.`)
    expect(err).toContain('2 of 2 lines refused')
  })

  test('one whose record is over the limit of the broker alone is found in its batch', async () => {
    // The line is read, but key and headers take its record over a mebibyte.
    const path = 'p'.repeat(1000)
    const size = 1024 * 1024 - 1200
    const big = JSON.stringify({
      type: 'content.recorded',
      data: { store: 'main', path, checksums: [], recordedFrom: 'r'.repeat(size) },
    })
    expect(big.length).toBeLessThan(1024 * 1024)
    const { code, rows } = await fonds.run(['produce', contentTopic], {
      stdin: lines(recorded('a'), big, recorded('b')),
    })
    expect(code).toBe(1)
    expect(rows[0]).toMatchObject({ accepted: 2, refused: 1, refusals: [{ line: 2, reason: 'too-large' }] })
  })
})

describe('sent again', () => {
  const send = (...argv: string[]) => fonds.run(['produce', contentTopic, ...argv, '--wait'])
  const content = lines(recorded('a'), recorded('b'), recorded('a', 2))

  test('the same file has its effect once', async () => {
    const file = fonds.file('in', content)
    await send(file)
    const before = await eventCount()
    expect((await send(file)).rows[0]).toMatchObject({ accepted: 3 })
    expect(await topicRecords()).toBe('6')
    expect(await eventCount()).toBe(before)
  })

  test('a file that changed meanwhile says something new', async () => {
    // The last line takes `a` back to what it was first: that must not be taken for a repetition.
    const file = fonds.file('in', content)
    await send(file)
    const before = await eventCount()
    utimesSync(file, new Date(0), new Date(0))
    await send(file)
    expect(await eventCount()).toBeGreaterThan(before)
  })

  test('a named batch on standard input has its effect once, an unnamed one is new', async () => {
    const sendStdin = (...argv: string[]) =>
      fonds.run(['produce', contentTopic, '--wait', ...argv], { stdin: content })
    await sendStdin('--batch', 'monday')
    const before = await eventCount()
    await sendStdin('--batch', 'monday')
    expect(await eventCount()).toBe(before)
    await sendStdin()
    expect(await eventCount()).toBeGreaterThan(before)
  })
})

describe('with --wait, what the domain says no to is not told as done', () => {
  const worksTopic = 'fonds.matching.works'
  const work = (sourceVersion: number) => {
    const said = {
      source: 'sierra',
      sourceVersion,
      sourceModifiedAt: '2026-01-31T12:00:00Z',
      state: 'visible',
    }
    return JSON.stringify({ type: 'work.updated', data: { id: 'herbal', ...said, links: [] } })
  }

  test('a rejected message makes the exit code 1, and is named with its reason', async () => {
    const { code, rows, err } = await fonds.run(['produce', worksTopic, '--wait'], {
      stdin: lines(work(5), work(3)),
    })
    expect(code).toBe(1)
    expect(err).toContain('1 of 2 messages rejected')
    expect(err).toContain('fonds query rejections')
    const [rejection] = (await fonds.run(['query', 'rejections'])).rows
    expect(rows[0]).toMatchObject({
      accepted: 2,
      refused: 0,
      outcomes: {
        rejected: 1,
        deadLettered: 0,
        failures: [{ message: rejection?.message, reason: rejection?.code, because: rejection?.because }],
      },
    })
  })

  test('the same file sent again is rejected again; other messages that were rejected before are not its', async () => {
    const file = fonds.file('in', lines(work(5), work(3)))
    await fonds.run(['produce', worksTopic, file, '--wait'])
    const again = await fonds.run(['produce', worksTopic, file, '--wait'])
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('1 of 2 messages rejected')])
    const other = await fonds.run(['produce', worksTopic, '--wait'], { stdin: lines(work(6)) })
    expect(other.code).toBe(0)
    expect(other.rows[0]).toMatchObject({ outcomes: { rejected: 0, deadLettered: 0, failures: [] } })
  })

  test('a message that becomes a dead letter is told, too, beside a refused line', async () => {
    await fonds.run(['produce', contentTopic, '--wait'], { stdin: lines(recorded('a')) })
    const stream = (await fonds.run(['events', '--type', 'ContentRecorded'])).rows[0]?.stream as string
    await fonds.withSystem(({ eventStore }) => eventStore.deleteStream(stream, 'any', 'tombstone')())
    const { code, rows, err } = await fonds.run(['produce', contentTopic, '--wait'], {
      stdin: lines(recorded('a', 2), recorded('b'), '{'),
    })
    expect(code).toBe(1)
    expect(err).toContain('1 of 3 lines refused, 1 of 2 messages could not be used')
    expect(rows[0]).toMatchObject({
      outcomes: { rejected: 0, deadLettered: 1, failures: [{ reason: 'stream-deleted' }] },
    })
  })

  test('on a terminal as a table', async () => {
    const { out } = await fonds.run(['produce', worksTopic, '--wait'], {
      stdin: lines(work(5), work(3)),
      terminal: 160,
    })
    expect(out).toMatch(/older-version.* version 3 of herbal came after version 5/)
  })
})

describe('what cannot be read or sent', () => {
  test('a file that is not there', async () => {
    const { code, err, out } = await fonds.run(['produce', contentTopic, `${fonds.folder}/none`])
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain('there is no file')
  })

  test('a folder', async () => {
    const { code, err } = await fonds.run(['produce', contentTopic, fonds.folder])
    expect(code).toBe(1)
    expect(err).toContain('is a folder')
  })

  test('a topic that is not there, with the one that is meant', async () => {
    const { code, err } = await fonds.run(['produce', 'fonds.fixity.contents'])
    expect(code).toBe(1)
    expect(err).toContain('did you mean fonds.fixity.content?')
  })

  test('a source that no message may carry', async () => {
    const { code } = await fonds.run(['produce', contentTopic, '--source', 'a\nb'], {
      stdin: lines(recorded('a')),
    })
    expect(code).toBe(2)
  })

  test('a rejects file that cannot be made: nothing is sent', async () => {
    const rejects = `${fonds.folder}/no/such/folder`
    const { code } = await fonds.run(['produce', contentTopic, '--rejects', rejects], {
      stdin: lines(recorded('a')),
    })
    expect(code).toBe(1)
    expect(existsSync(rejects)).toBe(false)
    expect(await topicRecords()).toBe('0')
  })
})
