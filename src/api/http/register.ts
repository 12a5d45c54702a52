import type { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { isLeft } from 'fp-ts/lib/Either.js'
import { type ProblemSpec, type RouteSpec, routerPath } from '../../app/documents/route-spec.ts'
import type { QuestionDeaths } from '../../app/question-deaths.ts'
import { allowedAt } from './allowed.ts'
import type { Caller, SignedInSession } from './caller.ts'
import { compress } from './compress.ts'
import { conditional } from './conditional.ts'
import { decodeRequest } from './decode-request.ts'
import { onUnknownRoute } from './errors.ts'
import { formOf } from './form.ts'
import { holdQuestion, isQuestion } from './held-question.ts'
import type { Handled, Route } from './route.ts'
import { send, sendProblem } from './send.ts'

interface Registering {
  /** Finds the maker of a request that the guard has let pass. */
  readonly callerOf: (request: FastifyRequest) => Caller
  /** Aborts when a session ends; `done`: nobody waits for that any more. */
  readonly endOf?: ((session: SignedInSession, done: AbortSignal) => AbortSignal) | undefined
  /** Deaths of questions, if a process has died before. */
  readonly deaths?: QuestionDeaths
  /** Puts personal values in the place of their references. */
  readonly readable?: (handled: Handled, path: string) => Handled | Promise<Handled>
}

/**
 * Serves the routes: codecs first, then the handler. Requests under way are aborted when the server closes.
 */
export const register = (
  app: FastifyInstance,
  declared: readonly Route[],
  { callerOf, endOf, deaths, readable = (handled) => handled }: Registering,
): void => {
  const routes = declared.flatMap(atEachPath)
  const underWay = new Set<AbortController>()
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
    for (const request of underWay) request.abort()
  })
  // Without this header the server would wait for the idle connections of the last clients.
  app.addHook('onSend', async (_, reply) => {
    if (closing) reply.header('connection', 'close')
  })

  app.addHook('onSend', conditional)
  app.addHook('onSend', compress)
  const specs = routes.map(({ spec }) => ({ ...spec, hasHead: hasHead(spec) }))
  app.setNotFoundHandler(onUnknownRoute(allowedAt(specs)))

  const signalOf = (reply: FastifyReply, spec: RouteSpec, { session }: Caller): AbortSignal => {
    const controller = new AbortController()
    underWay.add(controller)
    reply.raw.once('close', () => {
      underWay.delete(controller)
      if (!reply.raw.writableFinished || isStream(spec)) controller.abort()
    })
    // A stream outlasts no session.
    if (!session || !endOf || !isStream(spec)) return controller.signal
    return AbortSignal.any([controller.signal, endOf(session, controller.signal)])
  }

  const add = (scope: FastifyInstance, { spec, form, takesStream, handle }: Route) =>
    scope.route({
      method: spec.method.toUpperCase() as HTTPMethods,
      url: routerPath(spec.path),
      exposeHeadRoute: hasHead(spec),
      handler: async (request, reply) => {
        const refusal = deaths && isQuestion(spec) && (await holdQuestion(deaths, request, reply))
        if (refusal) return sendProblem(reply, refusal)
        const decoded = decodeRequest(spec, request)
        if (isLeft(decoded)) return send(reply, decoded)
        const { headers, method, url } = request
        const caller = callerOf(request)
        const asked = {
          ...decoded.right,
          headers,
          method,
          url,
          caller,
          signal: signalOf(reply, spec, caller),
        }
        const parts = form && formOf(request, reply, form)
        const incoming = takesStream && (request.body as Readable | undefined)
        const handled = await handle({ ...asked, ...(parts && { parts }), ...(incoming && { incoming }) })
        return send(reply, await readable(handled, spec.path))
      },
    })

  for (const route of routes) if (!route.form && !route.takesStream) add(app, route)
  const withForms = routes.filter(({ form }) => form)
  // Forms are parsed only there: elsewhere they are bodies of a wrong type.
  if (withForms.length > 0)
    app.register(async (scope) => {
      await scope.register(multipart, { throwFileSizeLimit: false })
      for (const route of withForms) add(scope, route)
    })
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_, payload, done) => done(null, payload))
    for (const route of routes) if (route.takesStream) add(scope, route)
  })
}

const atEachPath = (route: Route): readonly Route[] =>
  [route.spec.path, route.spec.formerPath ?? []]
    .flat()
    .map((path) => ({ ...route, spec: { ...route.spec, path } }))

const hasHead = (spec: RouteSpec): boolean => spec.method === 'get' && !isStream(spec)

const isStream = ({ responses }: RouteSpec): boolean => responses[200]?.contentType === 'text/event-stream'

/** A route's spec with the problems that the server adds. */
export const documented = (spec: RouteSpec): RouteSpec => ({
  ...spec,
  responses: { ...spec.responses, ...(hasHead(spec) && { 304: notChanged }) },
  problems: [...spec.problems, ...commonProblems(spec)],
})

const notChanged = { description: 'What `If-None-Match` names still holds.' }

/** Problems of a JSON body. */
export const jsonProblems: readonly ProblemSpec[] = [
  { status: 400, code: 'not-json', description: 'The body is not JSON.' },
  { status: 400, code: 'not-utf8', description: 'The body is not UTF-8.' },
  { status: 400, code: 'wrong-shape', description: 'The body holds what cannot be kept.' },
  { status: 400, code: 'unknown-field', description: 'There is no such field: `path` names it.' },
  { status: 400, code: 'wrong-body', description: 'A field is missing or not what it must be.' },
]

const commonProblems = (spec: RouteSpec): readonly ProblemSpec[] => [
  ...problemsOfRequests(spec),
  ...(isQuestion(spec)
    ? [
        {
          status: 422,
          code: 'kills-process',
          description: 'Process after process died while it answered this: a person has to clear it.',
        },
      ]
    : []),
]

const problemsOfRequests = ({
  parameters,
  requestBody,
  ignoresUnknown,
  open,
  permission = 'read',
}: RouteSpec): readonly ProblemSpec[] => [
  { status: 400, code: 'bad-request', description: 'The request is not proper HTTP.' },
  ...(ignoresUnknown
    ? []
    : [{ status: 400, code: 'unknown-parameter', description: 'The route has no such query parameter.' }]),
  ...(parameters.length > 0
    ? [
        {
          status: 400,
          code: 'wrong-parameter',
          description: 'A parameter is missing or not what it must be.',
        },
      ]
    : []),
  ...(requestBody && !requestBody.others ? jsonProblems : []),
  ...(requestBody
    ? [
        { status: 413, code: 'too-large', description: 'The body is too large.' },
        { status: 415, code: 'wrong-content-type', description: 'The body is of a type that is not taken.' },
      ]
    : []),
  { status: 408, code: 'too-slow', description: 'The request did not come in time.' },
  { status: 431, code: 'headers-too-large', description: 'The address and the headers are too large.' },
  ...(open
    ? []
    : [
        { status: 401, code: 'no-token', description: 'A token is set, and this request needs it.' },
        {
          status: 403,
          code: 'not-from-here',
          description: 'No token is set, and the request is not of this machine.',
        },
        {
          status: 400,
          code: 'ambiguous-proxy',
          description: 'The proxy named who signed in twice, or in no usable way.',
        },
        { status: 401, code: 'wrong-proxy-secret', description: 'The secret of the proxy is another.' },
        { status: 403, code: 'no-permission', description: 'Whoever signed in has no permission for it.' },
      ]),
  ...(permission !== 'read'
    ? [
        {
          status: 403,
          code: 'foreign-origin',
          description: 'A web page of another site may not write here.',
        },
        { status: 403, code: 'read-only', description: 'The token may only read.' },
      ]
    : []),
  { status: 500, code: 'defect', description: 'A fault in Fonds.' },
  {
    status: 503,
    code: 'away',
    description: 'Something it depends on is away: ask again after `Retry-After`.',
  },
  { status: 503, code: 'closing', description: 'The server is closing.' },
]
