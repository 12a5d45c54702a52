import { type ChildProcess, spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startRoles } from '../../app/roles.ts'
import { waitUntilIdle } from '../../app/wait-until-idle.ts'
import { type Waiting, waitUntil } from '../../async/wait-until.ts'
import { tally } from '../../domain/kernel/read-views.ts'
import { clipsTopic, episodesTopic } from '../../domain/research/curation-messages.ts'
import { leases } from '../../domain/research/views.ts'
import { place } from '../../projections/research/questions/clock.ts'
import { findings } from '../../projections/research/questions/findings.ts'
import { liveLeases } from '../../projections/research/questions/live-leases.ts'
import { progress } from '../../projections/research/questions/progress.ts'
import { progressLines } from '../../projections/research/questions/progress-question.ts'
import { timelineOf } from '../../projections/research/questions/timeline.ts'
import { timelineSvg } from '../../projections/research/questions/timeline-svg.ts'
import { reportOnTopic } from '../../workers/runtime/report-on-topic.ts'
import { askCommand } from '../ask-command.ts'
import { writeRows } from '../output/format.ts'
import { count, plural } from '../output/text.ts'
import type { DemoContext } from './context.ts'
import { makeProgramme } from './programme.ts'

/** A radio programme in which clips are found by two researchers, of which one is killed. Returns what to do next. */
export const researchStory = async (context: DemoContext): Promise<readonly string[]> => {
  const { system, title, call } = context
  const roles = await startRoles(system, ['processors', 'reactions', 'projections'])
  const researchers: ChildProcess[] = []
  try {
    await title('A radio programme: which clips are in which episodes, and where?')
    const pairs = await curateProgramme(context)
    await title('Two researchers listen; one of them is killed')
    await listen(context, pairs, researchers)
    await title('Where the clips are')
    await showFindings(context)
    return [
      'See what was handed out and why, who had it, and what one pair came to:',
      `  ${call} research next episode-2 catch-phrase`,
      `  ${call} history episode-2`,
      `  ${call} research pair episode-2 catch-phrase`,
    ]
  } finally {
    await Promise.all(researchers.map(stop))
    await waitUntilIdle(system)
    await roles.stop()
  }
}

/** Returns how many pairs of an episode and a clip there are. */
const curateProgramme = async ({ system, say }: DemoContext): Promise<number> => {
  const { episodes, clips } = await makeProgramme(join(system.config.home, 'programme'))
  await askCommand(system, 'research.set-policy', shortLeases, {
    actor: 'demo',
    reason: 'a demo has no time for leases of two hours',
  })
  const curated = { source: 'fonds://demo/curator', system }
  await curate(curated, episodesTopic, 'episode.curated', episodes)
  await curate(curated, clipsTopic, 'clip.curated', clips)
  await waitUntilIdle(system)
  const pairs = episodes.length * clips.length
  await say(
    `${plural(episodes.length, 'episode')} of a minute and ${plural(clips.length, 'clip')}, as sound files: ` +
      `${plural(pairs, 'pair')} to listen to.`,
  )
  return pairs
}

/** Kills the first researcher with a lease in its hands; a second one does all the work. */
const listen = async (context: DemoContext, pairs: number, researchers: ChildProcess[]): Promise<void> => {
  const { say } = context
  const first = startResearcher(context)
  researchers.push(first)
  const lease = await until(context, first, () => taken(context), { pollMillis: 20 })
  first.kill('SIGKILL')
  await say(
    `The first took ${lease.episode} with ${plural(lease.clips, 'clip')} and was killed at once. Its lease holds the`,
  )
  await say(`clips until ${lease.deadline}: nobody else may have them before.`)
  const second = startResearcher(context)
  researchers.push(second)
  await untilAllResearched(context, second, pairs)
  await say(
    `Leases, by how they ended: ${leasesBy(context)}. What expired was handed out again, and done once.`,
  )
}

const untilAllResearched = async (
  context: DemoContext,
  researcher: ChildProcess,
  pairs: number,
): Promise<void> => {
  const { system, say } = context
  const progressNow = () => progress(system.viewStore, system.clock.now())
  const bar = context.progress('Listening', pairs)
  let seen = 0
  const allResearched = () => {
    const { researched, pairs } = progressNow()
    bar.advance(researched - seen)
    seen = researched
    return researched === pairs ? true : undefined
  }
  await until(context, researcher, allResearched, { isCostly: true })
  bar.done()
  for (const line of progressLines(progressNow())) await say(line)
}

const showFindings = async ({ system, output, say }: DemoContext): Promise<void> => {
  const rows = findings(system.viewStore).findings.map(({ episode, offset, clipTitle, score }) => ({
    episode,
    at: place(offset),
    clip: clipTitle,
    score: Math.round(score * 1000) / 1000,
  }))
  await writeRows(output, [rows], { format: 'table' })
  await say('The outtake was looked for in every episode, and is in none: that is a result, too.')
  const picture = join(system.config.home, 'episode-2.svg')
  await writeFile(picture, timelineSvg(timelineOf(system.viewStore, 'episode-2')))
  await say(`The timeline of the second episode: open ${picture}`)
}

const shortLeases = {
  leaseSeconds: 4,
  itemSeconds: 2,
  gapSeconds: 1,
  maxClips: 2,
  presenceSeconds: 3,
}

const curate = async (
  { system, source }: { readonly system: DemoContext['system']; readonly source: string },
  topic: typeof episodesTopic | typeof clipsTopic,
  type: string,
  sightings: readonly object[],
): Promise<void> => {
  await reportOnTopic(
    system,
    topic,
    source,
    sightings.map((data) => ({ type, data })),
  )
}

/** As a person would: a process of its own, on the demo's home, whatever the settings of the person are. */
const startResearcher = ({ system: { config } }: DemoContext): ChildProcess => {
  const settings = { home: config.home, 'event-store': config.eventStore, broker: config.broker, hands: '1' }
  const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('FONDS_')))
  return spawn(process.execPath, [...process.execArgv, process.argv[1]!, ...flags, 'worker', 'researcher'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env,
  })
}

const stop = async (child: ChildProcess): Promise<void> => {
  if (hasEnded(child)) return
  const { promise: exited, resolve } = Promise.withResolvers<void>()
  child.once('exit', () => resolve())
  child.kill('SIGTERM')
  await exited
}

const taken = ({ system: { viewStore, clock } }: DemoContext) =>
  liveLeases(viewStore, clock.now()).find(({ state }) => state === 'taken')

const leasesBy = ({ system: { viewStore } }: DemoContext): string =>
  tally(viewStore, leases, { by: ['ended'] })
    .filter(({ ended }) => ended !== null)
    .map(({ ended, count: some }) => `${count(some)} ${ended}`)
    .join(', ')

const until = async <A>(
  { system: { clock }, signal }: DemoContext,
  researcher: ChildProcess,
  find: () => A | undefined,
  pace: Pick<Waiting, 'pollMillis' | 'isCostly'>,
): Promise<A> => {
  const poll = () => {
    signal.throwIfAborted()
    const found = find()
    if (found === undefined && hasEnded(researcher))
      throw new Error('a researcher of the demo ended by itself; it says above why')
    return { isDone: found !== undefined, found }
  }
  const { found } = await waitUntil(poll, { clock, ...pace })
  return found!
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null
