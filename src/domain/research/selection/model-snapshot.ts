import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { NonNegativeInteger, Time } from '../../kernel/codecs.ts'
import { Policy } from '../policy/policy.ts'
import type { Failure } from './failure.ts'
import { ResearcherRecord } from './presence.ts'
import { SchedulerModel } from './scheduler-model.ts'
import { Standing, StandingRecord } from './standing.ts'

/*
 * A snapshot holds facts alone. Orders, counts and what is closed are computed from them.
 *
 *   4 × uint32   mark, version, check sum of all that follows, bytes of the head
 *   head         JSON: `Head`, padded with spaces to a multiple of four bytes
 *   for each engine: uint32 an episode (how many words its row has), then the rows: done pairs, a bit a clip
 *
 * Numbers have the machine's byte order; a machine with the other order does not recognise the mark.
 */
const mark = 0x626f6172
const version = 2
const prefixWords = 4
const bytesInPart = 2 ** 20

const RetryAt = t.union([Time, t.null])
const FailureRecord = t.strict({ number: NonNegativeInteger, retryAt: RetryAt })

const Head = t.strict({
  /** Empty: it was never advanced. */
  now: t.string,
  paused: t.boolean,
  version: NonNegativeInteger,
  policy: Policy,
  pinnedCurators: t.array(t.string),
  excludedCurators: t.array(t.string),
  episodes: t.array(StandingRecord),
  clips: t.array(StandingRecord),
  engines: t.array(t.string),
  waiting: t.strict({ since: t.string, clips: t.array(NonNegativeInteger) }),
  episodeFailures: t.array(FailureRecord),
  clipFailures: t.array(FailureRecord),
  pairFailures: t.array(
    t.strict({ episode: NonNegativeInteger, clip: NonNegativeInteger, retryAt: RetryAt }),
  ),
  leases: t.array(
    t.strict({
      id: t.string,
      episode: NonNegativeInteger,
      clips: t.array(NonNegativeInteger),
      deadline: Time,
      notAfter: Time,
      offered: t.boolean,
    }),
  ),
  researchers: t.array(ResearcherRecord),
})
type Head = t.TypeOf<typeof Head>

/** The model as of this call, whatever changes while the parts are read. */
export const modelParts = (model: SchedulerModel): Generator<Uint8Array> => inParts(columnsOf(model))

const columnsOf = (model: SchedulerModel): readonly Uint32Array<ArrayBuffer>[] => {
  const head = wordsOf(headOf(model))
  const rows = [...model.pairs.done.values()].flatMap((row) => {
    const words = model.episodes.all.map((_, episode) => row[episode]?.words ?? new Uint32Array(0))
    return [Uint32Array.from(words, ({ length }) => length), ...words]
  })
  const body = joined([head, ...rows])
  const prefix = Uint32Array.of(mark, version, checkSum(body), head.byteLength)
  return [prefix, body]
}

/** A model of its own with the same facts. */
export const copyModel = (model: SchedulerModel): SchedulerModel => {
  const copy = readModel(new Uint8Array(joined(columnsOf(model)).buffer))
  if (!copy) throw new Error('A snapshot that was just taken cannot be read')
  return copy
}

function* inParts(columns: readonly Uint32Array[]): Generator<Uint8Array> {
  for (const { buffer, byteOffset, byteLength } of columns)
    for (let at = 0; at < byteLength; at += bytesInPart)
      yield new Uint8Array(buffer, byteOffset + at, Math.min(bytesInPart, byteLength - at))
}

const headOf = (model: SchedulerModel): Head => {
  const leases = [...model.leases.all()].filter(({ held }) => !held)
  return {
    now: model.now,
    paused: model.paused,
    version: model.version,
    policy: model.policy,
    pinnedCurators: [...model.pinnedCurators],
    excludedCurators: [...model.excludedCurators],
    episodes: model.episodes.all.map((standing) => standing.record()),
    clips: model.clips.all.map((standing) => standing.record()),
    engines: [...model.pairs.done.keys()],
    waiting: { since: model.waiting.since, clips: [...model.waiting.clips] },
    episodeFailures: failuresOf(model.episodes.all),
    clipFailures: failuresOf(model.clips.all),
    pairFailures: [...model.pairFailures].flatMap(([episode, failures]) =>
      [...failures].map(([clip, failure]) => ({ episode, clip, retryAt: retryAtOf(failure) })),
    ),
    leases: leases.map(({ id, episode, clips, deadline, notAfter, offered }) => ({
      id,
      episode,
      clips: [...clips],
      deadline,
      notAfter,
      offered,
    })),
    researchers: model.presence.records(),
  }
}

const retryAtOf = ({ retryAt }: Failure): string | null => retryAt ?? null

const failuresOf = (standings: readonly Standing[]): Head['clipFailures'] =>
  standings.flatMap(({ failure }, number) => (failure ? { number, retryAt: retryAtOf(failure) } : []))

/** Undefined where the bytes are not of this version, or damaged. */
export const readModel = (bytes: Uint8Array): SchedulerModel | undefined => {
  if (bytes.length % 4 !== 0 || bytes.length < prefixWords * 4) return undefined
  const words = new Uint32Array(new Uint8Array(bytes).buffer)
  const [itsMark, itsVersion, sum, headBytes] = words
  const body = words.subarray(prefixWords)
  if (itsMark !== mark || itsVersion !== version || checkSum(body) !== sum) return undefined
  const head = readHead(body, headBytes!)
  if (!head) return undefined
  const model = new SchedulerModel()
  for (const record of head.episodes) model.addEpisode(Standing.restore(record))
  for (const record of head.clips) model.clips.add(Standing.restore(record))
  if (!restoreDone(model, head, body.subarray(headBytes! / 4)) || !isWithin(model, head)) return undefined
  restore(model, head)
  return model
}

const readHead = (body: Uint32Array<ArrayBuffer>, length: number): Head | undefined => {
  if (length % 4 !== 0 || length > body.byteLength) return undefined
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(
      new Uint8Array(body.buffer, body.byteOffset, length),
    )
    const head = Head.decode(JSON.parse(text))
    return E.isLeft(head) ? undefined : head.right
  } catch {
    return undefined
  }
}

const restoreDone = (model: SchedulerModel, { engines }: Head, rows: Uint32Array<ArrayBuffer>): boolean => {
  const episodes = model.episodes.all.length
  const longest = Math.ceil(model.clips.all.length / 32)
  let at = 0
  for (const engine of engines) {
    const lengths = rows.subarray(at, at + episodes)
    if (lengths.length < episodes) return false
    at += episodes
    for (const [episode, length] of lengths.entries()) {
      const row = rows.subarray(at, at + length)
      if (row.length < length || row.subarray(longest).some((word) => word !== 0)) return false
      model.pairs.restore(engine, episode, row.slice())
      at += length
    }
  }
  return at === rows.length
}

/** True where all numbers are of episodes and clips that it has. */
const isWithin = ({ episodes, clips }: SchedulerModel, head: Head): boolean => {
  const isEpisode = (number: number): boolean => number < episodes.all.length
  const isClip = (number: number): boolean => number < clips.all.length
  return (
    head.waiting.clips.every(isClip) &&
    head.episodeFailures.every(({ number }) => isEpisode(number)) &&
    head.clipFailures.every(({ number }) => isClip(number)) &&
    head.pairFailures.every(({ episode, clip }) => isEpisode(episode) && isClip(clip)) &&
    head.leases.every((lease) => isEpisode(lease.episode) && lease.clips.every(isClip))
  )
}

const restore = (model: SchedulerModel, head: Head): void => {
  model.now = head.now
  model.paused = head.paused
  model.version = head.version
  model.policy = head.policy
  for (const curator of head.pinnedCurators) model.pinnedCurators.add(curator)
  for (const curator of head.excludedCurators) model.excludedCurators.add(curator)
  model.waiting.since = head.waiting.since
  for (const clip of head.waiting.clips) model.waiting.clips.add(clip)
  for (const { number, retryAt } of head.episodeFailures) model.failEpisode(number, retryAt ?? undefined)
  for (const { number, retryAt } of head.clipFailures) model.failClip(number, retryAt ?? undefined)
  for (const { episode, clip, retryAt } of head.pairFailures)
    model.failPair(episode, clip, retryAt ?? undefined)
  for (const { offered, ...terms } of head.leases) model.leases.restore(terms, offered)
  for (const record of head.researchers) model.presence.restore(record)
  for (const [episode, { curator }] of model.episodes.all.entries()) {
    if (curator !== undefined) model.episodeOrder.put(episode)
    model.reviewEpisode(episode)
  }
  model.reviewClips([...model.clips.all.keys()])
  model.reviewWaiting()
}

const wordsOf = (head: Head): Uint32Array<ArrayBuffer> => {
  const text = new TextEncoder().encode(JSON.stringify(head))
  const padded = new Uint8Array(Math.ceil(text.length / 4) * 4).fill(0x20)
  padded.set(text)
  return new Uint32Array(padded.buffer)
}

const joined = (columns: readonly Uint32Array[]): Uint32Array<ArrayBuffer> => {
  const whole = new Uint32Array(columns.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const column of columns) {
    whole.set(column, at)
    at += column.length
  }
  return whole
}

/** FNV-1a over words: it shows any one word that differs. */
const checkSum = (words: Uint32Array): number => {
  let sum = 0x811c9dc5
  for (const word of words) sum = Math.imul(sum ^ word, 0x01000193)
  return sum >>> 0
}
