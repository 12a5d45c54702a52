import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { NonNegativeInteger, Time } from '../../kernel/codecs.ts'
import { Policy } from '../desk/policy.ts'
import { BoardState } from './board-state.ts'
import type { Failure } from './failure.ts'
import { ResearcherRecord } from './presence.ts'
import { Standing, StandingRecord } from './standing.ts'

/*
 * A snapshot holds facts alone: what is closed, counted and in which order is made from them anew.
 *
 *   4 × uint32   mark, version, check sum of all that follows, bytes of the head
 *   head         JSON: `Head`, filled up with spaces to a multiple of four bytes
 *   for each engine: uint32 an episode (how many words its row has), then the rows: done pairs, a bit a clip
 *
 * Numbers are as the machine writes them; a machine that writes them otherwise does not recognise the mark.
 */
const mark = 0x626f6172
const version = 2
const prefixWords = 4
const bytesInPart = 2 ** 20

const RetryAt = t.union([Time, t.null])
const FailureRecord = t.strict({ number: NonNegativeInteger, retryAt: RetryAt })

const Head = t.strict({
  /** Empty: never advanced. */
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

/** The board as it is at this call, whatever comes while the parts are read. */
export const stateParts = (board: BoardState): Generator<Uint8Array> => inParts(columnsOf(board))

const columnsOf = (board: BoardState): readonly Uint32Array<ArrayBuffer>[] => {
  const head = wordsOf(headOf(board))
  const rows = [...board.pairs.done.values()].flatMap((row) => {
    const words = board.episodes.all.map((_, episode) => row[episode]?.words ?? new Uint32Array(0))
    return [Uint32Array.from(words, ({ length }) => length), ...words]
  })
  const body = joined([head, ...rows])
  const prefix = Uint32Array.of(mark, version, checkSum(body), head.byteLength)
  return [prefix, body]
}

/** All facts that it knows, apart from it. */
export const copyState = (board: BoardState): BoardState => {
  const copy = readState(new Uint8Array(joined(columnsOf(board)).buffer))
  if (!copy) throw new Error('A snapshot that was just taken cannot be read')
  return copy
}

function* inParts(columns: readonly Uint32Array[]): Generator<Uint8Array> {
  for (const { buffer, byteOffset, byteLength } of columns)
    for (let at = 0; at < byteLength; at += bytesInPart)
      yield new Uint8Array(buffer, byteOffset + at, Math.min(bytesInPart, byteLength - at))
}

const headOf = (board: BoardState): Head => {
  const leases = [...board.leases.all()].filter(({ held }) => !held)
  return {
    now: board.now,
    paused: board.paused,
    version: board.version,
    policy: board.policy,
    pinnedCurators: [...board.pinnedCurators],
    excludedCurators: [...board.excludedCurators],
    episodes: board.episodes.all.map((standing) => standing.record()),
    clips: board.clips.all.map((standing) => standing.record()),
    engines: [...board.pairs.done.keys()],
    waiting: { since: board.waiting.since, clips: [...board.waiting.clips] },
    episodeFailures: failuresOf(board.episodes.all),
    clipFailures: failuresOf(board.clips.all),
    pairFailures: [...board.pairFailures].flatMap(([episode, failures]) =>
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
    researchers: board.presence.records(),
  }
}

const retryAtOf = ({ retryAt }: Failure): string | null => retryAt ?? null

const failuresOf = (standings: readonly Standing[]): Head['clipFailures'] =>
  standings.flatMap(({ failure }, number) => (failure ? { number, retryAt: retryAtOf(failure) } : []))

/** Undefined where the bytes are not of this version, or damaged. */
export const readState = (bytes: Uint8Array): BoardState | undefined => {
  if (bytes.length % 4 !== 0 || bytes.length < prefixWords * 4) return undefined
  const words = new Uint32Array(new Uint8Array(bytes).buffer)
  const [itsMark, itsVersion, sum, headBytes] = words
  const body = words.subarray(prefixWords)
  if (itsMark !== mark || itsVersion !== version || checkSum(body) !== sum) return undefined
  const head = readHead(body, headBytes!)
  if (!head) return undefined
  const board = new BoardState()
  for (const record of head.episodes) board.addEpisode(Standing.restore(record))
  for (const record of head.clips) board.clips.add(Standing.restore(record))
  if (!restoreDone(board, head, body.subarray(headBytes! / 4)) || !isWithin(board, head)) return undefined
  restore(board, head)
  return board
}

const readHead = (body: Uint32Array<ArrayBuffer>, length: number): Head | undefined => {
  if (length % 4 !== 0 || length > body.byteLength) return undefined
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(
      new Uint8Array(body.buffer, body.byteOffset, length),
    )
    const head = Head.decode(JSON.parse(text))
    return isLeft(head) ? undefined : head.right
  } catch {
    return undefined
  }
}

const restoreDone = (board: BoardState, { engines }: Head, rows: Uint32Array<ArrayBuffer>): boolean => {
  const episodes = board.episodes.all.length
  const longest = Math.ceil(board.clips.all.length / 32)
  let at = 0
  for (const engine of engines) {
    const lengths = rows.subarray(at, at + episodes)
    if (lengths.length < episodes) return false
    at += episodes
    for (const [episode, length] of lengths.entries()) {
      const row = rows.subarray(at, at + length)
      if (row.length < length || row.subarray(longest).some((word) => word !== 0)) return false
      board.pairs.restore(engine, episode, row.slice())
      at += length
    }
  }
  return at === rows.length
}

/** All numbers are of episodes and clips that it has. */
const isWithin = ({ episodes, clips }: BoardState, head: Head): boolean => {
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

const restore = (board: BoardState, head: Head): void => {
  board.now = head.now
  board.paused = head.paused
  board.version = head.version
  board.policy = head.policy
  for (const curator of head.pinnedCurators) board.pinnedCurators.add(curator)
  for (const curator of head.excludedCurators) board.excludedCurators.add(curator)
  board.waiting.since = head.waiting.since
  for (const clip of head.waiting.clips) board.waiting.clips.add(clip)
  for (const { number, retryAt } of head.episodeFailures) board.failEpisode(number, retryAt ?? undefined)
  for (const { number, retryAt } of head.clipFailures) board.failClip(number, retryAt ?? undefined)
  for (const { episode, clip, retryAt } of head.pairFailures)
    board.failPair(episode, clip, retryAt ?? undefined)
  for (const { offered, ...terms } of head.leases) board.leases.restore(terms, offered)
  for (const record of head.researchers) board.presence.restore(record)
  for (const [episode, { curator }] of board.episodes.all.entries()) {
    if (curator !== undefined) board.episodeOrder.put(episode)
    board.reviewEpisode(episode)
  }
  board.reviewClips([...board.clips.all.keys()])
  board.reviewWaiting()
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

/** FNV-1a over words: any one word that differs shows. */
const checkSum = (words: Uint32Array): number => {
  let sum = 0x811c9dc5
  for (const word of words) sum = Math.imul(sum ^ word, 0x01000193)
  return sum >>> 0
}
