import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'vitest'
import type { System } from '../../../../src/app/system.ts'
import { talk, wav } from '../../../../src/cli/demo/sound.ts'
import { episodeEvents } from '../../../../src/domain/research/episode/events.ts'
import { curate, ids, setPolicy, sighting } from '../../../e2e/research/curating.ts'
import { expectEffectsOnce } from '../../../e2e/research/effects.ts'
import { expectAllResearched, livesOf, pairName } from '../../../e2e/research/expectations.ts'
import { outside, putBy } from '../../../e2e/research/world.ts'
import { until, useFolder } from '../../../e2e/run-fonds.ts'
import { areAlive, type Settings } from '../cluster.ts'
import type { Traffic } from './traffic.ts'

interface ResearchTraffic extends Traffic {
  /** Nobody researches any more; leases run out. */
  leave(): Promise<void>
}

/** Clips that come one by one, to be searched for in a few episodes by the nodes, and by a researcher that is none of ours. */
export const researchTraffic = async (
  system: System,
  settings: Settings,
  media: string,
  seed: number,
): Promise<ResearchTraffic> => {
  await setPolicy(system, {
    leaseSeconds: 6,
    itemSeconds: 4,
    gapSeconds: 1,
    presenceSeconds: 4,
    maxClips: 5,
    // Kills are no fault of the work: none is parked for them.
    attempts: 100,
    backoffSeconds: 1,
  })
  const episodes = ids('e', 3)
  const clips: string[] = []
  mkdirSync(media, { recursive: true })
  const sound = (id: string, seconds: number) => {
    const path = join(media, `${id}.wav`)
    writeFileSync(path, wav(talk(seconds, id.charCodeAt(0) + Number(id.slice(1)))))
    return sighting(id, { mediaUri: pathToFileURL(path).href })
  }
  const researcher = outside({
    home: useFolder().home,
    researcher: 'outside',
    settings,
    sessionMillis: 6000,
    gapMillis: 20,
    chaos: seed,
  })
  const put = () => putBy(researcher)
  await until(
    'the researcher listens',
    () => areAlive([researcher]) && researcher.stdout().includes('listening'),
  )
  await curate(system, { episodes: episodes.map((id) => sound(id, 4)) })
  const pairs = () => episodes.flatMap((episode) => clips.map((clip) => pairName(episode, clip)))
  return {
    name: 'research',
    feed: async () => {
      const clip = `c${String(clips.length).padStart(5, '0')}`
      await curate(system, { clips: [sound(clip, 1)] })
      clips.push(clip)
    },
    acknowledged: () => episodes.length + clips.length + put().length,
    open: (views) => {
      const done = views.query('research-episode-results', {})
      return pairs().length - done.reduce((sum, { researched }) => sum + Number(researched), 0)
    },
    leave: async () => {
      researcher.child.kill('SIGKILL')
      await researcher.exit
    },
    found: async ({ events }) => ({
      wanted: pairs(),
      found: events.flatMap((event) => {
        const read = episodeEvents.read(event)
        if (read._tag === 'Left' || read.right.type !== 'ClipResearched' || read.right.data.repeat) return []
        return [pairName(event.stream.slice(event.stream.indexOf('-') + 1), read.right.data.clip)]
      }),
    }),
    expectSound: async ({ events }) => {
      expectAllResearched(livesOf(events), episodes, clips)
      const { messages } = await expectEffectsOnce(system, events, put())
      expect(messages).toBeGreaterThan(clips.length)
    },
  }
}
