import { describe, expect, test } from 'vitest'
import { writeLog } from '../fakes/matching-log.ts'
import { pastOfLeases } from '../fakes/research-history.ts'
import { useFonds } from './fonds.ts'

const fonds = useFonds()
const write = () => fonds.withSystem((system) => writeLog(system, pastOfLeases()))
const simulate = (...argv: string[]) => fonds.run(['research', 'simulate', ...argv])
const by = ['--actor', 'eve', '--reason', 'to try it']
const short = ['leaseSeconds=8', 'itemSeconds=4', 'gapSeconds=4', 'maxClips=1']
const all = ['--since', '2026-01-01T00:00:00Z']

describe('X14: fonds research simulate', () => {
  test('holds the past, and what is next, beside what it would be; writes nothing', async () => {
    await write()
    const before = (await fonds.run(['events'])).rows.length
    const { code, rows, err } = await simulate(...short, ...all)
    expect([code, err]).toEqual([0, ''])
    expect(rows).toMatchObject([
      {
        settings: [
          { name: 'leaseSeconds', present: 7200, proposed: 8 },
          { name: 'itemSeconds', present: 5400, proposed: 4 },
          { name: 'gapSeconds', present: 600, proposed: 4 },
          { name: 'maxClips', present: 100, proposed: 1 },
        ],
        past: {
          granted: 2,
          lookedAt: 2,
          actual: {
            items: { taken: 1, lapsed: 1, open: 0, unknown: 0 },
            leases: { ended: 1, cutShort: 0, abandoned: 0, running: 0 },
            lateReports: 0,
          },
          proposed: {
            items: { taken: 1, lapsed: 1 },
            leases: { ended: 0, cutShort: 1 },
            lateReports: 1,
          },
        },
        next: {
          present: {
            items: 2,
            pairs: 4,
            upcoming: [
              { episode: 'E2', clips: 3 },
              { episode: 'E1', clips: 1 },
            ],
          },
          proposed: { items: 4, pairs: 4, upcoming: { length: 4 } },
        },
        notes: [expect.stringContaining('an estimate'), 'what gapSeconds would change is not simulated'],
      },
    ])
    expect((await fonds.run(['events'])).rows).toHaveLength(before)
  })

  test('longer items: whether somebody would have come nobody knows; of the last week there is nothing', async () => {
    await write()
    const long = ['leaseSeconds=20000', 'itemSeconds=10000']
    const { rows } = await simulate(...long, ...all)
    expect(rows).toMatchObject([
      {
        past: { proposed: { items: { lapsed: 0, unknown: 1 } } },
        notes: { 1: expect.stringContaining('nobody knows') },
      },
    ])
    expect((await simulate(...long)).rows).toMatchObject([
      {
        past: { granted: 0, lookedAt: 0 },
        notes: ['no lease was granted in that time: the past tells nothing'],
      },
    ])
  })

  test('new clips that would wait for others do so as they would by the command', async () => {
    await write()
    await fonds.run(['do', 'research.pause', ...by])
    await fonds.run(['do', 'research.set-policy', 'batchClips=9', 'batchSeconds=9000', ...by])
    const clip = { id: 'new', title: 'New', mediaUri: 'https://media.example/n.mp3', mediaType: 'audio/mpeg' }
    const data = { ...clip, curator: 'feed', curatedAt: '2026-01-02T00:00:00Z' }
    const stdin = `${JSON.stringify({ type: 'clip.curated', data })}\n`
    await fonds.run(['produce', 'fonds.research.clips', '--wait'], { stdin })
    const { rows } = await simulate('maxClips=1', ...all)
    expect(rows).toMatchObject([{ next: { proposed: { waitingClips: 1, waitingPairs: 2, pairs: 4 } } }])
    const { rows: released } = await simulate('batchClips=1', 'batchSeconds=0', ...all)
    expect(released).toMatchObject([
      { next: { present: { waitingClips: 1 }, proposed: { waitingClips: 0, pairs: 6 } } },
    ])
    await fonds.run(['do', 'research.set-policy', 'batchClips=1', 'batchSeconds=0', ...by])
    const { rows: since } = await simulate('maxClips=100', ...all)
    const [was] = released as readonly { next: { proposed: object } }[]
    expect(since).toMatchObject([{ settings: [], next: { present: was!.next.proposed } }])
  })

  test('says it in tables on a terminal', async () => {
    await write()
    const { code, out } = await fonds.run(['research', 'simulate', ...short, ...all], {
      terminal: 120,
      env: { NO_COLOR: '1' },
    })
    expect(code).toBe(0)
    expect(out).toMatch(/^Settings: leaseSeconds 7200 → 8, /)
    expect(out).toMatch(/^2 leases since 2026-01-01T00:00:00Z +as it was +as it would have been$/m)
    expect(out).toMatch(/^leases that ran out while work went on +0 +1$/m)
    expect(out).toMatch(/^items that hold them +2 +4$/m)
    expect(out).toMatch(/^1\. +E2: 3 clips +E2: 1 clip$/m)
    expect(out).not.toContain('run on')
    expect(out).toContain('Note: an estimate: ')
  })

  test.each([
    [['itemSeconds=9000'], 1],
    [['leaseSeconds=null'], 2],
    [['leaseSeconds=5500'], 1],
    [['maxClips=0'], 2],
    [['maxClip=3'], 2],
    [['maxClips'], 2],
  ])('refuses %j as research.set-policy does, in the same words', async (fields, wanted) => {
    const command = await fonds.run(['do', 'research.set-policy', ...fields, ...by])
    const { code, out, err } = await simulate(...fields)
    expect([code, out]).toEqual([wanted, ''])
    expect([code, err.split('\n')[0]]).toEqual([command.code, command.err.split('\n')[0]])
  })

  test('wants settings, and a period that is one', async () => {
    expect((await simulate()).code).toBe(2)
    const { code, err } = await simulate('maxClips=3', '--since', 'monday')
    expect([code, err]).toEqual([2, expect.stringContaining('neither a period (7d, 12h, 30min)')])
  })
})
