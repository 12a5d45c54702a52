import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * The hook that gives answers an ETag, and answers 304 where the client has this one already (RFC 9110, If-None-Match).
 * Tags are weak: a compressed answer has the same. Caches must ask each time whether an answer is still valid.
 * `@fastify/etag` reads no list of tags and no `*`, and gives refusals a tag, too.
 */
export const conditional = async (
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> => {
  const reads = method === 'GET' || method === 'HEAD'
  if (!reads || reply.statusCode !== 200 || typeof payload !== 'string') return payload
  const tag = `"${createHash('sha256').update(payload).digest('base64url').slice(0, 22)}"`
  reply.header('etag', `W/${tag}`)
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'private, no-cache')
  if (!has(headers['if-none-match'], tag)) return payload
  reply.code(304).removeHeader('content-type')
  return ''
}

/** Weak comparison: `W/` does not count. */
export const has = (ifNoneMatch: string | undefined, tag: string): boolean =>
  ifNoneMatch?.split(',').some((one) => [tag, '*'].includes(one.trim().replace(/^W\//, ''))) ?? false
