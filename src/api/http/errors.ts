import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { GenerationMissing } from '../../async/errors.ts'
import { UnavailableError } from '../../async/unavailable.ts'
import type { Allowed } from './allowed.ts'
import { UnusableForm } from './form.ts'
import { bodyLimit, letPass } from './let-pass.ts'
import { type DetailedProblem, problem } from './refuse.ts'
import { sendProblem } from './send.ts'

/** An exception as a problem. A bug is logged whole; the client gets the request's id to ask about it. */
export const onError = async (
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const isForm = error instanceof UnusableForm
  const known = isForm ? error.problem : asProblem(error)
  if (known?.status === 413 && !isForm) await letPass(request.raw)
  if (!known) request.log.error({ err: error }, 'a request failed')
  else if (known.status >= 500) request.log.warn({ err: error }, 'a request cannot be served')
  return sendProblem(reply, known ?? defect(request.id))
}

const asProblem = (error: FastifyError): DetailedProblem | undefined => {
  if (error instanceof UnavailableError) return away(error.message)
  if (error instanceof GenerationMissing) return away('these views were just rebuilt; ask again')
  if (error.name === 'AbortError')
    return problem(503, 'closing', 'the server is closing; ask again in a while')
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return problem(413, 'too-large', `the body is over ${bodyLimit} bytes; send less at a time`)
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return problem(
      415,
      'wrong-content-type',
      'content-type: is none; see the documents for what this takes',
      {
        path: 'content-type',
      },
    )
  const status = error.statusCode ?? 500
  return status >= 400 && status < 500 ? problem(status, 'bad-request', error.message) : undefined
}

export const away = (reason: string): DetailedProblem =>
  problem(503, 'away', `a dependency is unavailable: ${reason}; ask again in a while`)

const defect = (id: string) =>
  problem(
    500,
    'defect',
    `this failed because of a defect in Fonds; its log has the error under request ${id}`,
  )

export const onUnknownRoute = (allowed: Allowed) => (request: FastifyRequest, reply: FastifyReply) => {
  const path = request.url.split('?')[0] as string
  const methods = allowed(path).join(', ')
  if (methods !== '')
    return sendProblem(
      reply.header('allow', methods),
      problem(405, 'no-such-method', `${path} takes no ${request.method}; it takes ${methods}`),
    )
  const hint = path.startsWith('/api/v1/commands/')
    ? { code: 'no-such-command', where: 'GET /api/v1/commands lists the commands' }
    : { code: 'no-such-route', where: 'GET /api/v1/openapi.json lists the routes' }
  return sendProblem(reply, problem(404, hint.code, `there is no ${request.method} ${path}; ${hint.where}`))
}
