import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import type { System } from '../../src/app/system.ts'
import { ensureTopics } from '../../src/app/topics.ts'
import { matching } from '../../src/projections/matching/projection.ts'
import { research } from '../../src/projections/research/projection.ts'
import { catchUp } from '../../src/projections/runtime/catch-up.ts'
import { matchingChecks } from '../../src/workflows/matching/checks.ts'
import { researchGoesOn } from '../../src/workflows/research/checks.ts'
import { writeLog } from '../fakes/matching-log.ts'
import { programme } from '../fakes/research-programme.ts'
import { catalogue } from '../projections/matching/catalogue.ts'
import { researchLog } from '../projections/research/log.ts'
import { contentTopic, lines, recorded, useFonds } from './fonds.ts'

const fonds = useFonds({ keepsHistory: true })
const by = ['--actor', 'ann', '--reason', 'new']

describe('topics', () => {
  test('are there before anything is, with what they take', async () => {
    const { code, rows } = await fonds.run(['topics'])
    expect(code).toBe(0)
    expect(rows.find(({ topic }) => topic === contentTopic)).toMatchObject({
      types: ['content.recorded', 'content.removed'],
      madeBy: 'anybody',
      partitions: [],
      records: '0',
      groups: [],
    })
  })

  test('say what waits, by group and by partition', async () => {
    await fonds.run(['produce', contentTopic, '--wait'], { stdin: lines(recorded('a')) })
    await fonds.run(['produce', contentTopic], { stdin: lines(recorded('b'), recorded('c')) })
    const { rows } = await fonds.run(['topics'])
    expect(rows.find(({ topic }) => topic === contentTopic)).toMatchObject({
      records: '3',
      groups: [{ group: 'fonds.fixity.items', lag: '2', members: [] }],
    })
    const partitions = (await fonds.run(['topics', '--by-partition'])).rows.filter(
      ({ topic }) => topic === contentTopic,
    )
    expect(partitions).toHaveLength(4)
    expect(partitions.reduce((sum, { lag }) => sum + Number(lag), 0)).toBe(2)
    const { out } = await fonds.run(['topics'], { terminal: 120, env: { NO_COLOR: '1' } })
    expect(out).toMatch(/fonds\.fixity\.content +anybody +4 +3 +fonds\.fixity\.items +2 +0\n/)
  })
})

describe('schema', () => {
  test('of a topic, of all, and the documents', async () => {
    const one = await fonds.run(['schema', contentTopic])
    expect(one.rows).toMatchObject([
      { topic: contentTopic, messages: [{ type: 'content.recorded', schema: { type: 'object' } }, {}] },
    ])
    const events = await fonds.run(['schema', 'fonds.fixity.events'])
    expect(events.rows[0]?.messages).toContainEqual(
      expect.objectContaining({ type: 'FixityDecided', schema: expect.objectContaining({ type: 'object' }) }),
    )
    expect((await fonds.run(['schema'])).rows.map(({ topic }) => topic)).toEqual([
      'fonds.fixity.content',
      'fonds.fixity.index',
      'fonds.fixity.observations',
      'fonds.fixity.bucket-events',
      'fonds.indexing.files',
      'fonds.indexing.outcomes',
      'fonds.indexing.bucket-events',
      'fonds.ingest.submissions',
      'fonds.ingest.profiles',
      'fonds.ingest.steps',
      'fonds.ingest.recorded',
      'fonds.ingest.callbacks',
      'fonds.ingest.bucket-events',
      'fonds.matching.works',
      'fonds.matching.graphs',
      'fonds.matching.large-graphs',
      'fonds.matching.merged',
      'fonds.research.episodes',
      'fonds.research.clips',
      'fonds.research.results',
      'fonds.research.researchers',
      'fonds.research.work-items',
      'fonds.house.events',
      'fonds.fixity.events',
      'fonds.indexing.events',
      'fonds.ingest.events',
      'fonds.matching.events',
      'fonds.research.events',
      'fonds.chain.events',
      'fonds.settings.events',
      'fonds.people.events',
      'fonds.retention.events',
      'fonds.premis.events',
    ])
    expect((await fonds.run(['schema', '--asyncapi'])).rows).toMatchObject([
      { asyncapi: '3.0.0', channels: { 'fonds.house.events': {}, 'fonds.fixity.events': {} } },
    ])
    expect((await fonds.run(['schema', '--openapi'])).rows).toMatchObject([{ openapi: '3.1.0' }])
    expect((await fonds.run(['schema', contentTopic], { terminal: 100 })).out).toMatch(/^\{\n {2}"topic"/)
  })

  test('wrong usage', async () => {
    expect((await fonds.run(['schema', '--asyncapi', '--openapi'])).code).toBe(2)
    const unknown = await fonds.run(['schema', 'fonds.fixity.contnt'])
    expect(unknown.code).toBe(1)
    expect(unknown.err).toContain('did you mean fonds.fixity.content?')
  })
})

describe('doctor', () => {
  const look = async (...argv: string[]) => {
    const { code, rows } = await fonds.run(['doctor', ...argv])
    return { code, of: (check: string) => rows.filter((row) => row.check === check), rows }
  }

  test('finds a new archive well but for a backup, and says where settings come from', async () => {
    const { code, rows, of } = await look('--partitions', '2')
    expect(code).toBe(0)
    expect(rows.filter(({ status }) => status !== 'ok')).toMatchObject([
      { check: 'backup', status: 'warn', todo: expect.stringMatching(/^`fonds backup <folder>`/) },
    ])
    expect(of('settings')[0]?.says).toBe(`home ${fonds.home} (FONDS_HOME), partitions 2 (--partitions)`)
    expect(of('integrity')).toHaveLength(2)
  })

  test('names the config file as a source, and hides the token', async () => {
    const config = fonds.file('config.json', '{"port": 7071, "token": "a secret of enough letters"}')
    const { of } = await look('--config', config)
    expect(of('settings')[0]?.says).toContain(`port 7071 (${config})`)
    expect(of('settings')[0]?.says).toContain('token (hidden)')
    expect(JSON.stringify(of('settings'))).not.toContain('secret')
  })

  test('warns of messages and dead letters that wait, and of views behind the log', async () => {
    await fonds.withSystem(async (system) => {
      await ensureTopics(system)
      await system.broker.produce([{ topic: contentTopic, key: 'k', headers: {}, value: '{' }])()
    })
    await fonds.run(['produce', contentTopic, '--wait'], { stdin: lines(recorded('a')) })
    await fonds.run(['produce', contentTopic], { stdin: lines(recorded('b')) })
    const { code, of } = await look()
    expect(code).toBe(0)
    expect(of('topics')[0]).toMatchObject({ status: 'warn', todo: expect.stringContaining('fonds start') })
    expect(of('dead letters')[0]).toMatchObject({ status: 'warn', says: '1 message could not be used' })
  })

  test('matching M17: warns of updates that were accepted and cannot be seen', async () => {
    await fonds.withSystem(async (system) => {
      expect(await matchingChecks(system)).toEqual([])
      const log = catalogue()
      log.say('first', { title: 'A herbal' })
      log.say('second')
      await writeLog(system, log)
      await catchUp({ ...system, projections: [matching] })
      // On its way for no time yet; and much later.
      expect(await matchingChecks(system)).toMatchObject([{ status: 'ok' }])
      const later = { ...system, clock: { ...system.clock, now: () => '2999-01-01T00:00:00.000Z' } }
      expect(await matchingChecks(later)).toMatchObject([
        {
          status: 'warn',
          says: expect.stringMatching(/^unmatched: first “A herbal”, since \S+, and 1 more$/),
        },
      ])
    })
    expect((await look()).of('matching')).toMatchObject([{ status: 'ok', says: 'no update is stuck' }])
  })

  test('research X13: says what is in the way of research', async () => {
    const said = (system: System, now = system.clock.now()) =>
      researchGoesOn({ ...system, clock: { ...system.clock, now: () => now } }).map(({ status, says }) => [
        status,
        says,
      ])
    await fonds.withSystem(async (system) => {
      expect(said(system)).toEqual([])
      const log = researchLog()
      const fold = async () => {
        await writeLog(system, { events: log.events.splice(0) })
        await catchUp({ ...system, projections: [research] })
      }
      log.episode('E')
      log.clip('g')
      await fold()
      expect(said(system)).toEqual([['ok', '0 of 1 pair researched; nothing is in its way']])
      log.lease('E', 'L', ['g'], {
        deadline: '2026-01-01T02:00:00.000Z',
        notAfter: '2026-01-01T01:00:00.000Z',
      })
      await fold()
      const soon = '2026-01-01T00:10:00.000Z'
      expect(said(system, soon)).toEqual([['warn', '1 item waits and no researcher is there']])
      log.researcher('ada', 'ResearcherRegistered', { presentUntil: '2026-01-01T02:00:00.000Z' })
      await fold()
      expect(said(system, soon)).toMatchObject([['ok', expect.anything()]])
      const longAfter = '2026-01-01T00:40:00.000Z'
      expect(said(system, longAfter)).toEqual([
        ['warn', '1 item waits, the oldest from 40 minutes ago, though 1 researcher is there'],
      ])
      expect(said(system, '2026-01-01T01:00:00.000Z')).toMatchObject([['ok', expect.anything()]])
      log.policy('AssigningPaused', { reason: 'a move' })
      log.result('E', 'g', { lease: 'L', effect: { kind: 'none', because: 'expired' } })
      await fold()
      expect(said(system, '2026-01-01T01:00:00.000Z')).toEqual([
        ['warn', expect.stringMatching(/^handing out is paused since 2026-\S+: a move$/)],
        ['warn', '1 of 1 result of the last day came after the lease had ended'],
      ])
      // A day later that is over.
      expect(said(system, '2026-01-03T00:00:00.000Z')).toHaveLength(1)
    })
    expect((await look()).of('research')).toMatchObject([
      { status: 'warn', todo: expect.stringContaining('research.resume') },
    ])
  })

  test('says how what is parked in research is found', async () => {
    await fonds.withSystem((system) => writeLog(system, programme()))
    await fonds.run(['research', 'parked'])
    expect((await look()).of('parked')).toMatchObject([
      {
        says: '1 pair or medium of research is parked',
        todo: expect.stringContaining('fonds research parked'),
      },
    ])
  })

  test('fails where a store is away', async () => {
    const root = join(fonds.folder, 'content')
    mkdirSync(root)
    await fonds.run(['do', 'fixity.register-store', 'store=main', `root=${root}`, ...by])
    expect((await look()).of('store')[0]).toMatchObject({ status: 'ok' })
    rmSync(root, { recursive: true })
    expect((await look()).of('store')[0]).toMatchObject({ status: 'fail' })
  })

  test('warns of files that everybody may write to', async () => {
    await look()
    chmodSync(join(fonds.home, 'fonds.db'), 0o666)
    expect((await look()).of('files')[0]).toMatchObject({
      status: 'warn',
      todo: expect.stringContaining('chmod'),
    })
  })

  test('fails where the log is no database', async () => {
    mkdirSync(fonds.home)
    writeFileSync(
      join(fonds.home, 'fonds.db'),
      'this is no database, and long enough not to be taken for one',
    )
    const { code, rows } = await look()
    expect(code).toBe(1)
    expect(rows.some(({ status, todo }) => status === 'fail' && todo)).toBe(true)
  })

  test('fails where the clock is behind the log', async () => {
    await fonds.run(['do', 'fixity.register-store', 'store=main', 'kind=external', ...by])
    const db = new DatabaseSync(join(fonds.home, 'fonds.db'))
    for (const { name } of db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all())
      db.exec(`DROP TRIGGER "${name}"`)
    db.exec(`UPDATE events SET recorded_at = ${Date.now() + 86_400_000}`)
    db.close()
    const { code, of } = await look()
    expect(code).toBe(1)
    expect(of('clock')[0]).toMatchObject({ status: 'fail' })
  })

  test('is a table with colours on a terminal', async () => {
    const { out } = await fonds.run(['doctor'], { terminal: 140 })
    expect(out).toContain('\u001b[32mok')
    expect(out).toContain('what to do')
  })
})
