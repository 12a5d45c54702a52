import type { FastifyReply } from 'fastify'
import { isLeft } from 'fp-ts/lib/Either.js'
import { problemType } from '../../app/documents/problem.ts'
import type { DetailedProblem } from './refuse.ts'
import { type Handled, jsonText } from './route.ts'

export const send = (reply: FastifyReply, handled: Handled): FastifyReply => {
  if (isLeft(handled)) return sendProblem(reply, handled.left)
  const { status, contentType, body, headers = {}, trailers = {}, next } = handled.right
  if (next) reply.header('link', nextLink(reply.request.url, next))
  for (const [name, value] of Object.entries(trailers)) reply.trailer(name, async () => value())
  return reply.code(status).headers(headers).type(withCharset(contentType)).send(body)
}

export const sendProblem = (reply: FastifyReply, problem: DetailedProblem): FastifyReply => {
  if (problem.status === 503) reply.header('retry-after', '2')
  if (problem.status === 401) reply.header('www-authenticate', 'Bearer')
  return reply.code(problem.status).type(problemType).send(jsonText(problem))
}

/** RFC 8288: the same request, for the next page. */
const nextLink = (url: string, change: Readonly<Record<string, string | number | bigint>>): string => {
  const [path, query] = url.split('?')
  const asked = new URLSearchParams(query)
  for (const [name, value] of Object.entries(change)) asked.set(name, String(value))
  return `<${path}?${asked}>; rel="next"`
}

/** Types of other people's protocols (`text/x.…`) are compared word by word. */
const withCharset = (contentType: string): string =>
  /^text\/(?!x\.)/.test(contentType) && !contentType.includes('charset')
    ? `${contentType}; charset=utf-8`
    : contentType
