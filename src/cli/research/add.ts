import { stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { basename, extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Argument, type Command } from 'commander'
import { isLeft } from 'fp-ts/lib/Either.js'
import type { System } from '../../app/system.ts'
import { ensureTopics } from '../../app/topics.ts'
import { decode } from '../../domain/kernel/codecs.ts'
import { earlier } from '../../domain/kernel/time.ts'
import { type Curated, clipsTopic, episodesTopic } from '../../domain/research/curation-messages.ts'
import { reportOnTopic } from '../../workers/runtime/report-on-topic.ts'
import { bringToRest } from '../at-rest.ts'
import { type CliContext, running, type Session } from '../context.ts'
import { addExamples } from '../examples.ts'
import { signedNumber } from '../numbers.ts'
import { type CliFailure, refused } from '../output/exit-codes.ts'
import { plural } from '../output/text.ts'
import { soundFiles } from './sound-files.ts'

interface AddFlags {
  readonly curator: string
  readonly priority?: number
}

const kinds = {
  episodes: { topic: episodesTopic, type: 'episode.curated', one: 'episode' },
  clips: { topic: clipsTopic, type: 'clip.curated', one: 'clip' },
} as const
type Kind = keyof typeof kinds

export const registerAdd = (research: Command, context: CliContext): void => {
  const command = research
    .command('add')
    .summary('record sound files as episodes, or as clips to look for')
    .description(
      'Every mp3, wav, flac and ogg file below a folder, or the one file that is named, is curated: its id and title ' +
        'are its name, and the day it was last changed orders it among others. Run it again to add what is new. Feeds ' +
        'and catalogues send `episode.curated` and `clip.curated` themselves: see `fonds schema`.',
    )
    .addArgument(new Argument('<kind>').choices(Object.keys(kinds)))
    .argument('<path...>')
    .option('--curator <name>', 'who brings them', userInfo().username)
    .option('--priority <n>', 'higher goes first (0)', signedNumber)
    .action(running(context, addCommand))
  addExamples(command, [
    ['research add episodes /srv/programmes', 'every recording below the folder'],
    ['research add clips ~/clips --priority 5', 'clips that go before others'],
  ])
}

const addCommand = async (
  session: Session,
  kind: Kind,
  paths: readonly string[],
  { curator, priority }: AddFlags,
): Promise<CliFailure | undefined> => {
  const { topic, type, one } = kinds[kind]
  const [{ codec }] = topic.messages
  const system = await session.system()
  const reports: { readonly type: string; readonly data: Curated }[] = []
  for (const path of paths) {
    const files = await soundFiles(resolve(path))
    if (isLeft(files)) return refused(files.left)
    for (const file of files.right) {
      const data = await curatedOf(system, file, curator, priority)
      const read = decode(codec, data)
      if (isLeft(read)) session.say(`${file.path} is left out: ${read.left}`)
      else reports.push({ type, data })
    }
  }
  const twice = firstTwice(reports.map(({ data }) => data.id))
  if (twice !== undefined)
    return refused(
      `two files would be the ${one} ${twice}`,
      'give them different names, or add them by messages',
    )
  await ensureTopics(system)
  for (let from = 0; from < reports.length; from += atOnce) {
    session.signal.throwIfAborted()
    await reportOnTopic(system, topic, `fonds://add/${curator}`, reports.slice(from, from + atOnce))
  }
  await bringToRest(session, system)
  await session.output.write(
    `${plural(reports.length, one)} recorded; \`fonds start\` listens, \`fonds research progress\` tells how far it is\n`,
  )
  return undefined
}

const atOnce = 500

const curatedOf = async (
  { clock }: System,
  { path, name, mediaType }: { readonly path: string; readonly name: string; readonly mediaType: string },
  curator: string,
  priority: number | undefined,
): Promise<Curated> => {
  const { mtime } = await stat(path)
  return {
    id: name.slice(0, name.length - extname(name).length),
    title: basename(name, extname(name)),
    mediaUri: pathToFileURL(path).href,
    mediaType,
    curator,
    curatedAt: earlier(mtime.toISOString(), clock.now()),
    ...(priority !== undefined && { priority }),
  }
}

const firstTwice = (ids: readonly string[]): string | undefined => {
  const seen = new Set<string>()
  return ids.find((id) => seen.has(id) || !seen.add(id))
}
