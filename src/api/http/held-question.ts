import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RouteSpec } from '../../app/documents/route-spec.ts'
import type { QuestionDeaths } from '../../app/question-deaths.ts'
import { loggedRequest } from './logged-request.ts'
import { type DetailedProblem, problem } from './refuse.ts'

/** Streams last as long as their clients; what needs no token is asked by those who watch over the process. */
export const isQuestion = ({ method, open, responses }: RouteSpec): boolean =>
  method === 'get' && !open && responses[200]?.contentType !== 'text/event-stream'

/** Resolves when the request may be answered, or to why it is not. */
export const holdQuestion = async (
  deaths: QuestionDeaths,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<DetailedProblem | undefined> => {
  const { raw } = reply
  const done = new Promise<boolean>((resolve) => {
    const end = () => resolve(raw.writableFinished)
    // Its client may have left while the request was looked at.
    if (raw.closed) end()
    else raw.once('close', end)
  })
  const refusal = await deaths.begin(nameOf(request), done)
  return refusal === undefined ? undefined : problem(422, 'kills-process', refusal)
}

/** A person knows it by its address without values, this program by a digest of all. */
const nameOf = (request: FastifyRequest): string => {
  const digest = createHash('sha256').update(request.url).digest('hex').slice(0, 12)
  const address = loggedRequest(request)
    .url.replaceAll('…', '')
    .replace(/[^!-~]/g, '?')
    .slice(0, maxAddress)
  return `GET ${address} (${digest})`
}

const maxAddress = 300
