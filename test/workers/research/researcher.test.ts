import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Config } from '#src/app/config/settings.ts'
import { jingle, mixIn, talk, wav } from '#src/cli/demo/sound.ts'
import type { ClipResearchedMessage } from '#src/domain/research/result-messages.ts'
import { researchWorkflow } from '#src/workflows/research/workflow.ts'
import { played } from '../../../packages/sound/test/search/textures.ts'
import { researchWorld } from '../../workflows/research/world.ts'

/* The whole way with real sound: sound files, a lease, findings in the log. */

const [researcher] = researchWorkflow.workers

const tune = jingle(2, 7)
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fonds-sound-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
})

const world = async (settings: Partial<Config> = {}) => {
  const made = await researchWorld(settings)
  const curate = async (subject: 'episode' | 'clip', id: string, media: Uint8Array | string) => {
    if (typeof media === 'string') return made.curate(subject, id, media)
    const file = join(folder, `${id}.wav`)
    await writeFile(file, media)
    await made.curate(subject, id, pathToFileURL(file).href)
  }
  const start = async () => made.atWork(await researcher!.start(made.system, made.options))
  const ended = (lease: string) => vi.waitUntil(() => made.lease(lease)?.state === 'ended', { interval: 10 })
  const data = async (type: string): Promise<readonly unknown[]> =>
    (await made.eventsOf('show')).filter((event) => event.type === type).map((event) => event.data)
  return { ...made, curate, start, ended, data }
}

/** With these settings the episode's download fails, and the lease with it. */
const cannotFetch = async (settings: Partial<Config>, media: Uint8Array | string, says: string) => {
  const { curate, grant, start, ended, data, lease } = await world(settings)
  await curate('episode', 'show', media)
  await curate('clip', 'tune', wav(tune))
  await grant('l1', 'show', 'tune')
  await start()
  await ended('l1')
  expect(lease('l1')?.ended).toBe('failed')
  expect(await data('ResearchFailed')).toEqual([
    expect.objectContaining({ subject: 'episode', stage: 'download', error: expect.stringContaining(says) }),
  ])
}

describe('fonds worker researcher', () => {
  it('finds a clip where it is, and says so of one that is not there and of one that cannot be read', async () => {
    const { curate, grant, start, ended, data, lease } = await world()
    await curate('episode', 'show', wav(mixIn(mixIn(talk(60, 1), tune, 12.5, 0.8), tune, 41.25, 0.6)))
    await curate('clip', 'tune', wav(tune))
    await curate('clip', 'absent', wav(talk(2, 99)))
    await curate('clip', 'page', Buffer.from('<!doctype html><title>404</title>'))
    await grant('l1', 'show', 'tune', 'absent', 'page')
    await start()
    await ended('l1')
    expect(lease('l1')).toMatchObject({ ended: 'finished', doneCount: 2, failedCount: 1 })

    const results = (await data('ClipResearched')) as readonly ClipResearchedMessage[]
    const found = results.find(({ clip }) => clip === 'tune')!
    const seconds = found.matches.map(({ offset }) => offset / 1e9)
    expect(seconds).toHaveLength(2)
    expect(Math.abs(seconds[0]! - 12.5)).toBeLessThan(0.05)
    expect(Math.abs(seconds[1]! - 41.25)).toBeLessThan(0.05)
    expect(found).toMatchObject({ episodeDuration: 60e9, clipDuration: 2e9, engine: { name: 'correlator' } })
    expect(found.episodeHash).toMatch(/^[0-9a-f]{64}$/)
    expect(results.find(({ clip }) => clip === 'absent')?.matches).toEqual([])
    expect(await data('ResearchFailed')).toEqual([
      expect.objectContaining({ subject: 'clip', clip: 'page', stage: 'decode' }),
    ])
  })

  it('reads no file outside of the folders that are allowed', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'fonds-elsewhere-'))
    onTestFinished(() => rm(elsewhere, { recursive: true, force: true }))
    await cannotFetch({ mediaFolders: ` ${elsewhere} , ` }, wav(talk(5, 1)), 'folder')
  })

  it('looks for what the episode plays at another speed where it is told to, and says what that costs', async () => {
    const { curate, grant, start, ended, data, system } = await world({ researchDriftPercent: 0.1 })
    const warned = vi.spyOn(system.log, 'warn')
    await curate('episode', 'show', wav(played(mixIn(talk(20, 1), tune, 5), 1.0007)))
    await curate('clip', 'tune', wav(tune))
    await grant('l1', 'show', 'tune')
    await start()
    expect(warned).toHaveBeenCalledWith(
      expect.anything(),
      expect.stringMatching(/^clips are looked for at speeds up to 0.1 % off: .* searches in place of one/),
    )
    await ended('l1')
    expect(await data('ClipResearched')).toMatchObject([
      {
        matches: [{ offset: expect.closeTo(5e9 / 1.0007, -6), speed: expect.closeTo(1.0007, 4) }],
        engine: { version: '3-drift-0.1' },
      },
    ])
  })

  it('asks no host but those that are allowed', async () => {
    await cannotFetch({ mediaHosts: '.radio.example' }, 'http://127.0.0.1:1/show.wav', 'FONDS_MEDIA_HOSTS')
  })
})
