import { basename, dirname, extname, resolve } from 'node:path'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { sealedActor } from '../../app/sealed-by.ts'
import type { System } from '../../app/system.ts'
import { ensureTopics } from '../../app/topics.ts'
import { isBucketAddress } from '../../domain/kernel/bucket-address.ts'
import { decode } from '../../domain/kernel/codecs.ts'
import type { TopicSpec } from '../../domain/kernel/message.ts'
import { is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import { earlier } from '../../domain/kernel/time.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import { type Curated, clipsTopic, episodesTopic } from '../../domain/research/curation-messages.ts'
import { clips, episodes } from '../../domain/research/views.ts'
import { reportOnTopic } from '../../workers/runtime/report-on-topic.ts'
import { bringToRest } from '../at-rest.ts'
import type { Session } from '../context.ts'
import { type CliFailure, refused } from '../output/exit-codes.ts'
import { jsonText } from '../output/format.ts'
import { count, plural } from '../output/text.ts'
import { type LeftOut, rankOf, type SoundFile, soundFiles } from './sound-files.ts'

interface AddFlags {
  readonly curator: string
  readonly priority?: number
}

const kinds = {
  episodes: { topic: episodesTopic, type: 'episode.curated', one: 'episode' },
  clips: { topic: clipsTopic, type: 'clip.curated', one: 'clip' },
} as const
type Kind = keyof typeof kinds

export const run = async (
  session: Session,
  kind: Kind,
  paths: readonly string[],
  { curator, priority }: AddFlags,
): Promise<CliFailure | undefined> => {
  const { topic, type, one } = kinds[kind]
  const [{ codec }] = topic.messages
  const found: SoundFile[] = []
  const leftOut: LeftOut[] = []
  const system = await session.system()
  const { openContent } = system.adapters.research
  for (const path of paths) {
    const files = await soundFiles(isBucketAddress(path) ? path : resolve(path), openContent)
    if (isLeft(files)) return refused(files.left)
    found.push(...files.right.taken)
    leftOut.push(...files.right.leftOut)
  }
  // The views show which files were recorded before.
  await bringToRest(session, system)
  const known = knownOf(system, kind)
  const chosen = oneOfEach(found, (id) => known(id)?.mediaUri)
  if (isLeft(chosen)) return refused(`two files would be the ${one} ${chosen.left}`, otherNames)
  leftOut.push(...chosen.right.leftOut)
  const all: Curated[] = []
  const by = await sealedActor(system, curator)
  for (const file of chosen.right.taken) {
    const data = curatedOf(system, file, curator, priority)
    const read = decode(codec, data)
    if (isLeft(read)) leftOut.push({ path: file.path, reason: read.left })
    else all.push(data)
  }
  const news = all.filter((data) => !isAsBefore(data, known(data.id), [curator, by]))
  await send(
    session,
    system,
    topic,
    `fonds://add/${by}`,
    news.map((data) => ({ type, data })),
  )
  const added = news.filter(({ id }) => known(id) === undefined).length
  await writeSummary(session, kind, {
    added,
    changed: news.length - added,
    known: all.length - news.length,
    leftOut,
  })
  return all.length === 0
    ? refused(`${plural(leftOut.length, 'sound file')} found, and none can be taken`, 'the reasons are above')
    : undefined
}

const otherNames = 'give them different names, or add them by messages'

const send = async (
  session: Session,
  system: System,
  topic: TopicSpec,
  source: string,
  reports: readonly { readonly type: string; readonly data: Curated }[],
): Promise<void> => {
  if (reports.length === 0) return
  await ensureTopics(system)
  for (let from = 0; from < reports.length; from += atOnce) {
    session.signal.throwIfAborted()
    await reportOnTopic(system, topic, source, reports.slice(from, from + atOnce))
  }
  await bringToRest(session, system)
}

interface Added {
  readonly added: number
  /** Known with other data before: another file, date, curator or priority. */
  readonly changed: number
  /** Known with the same data. */
  readonly known: number
  readonly leftOut: readonly LeftOut[]
}

/** Writes sentences for a terminal, else a line of JSON. */
const writeSummary = async (
  { output, say }: Session,
  kind: Kind,
  { leftOut, ...counts }: Added,
): Promise<void> => {
  const { one } = kinds[kind]
  if (!output.isTTY) return output.write(`${jsonText({ kind, ...counts, leftOut })}\n`)
  for (const { path, reason } of leftOut) say(`${path} is left out: ${reason}`)
  const { added, changed, known } = counts
  const also = [
    ...(changed > 0 ? [`${count(changed)} changed`] : []),
    ...(known > 0 ? [`${count(known)} known as they are`] : []),
    ...(leftOut.length > 0 ? [`${plural(leftOut.length, 'file')} left out`] : []),
  ]
  await output.write(
    `${[`${plural(added, one)} recorded`, ...also].join(', ')}; \`fonds start\` listens, \`fonds research progress\` tells how far it is\n`,
  )
}

type Known = Pick<
  RowOf<typeof episodes>,
  'mediaUri' | 'curatedAt' | 'curator' | 'curatorPriority' | 'withdrawnAt'
>

const knownOf = ({ viewStore }: System, kind: Kind) => {
  const read = (id: string): Known | undefined =>
    kind === 'episodes'
      ? rowsIfFolded(viewStore, episodes, { where: [is('episode', id)] })[0]
      : rowsIfFolded(viewStore, clips, { where: [is('clip', id)] })[0]
  const seen = new Map<string, Known | undefined>()
  return (id: string): Known | undefined => {
    if (!seen.has(id)) seen.set(id, read(id))
    return seen.get(id)
  }
}

/** `curators`: the names that the log may have of who brings them. */
const isAsBefore = (data: Curated, known: Known | undefined, curators: readonly (string | null)[]): boolean =>
  known !== undefined &&
  known.withdrawnAt === null &&
  known.mediaUri === data.mediaUri &&
  known.curatedAt === data.curatedAt &&
  curators.includes(known.curator) &&
  known.curatorPriority === (data.priority ?? 0)

/**
 * Selects one file of each name: the recorded one, else the best. A master and its access copy lie beside each other in
 * many folders. Left: a name that two files in different folders have.
 */
const oneOfEach = (
  files: readonly SoundFile[],
  recorded: (id: string) => string | null | undefined,
): Either<string, { readonly taken: readonly SoundFile[]; readonly leftOut: readonly LeftOut[] }> => {
  const taken: SoundFile[] = []
  const leftOut: LeftOut[] = []
  for (const [id, some] of Map.groupBy(files, idOf)) {
    const alike = [...new Map(some.map((file) => [file.path, file])).values()]
    if (new Set(alike.map(({ path }) => dirname(path))).size > 1) return left(id)
    const best = alike.toSorted((a, b) => rankOf(a) - rankOf(b))
    const chosen = best.find(({ mediaUri }) => mediaUri === recorded(id)) ?? best[0]!
    taken.push(chosen)
    const reason = `${basename(chosen.path)} of the same name is taken`
    leftOut.push(...best.filter((file) => file !== chosen).map(({ path }) => ({ path, reason })))
  }
  return right({ taken, leftOut })
}

const idOf = ({ name }: SoundFile): string => name.slice(0, name.length - extname(name).length)

const atOnce = 500

const curatedOf = (
  { clock }: System,
  file: SoundFile,
  curator: string,
  priority: number | undefined,
): Curated => {
  const { name, mediaUri, mediaType, modifiedAt } = file
  return {
    id: idOf(file),
    title: basename(name, extname(name)),
    mediaUri,
    mediaType,
    curator,
    curatedAt: earlier(modifiedAt, clock.now()),
    ...(priority !== undefined && { priority }),
  }
}
