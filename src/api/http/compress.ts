import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { preferred } from './representation.ts'

const gzipped = promisify(gzip)

/** Shorter texts gain nothing. */
const minLength = 1024

/**
 * The hook that compresses texts for clients that accept gzip, in a thread of Node's. Streams stay as they are.
 * `@fastify/compress` leaves out Content-Length, and Vary where it does not compress.
 */
export const compress = async (
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> => {
  if (method === 'HEAD' || typeof payload !== 'string' || payload.length < minLength) return payload
  const varies = reply.getHeader('vary')
  reply.header('vary', [...(varies === undefined ? [] : [varies]), 'accept-encoding'].join(', '))
  const accepted = headers['accept-encoding']?.toString()
  if (accepted === undefined || preferred(accepted, ['gzip']) === undefined) return payload
  reply.header('content-encoding', 'gzip')
  return gzipped(payload)
}
