import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { jingle, mixIn, talk, wav } from '../../../src/cli/demo/sound.ts'
import { writeContent } from '../../e2e/archive.ts'
import { startServer, until, useFolder } from '../../e2e/run-fonds.ts'
import { ask, run } from '../../e2e/run-here.ts'

/* A programme manager, by the command line: which jingles are in which shows, how far it is, and what cannot be read. */

const by = ['--actor', 'pam', '--reason', 'the anniversary']

describe('a programme manager', () => {
  it('brings shows and clips, sees how far it is, judges what was found, and mends what cannot be read', async () => {
    const { root, ...given } = useFolder()
    const [anthem, gong] = [jingle(3, 11), jingle(2, 12)]
    const monday = mixIn(mixIn(talk(40, 1), anthem, 10, 3), gong, 25, 3)
    const tuesday = mixIn(talk(30, 2), gong, 5, 3)
    writeContent(root, 'shows/monday.wav', wav(monday))
    writeContent(root, 'shows/tuesday.wav', wav(tuesday))
    writeContent(root, 'shows/broken.mp3', 'no sound at all '.repeat(100))
    writeContent(root, 'clips/anthem.wav', wav(anthem))
    writeContent(root, 'clips/gong.wav', wav(gong))
    for (const kind of ['episodes', 'clips']) {
      const added = await run(
        ['research', 'add', kind, join(root, kind === 'clips' ? 'clips' : 'shows')],
        given,
      )
      expect(added.code).toBe(0)
    }

    // Before anybody listens: what is handed out first, under which lease, and what it waits for.
    const progress = async () => {
      const [answer] = await ask(['research', 'progress'], given)
      return answer
    }
    expect(await progress()).toMatchObject({ episodes: 3, clips: 2, pairs: 6, researched: 0 })
    expect(await ask(['research', 'leases'], given)).toMatchObject([{ state: 'waiting', clips: 2, done: 0 }])
    const next = await run(['research', 'next', '--explain', '--format', 'table'], given)
    expect(next.stdout).toContain('0 researchers there, 1 item waiting')
    expect(next.stdout).toContain('`fonds worker researcher` is one')
    await ask(['do', 'research.pin', 'episode=tuesday', ...by], given)

    // Somebody listens: results, and the episode that cannot be read by name, with its next try.
    await startServer(given)
    await until('all but the broken one is done', async () => (await progress()).researched === 4)
    const found = await ask(['research', 'findings'], given)
    expect(found.map(({ episode, clip, offset }) => [episode, clip, Math.round(offset / 1e8) / 10])).toEqual([
      ['monday', 'anthem', 10],
      ['monday', 'gong', 25],
      ['tuesday', 'gong', 5],
    ])
    expect(found[0].link).toMatch(/^file:.*monday\.wav#t=10/)
    const told = await run(['research', 'progress', '--format', 'table'], given)
    expect(told.stdout).toContain('4 of 6 pairs researched')
    expect(told.stdout).toMatch(/episode broken, next try at \d{4}-\S+, after 1 failure: .*broken\.mp3/)
    expect(told.stdout).not.toMatch(/-\d+ ?%|1\d\d ?%/)
    expect(await ask(['research', 'researchers'], given)).not.toEqual([])

    // A place is confirmed, another one rejected; both stand beside the place.
    const judge = (clip: string, seconds: number, verdict: string) =>
      ask(
        [
          'do',
          'research.judge',
          'episode=monday',
          `clip=${clip}`,
          `offset=${seconds * 1e9}`,
          `verdict=${verdict}`,
          ...by,
        ],
        given,
      )
    const offsetOf = (clip: string) =>
      found.find((one) => one.episode === 'monday' && one.clip === clip)?.offset / 1e9
    await judge('anthem', offsetOf('anthem'), 'confirmed')
    await judge('gong', offsetOf('gong'), 'rejected')
    const [timeline] = await ask(['research', 'timeline', 'monday'], given)
    expect(JSON.stringify(timeline)).toMatch(/confirmed.*rejected/)
    const picture = await run(
      ['research', 'findings', '--episode', 'monday', '--output', join(root, 'monday.svg')],
      given,
    )
    expect(picture.code).toBe(0)

    // The file is put right and tried again: all is done, and the forecast has nothing left.
    writeFileSync(join(root, 'shows/broken.mp3'), wav(tuesday))
    await ask(['do', 'research.retry', 'episode=broken', ...by], given)
    await until('all is done', async () => (await progress()).researched === 6)
    const done = await run(['research', 'progress', '--format', 'table'], given)
    expect(done.stdout).toContain('100.0 %')
    expect(done.stdout).toContain('0 open')
    expect(await ask(['find', 'monday'], given)).toMatchObject([{ kind: 'research-episodes', id: 'monday' }])
  })
})
