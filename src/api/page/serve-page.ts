import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { has } from '../http/conditional.ts'
import { preferred } from '../http/representation.ts'
import type { BuiltFile, BuiltFiles } from './built-files.ts'

/* The page is a client of the API like any other. Its files are no secret: they are sent to whoever asks. */

/** Nothing comes from elsewhere, nothing stands in the page itself, no other site may frame it. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "media-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

/** Where files stand whose names change with what is in them. */
const assets = '/assets/'

export interface Page {
  readonly isBuilt: boolean
  /** Whether a browser is shown the page there: at `/`, and wherever the API has no route. */
  readonly isAt: (request: FastifyRequest) => boolean
  readonly send: (request: FastifyRequest, reply: FastifyReply) => FastifyReply
}

export const createPage = (files: BuiltFiles | undefined): Page => {
  const index = files?.get('/index.html')
  return {
    isBuilt: index !== undefined,
    isAt: (request) => {
      if (index === undefined || !isForAPerson(request)) return false
      const path = request.url.split('?', 1)[0] as string
      return path === '/' || (request.is404 && !path.startsWith('/api/') && !path.startsWith(assets))
    },
    send: (request, reply) =>
      sendFile(
        request,
        reply.headers({ 'content-security-policy': policy, 'referrer-policy': 'no-referrer' }),
        {
          file: index as BuiltFile,
          caching: 'no-cache',
        },
      ),
  }
}

/** Browsers that open a page ask for HTML first. */
export const isForAPerson = ({ method, headers }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && /^text\/html\b/.test(headers.accept ?? '')

/** Scripts, styles and pictures. Names hold what is in them, so a browser need not ask for one twice. */
export const serveAssets = (app: FastifyInstance, files: BuiltFiles): void => {
  for (const [path, file] of files)
    if (path.startsWith(assets))
      app.get(path, (request, reply) =>
        sendFile(request, reply, { file, caching: 'public, max-age=31536000, immutable' }),
      )
}

interface Sending {
  readonly file: BuiltFile
  readonly caching: string
}

const sendFile = (
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { file: { contentType, tag, bodies }, caching }: Sending,
): FastifyReply => {
  reply.headers({ etag: tag, 'cache-control': caching, vary: 'accept, accept-encoding' })
  if (has(headers['if-none-match'], tag)) return reply.code(304).send()
  const accepted = headers['accept-encoding']?.toString()
  const coding = accepted === undefined ? undefined : preferred(accepted, ['br', 'gzip'])
  const body = coding === undefined ? undefined : bodies[coding]
  if (body) reply.header('content-encoding', coding)
  return reply.type(contentType).send(body ?? bodies.identity)
}
