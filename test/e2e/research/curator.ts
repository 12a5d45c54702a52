import { writeSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { isLeft } from 'fp-ts/lib/Either.js'
import { writeMessage } from '../../../src/domain/kernel/cloud-event.ts'
import { clipsTopic, episodesTopic } from '../../../src/domain/research/curation-messages.ts'
import { random } from '../crash/expectations.ts'
import { openHome } from '../open-home.ts'
import { sighting } from './curating.ts'

/*
 * Curates, a few at a time, and now and then what it curated before. A careful one: what was not acknowledged is sent again
 * by whoever comes after it. Its one argument is JSON.
 */

export interface Curating {
  readonly home: string
  readonly settings?: object
  readonly seed: number
  readonly episodes: readonly string[]
  readonly clips: readonly string[]
  /** Folder address of the media. */
  readonly media: string
}

const { home, settings = {}, seed, episodes, clips, media }: Curating = JSON.parse(process.argv[2]!)
const chance = random(seed)
const { broker } = await openHome(home, settings)

const things = [
  ...episodes.map((id) => ({ id, topic: episodesTopic, type: 'episode.curated' })),
  ...clips.map((id) => ({ id, topic: clipsTopic, type: 'clip.curated' })),
].sort((one, other) => one.id.slice(1).localeCompare(other.id.slice(1)))

/** The n-th sighting of a thing is the same message whenever it is sent. */
const recordOf = ({ id, topic, type }: (typeof things)[number], times: number) =>
  writeMessage(
    {
      id: `${id} ${times}`,
      source: 'urn:test:curator',
      type,
      time: new Date().toISOString(),
      data: sighting(id, { mediaUri: `${media}${id}.wav`, curatedAt: `2026-01-05T12:00:0${times}.000Z` }),
    },
    topic,
  )

for (let n = 0; n < things.length; ) {
  const some = things.slice(n, n + 1 + Math.floor(chance() * 3))
  const again = things.slice(0, n).filter(() => chance() < 0.1)
  const placed = await broker.produce([
    ...some.map((thing) => recordOf(thing, 0)),
    ...again.map((thing) => recordOf(thing, 1 + Math.floor(chance() * 3))),
  ])()
  if (isLeft(placed)) continue
  for (const { topic, partition, offset } of placed.right)
    writeSync(1, `put ${topic}/${partition}/${offset}\n`)
  n += some.length
  await setTimeout(chance() * 400)
}
writeSync(1, 'all curated\n')
process.exit(0)
