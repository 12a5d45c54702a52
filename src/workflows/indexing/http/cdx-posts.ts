import { randomUUID } from 'node:crypto'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { orThrow, UnavailableError } from '../../../async/unavailable.ts'
import { waitUntil } from '../../../async/wait-until.ts'
import { type KeepPost, postDecider } from '../../../domain/indexing/posts/decide.ts'
import { postStream } from '../../../domain/indexing/posts/events.ts'
import { plural } from '../../../domain/kernel/amounts.ts'
import { SECOND } from '../../../domain/kernel/time.ts'
import { withSameRecords } from '../../../projections/indexing/captures/same-records.ts'
import {
  BadPost,
  postBounds,
  type Received,
  receiveLines,
} from '../../../workers/indexing/posting/receive-lines.ts'
import { createRooms } from '../../../workers/runtime/room.ts'
import { type AddressAnswer, type AddressRequest, httpAddress } from '../../http-address.ts'
import type { WorkflowContext } from '../../workflow-context.ts'
import { type IndexingContext, indexingContext } from '../context.ts'
import type { IndexingConfig } from '../settings.ts'

/** Longest that the response waits for the aggregator. */
const patienceMillis = 30 * SECOND
const pollMillis = 50

const Flag = t.keyof({ true: null, false: null }, 'true or false')

const contentType = 'text/plain'
const body = {
  description: 'Lines of CDX with 9 to 14 fields, or of CDXJ; header lines and empty lines mean nothing.',
  contentTypes: ['text/plain', 'application/x-www-form-urlencoded', 'application/octet-stream'],
}

const post = (
  type: KeepPost['type'],
  named: Pick<Parameters<typeof httpAddress>[0], 'path' | 'operationId' | 'summary'>,
) =>
  httpAddress({
    ...named,
    method: 'post',
    description:
      'As in OutbackCDX. Keys are made anew from the URLs. Of a post with a bad line nothing is taken, unless `badLines=skip`. An answer ' +
      'says that the lines are in the log for good: with status 200 it holds in the index, with 202 as soon as an aggregator works.',
    parameters: [
      {
        name: 'badLines',
        in: 'query',
        description: 'What becomes of bad lines: the post is refused, or they are left out and counted.',
        codec: t.keyof({ error: null, skip: null }, 'error or skip'),
        example: 'skip',
      },
      {
        name: 'wait',
        in: 'query',
        description: `Whether the answer waits until it holds in the index, up to ${patienceMillis / SECOND} seconds; true unless said.`,
        codec: Flag,
      },
    ],
    body,
    ignoresUnknown: true,
    writes: true,
    responses: {
      200: { description: 'It holds in the index.', contentTypes: [contentType] },
      202: { description: 'It is kept, and will hold in the index.', contentTypes: [contentType] },
    },
    refusals: {
      'bad-line': {
        status: 400,
        description: 'A line is none of CDX or CDXJ; nothing of the post is taken.',
      },
      'wrong-encoding': { status: 400, description: 'The body is compressed.' },
      'broken-off': { status: 400, description: 'The post did not come whole; nothing of it is taken.' },
      'too-large': { status: 413, description: 'The post is too large; nothing of it is taken.' },
      'disk-refuses': {
        status: 507,
        description: 'The disk of the index is as full as it may be; nothing of the post is taken.',
      },
    },
    answer: async (shared: WorkflowContext<IndexingConfig>, request) => {
      const context = indexingContext(shared)
      const encoding = request.headers['content-encoding'] ?? 'identity'
      if (encoding !== 'identity')
        return E.left({
          code: 'wrong-encoding' as const,
          message: `content-encoding: is ${encoding}; send the lines as they are`,
          path: 'content-encoding',
        })
      const length = Number(request.headers['content-length'] ?? 0)
      if (length > postBounds.maxBytes)
        return E.left({
          code: 'too-large' as const,
          message: `a post has at most ${postBounds.maxBytes} bytes, and this has ${length}: send its lines in several`,
        })
      const takeRoom = createRooms(context.config.ingestThresholdPercent).writer(context.captureIndexFolder)
      const skipsBad = request.parameters.badLines === 'skip'
      const received = receiveLines(
        request.body,
        { skipsBad, alsoFormer: type === 'DeleteLines' },
        { ...postBounds, takeRoom },
      )
      try {
        const position = await keep(context, type, received, request.actor)
        const isFound = position === undefined || (await waits(context, position, request))
        return E.right(answerOf(type, received, isFound))
      } catch (error) {
        if (error instanceof BadPost) return E.left({ code: error.code, message: error.message })
        throw error
      }
    },
  })

/** Records the lines. Returns the position of the event; undefined if there is no line. */
const keep = async (
  { captureIndex, execute, clock }: IndexingContext,
  type: KeepPost['type'],
  { batches, counts }: Received,
  actor = 'cdx-server',
): Promise<bigint | undefined> => {
  const index = captureIndex()
  const { lines, sha256, ...run } = await index.write(
    type === 'PostLines' ? batches : withSameRecords(index, batches),
  )
  // A run that nothing names is deleted automatically.
  if (lines === 0) return undefined
  const id = randomUUID()
  const posted = { run, lines, digest: sha256, skipped: counts.skipped }
  const command = { type, posted, actor, at: clock.now() }
  const executed = await orThrow(() =>
    execute(postDecider, { stream: postStream(id), command, causationId: id }),
  )
  if (executed.kind === 'rejected') throw new UnavailableError('the log refused the lines')
  return executed.position
}

const waits = async (
  { captureIndex, clock }: IndexingContext,
  position: bigint,
  { parameters, signal }: AddressRequest,
): Promise<boolean> => {
  const poll = async () => ({ isDone: (await captureIndex().position()) >= position })
  if (parameters.wait === 'false') return (await poll()).isDone
  return (await waitUntil(poll, { clock, patienceMillis, pollMillis, signal })).isDone
}

const answerOf = (type: KeepPost['type'], { counts }: Received, isFound: boolean): AddressAnswer => {
  const { lines, skipped, firstSkipped } = counts
  const done = `${type === 'PostLines' ? 'Added' : 'Deleted'} ${lines} records\n`
  const left = skipped > 0 ? `Skipped ${plural(skipped, 'bad line')}, the first: ${firstSkipped}\n` : ''
  const later = isFound ? '' : 'It holds in the index as soon as an aggregator works.\n'
  return { status: isFound ? 200 : 202, contentType, body: `${done}${left}${later}` }
}

/** Addresses to which programs that index themselves post their lines. */
export const cdxPostAddresses = [
  post('PostLines', {
    path: '/cdx',
    operationId: 'postCdx',
    summary: 'Adds lines to the index, beside those of indexed files.',
  }),
  post('DeleteLines', {
    path: '/cdx/delete',
    operationId: 'deleteCdx',
    summary: 'Takes what was posted of these records from the index.',
  }),
]
