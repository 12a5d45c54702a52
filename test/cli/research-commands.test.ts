import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { writeLog } from '../fakes/matching-log.ts'
import { programme } from '../fakes/research-programme.ts'
import { useFonds } from './fonds.ts'

const fonds = useFonds()
/** No view has been folded of it: commands that look into views see to that. */
const write = () => fonds.withSystem((system) => writeLog(system, programme()))
const by = ['--actor', 'eve', '--reason', 'to try it']

describe('X7: what a person may ask of research', () => {
  test.each([
    ['prioritise', ['episode=E1', 'priority=7'], 'Prioritised'],
    ['prioritise', ['clip=g', 'priority=-2'], 'Prioritised'],
    ['pin', ['clip=g'], 'Pinned'],
    ['exclude', ['episode=E1'], 'Excluded'],
    ['pin', ['curator=feed'], 'CuratorPinned'],
    ['exclude', ['curator=feed'], 'CuratorExcluded'],
    ['pause', [], 'AssigningPaused'],
    ['revoke', ['episode=E1', 'lease=L1'], 'LeaseRevoked'],
    ['retry', ['episode=E2'], 'Retried'],
    ['reopen', ['episode=E1'], 'Reopened'],
    ['reopen', ['engine=correlator', 'version=1'], 'ReopenRequested'],
    ['reopen', ['all=true'], 'ReopenRequested'],
    ['block', ['researcher=ada'], 'ResearcherBlocked'],
    ['set-policy', ['maxClips=3', 'agingSeconds=86400'], 'PolicySet'],
    ['release-clips', [], 'WaitingClipsReleased'],
  ])('research.%s %j', async (name, fields, event) => {
    await write()
    const { code, rows, err } = await fonds.run(['do', `research.${name}`, ...fields, ...by])
    expect([code, err]).toEqual([0, ''])
    expect(rows).toMatchObject([{ outcome: 'done', events: [{ type: event }] }])
  })

  test.each([
    ['pin', 'unpin', 'episode=E1'],
    ['pin', 'unpin', 'curator=feed'],
    ['exclude', 'include', 'clip=g'],
    ['block', 'unblock', 'researcher=ada'],
    ['pause', 'resume', undefined],
  ])('research.%s is taken back by research.%s', async (one, other, field) => {
    await write()
    const give = async (name: string) =>
      (await fonds.run(['do', `research.${name}`, ...(field ? [field] : []), ...by])).rows[0]?.outcome
    expect(await give(other)).toBe('unchanged')
    expect([await give(one), await give(one), await give(other)]).toEqual(['done', 'unchanged', 'done'])
  })

  test.each([
    [['revoke', 'episode=E1', 'lease=L9'], 'no lease L9 was granted'],
    [['block', 'researcher=eve'], 'check the spelling'],
    [['pin', 'curator=feet'], 'no episode or clip was brought by a curator feet'],
    [['pin', 'clip=none'], 'no curator has seen this clip'],
    [['set-policy', 'itemSeconds=9000'], 'must be below leaseSeconds (7200)'],
  ])('%j is refused, and why', async (argv, says) => {
    await write()
    const { code, err } = await fonds.run(['do', `research.${argv[0]}`, ...argv.slice(1), ...by])
    expect(code).toBe(1)
    expect(err).toContain(says)
  })

  test.each([
    [['pin', 'episode=E1', 'clip=g'], 'exactly one of episode, clip, curator'],
    [['prioritise', 'episode=E1', 'priority=high'], 'error: priority: wants whole number'],
    [['reopen'], 'all: true alone for everything'],
    [['set-policy', 'maxClip=3'], 'did you mean maxClips?'],
  ])('%j is no such wish', async (argv, says) => {
    const { code, err } = await fonds.run(['do', `research.${argv[0]}`, ...argv.slice(1), ...by])
    expect(code).toBe(2)
    expect(err).toContain(says)
  })
})

describe('fonds research add', () => {
  const files = (folder: string, ...names: readonly string[]): string => {
    const path = join(fonds.folder, folder)
    for (const name of names) {
      mkdirSync(join(path, name, '..'), { recursive: true })
      writeFileSync(join(path, name), 'sound')
    }
    return path
  }
  const add = (...argv: string[]) => fonds.run(['research', 'add', ...argv])

  test('records files below a folder by their names, once', async () => {
    const clips = files('clips', 'b/jingle.mp3', 'a.flac', 'notes.txt')
    const added = await add('clips', clips, '--curator', 'ada', '--priority', '-3')
    expect(added).toMatchObject({
      code: 0,
      rows: [{ kind: 'clips', added: 2, changed: 0, known: 0, leftOut: [] }],
    })
    const { rows } = await fonds.run(['query', 'research-clips'])
    expect(rows).toMatchObject([
      { clip: 'a', title: 'a', mediaType: 'audio/flac', curator: 'ada', priority: -3 },
      { clip: 'b/jingle', title: 'jingle', mediaUri: expect.stringMatching(/^file:.*\/b\/jingle\.mp3$/) },
    ])
    expect((await add('clips', clips, '--curator', 'ada', '--priority', '-3')).rows).toMatchObject([
      { added: 0, changed: 0, known: 2 },
    ])
    expect((await fonds.run(['events', '--type', 'Curated'])).rows).toHaveLength(2)
    await add('episodes', files('shows', 'one.ogg'))
    expect((await fonds.run(['research', 'progress'])).rows).toMatchObject([{ pairs: 2, leased: 2 }])
  })

  test('a master beside its copy for listening is taken alone; what has no decoder is named', async () => {
    const shows = files('shows', 'one.mp3', 'one.wav', 'two.m4a', 'three.flac', 'three.ogg', 'notes.txt')
    const { code, rows } = await add('episodes', shows)
    expect(code).toBe(0)
    expect(rows).toMatchObject([{ added: 2, changed: 0, known: 0 }])
    expect(rows[0]?.leftOut).toEqual([
      { path: join(shows, 'two.m4a'), reason: '.m4a is not decoded here: convert it, to flac for example' },
      { path: join(shows, 'one.mp3'), reason: 'one.wav of the same name is taken' },
      { path: join(shows, 'three.ogg'), reason: 'three.flac of the same name is taken' },
    ])
  })

  test('sound that has no decoder alone is an error', async () => {
    const { code, rows, err } = await add('episodes', files('shows', 'one.m4a', 'two.AAC'))
    expect([code, rows[0]?.added]).toEqual([1, 0])
    expect(err).toContain('2 sound files found, and none can be taken')
  })

  test('a recording stays the file it was recorded as, when its master comes', async () => {
    const shows = files('shows', 'one.mp3')
    await add('episodes', shows)
    files('shows', 'one.wav')
    expect((await add('episodes', shows)).rows).toMatchObject([
      { added: 0, changed: 0, known: 1, leftOut: [{ path: join(shows, 'one.wav') }] },
    ])
  })

  test('files of one name in two folders are refused', async () => {
    const { code, err } = await add('episodes', files('a', 'one.mp3'), files('b', 'one.wav'))
    expect(code).toBe(1)
    expect(err).toContain('two files would be the episode one')
  })

  test.each([
    [['notes.txt'], 'there is no sound file at'],
    [[], 'is not there'],
  ])('%j: is refused', async (names, says) => {
    const { code, out, err } = await add('episodes', files('shows', ...names))
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain(says)
    expect((await fonds.run(['events'])).rows).toEqual([])
  })
})
