import type { ServerOptions as HttpOptions } from 'node:http'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest } from 'fastify'
import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import { v7 as uuid } from 'uuid'
import { cachesOf } from '../app/config/caches.ts'
import { identity } from '../app/config/pem-files.ts'
import { questionDeaths } from '../app/question-deaths.ts'
import { createRebuilds, type Rebuilds } from '../app/rebuilds.ts'
import type { System } from '../app/system.ts'
import { SECOND } from '../domain/kernel/time.ts'
import { boundTallies } from '../projections/runtime/kept-tallies.ts'
import { commandsOf } from '../workflows/workflow.ts'
import type { ApiContext, ApiOptions } from './context.ts'
import { entryPage, entryPolicy } from './entry-page.ts'
import { type Caller, nobody } from './http/caller.ts'
import { onClientError } from './http/client-error.ts'
import { htmlPolicy } from './http/content-policy.ts'
import { onError } from './http/errors.ts'
import { guard } from './http/guard.ts'
import { identifyBy } from './http/identify.ts'
import { bodyLimit } from './http/let-pass.ts'
import { loggedRequest } from './http/logged-request.ts'
import { neededAt } from './http/needed-at.ts'
import { readableReply } from './http/readable-reply.ts'
import type { DetailedProblem } from './http/refuse.ts'
import { register } from './http/register.ts'
import type { Route } from './http/route.ts'
import { sendProblem } from './http/send.ts'
import { openSessions, type Sessions } from './http/sessions.ts'
import { builtFolder, readBuiltFiles } from './page/built-files.ts'
import { createPage, isForAPerson, serveAssets } from './page/serve-page.ts'
import { questionRoutes } from './question-routes.ts'
import { addressRoutes } from './routes/addresses.ts'
import { changeRoutes } from './routes/changes.ts'
import { checkRoutes } from './routes/checks.ts'
import { commandRoutes } from './routes/commands.ts'
import { consistencyProofRoutes } from './routes/consistency-proof.ts'
import { deadLetterRoutes } from './routes/dead-letters.ts'
import { documentRoutes } from './routes/documents.ts'
import { entryRoutes, waysOf } from './routes/entry.ts'
import { singleEventRoutes } from './routes/event.ts'
import { eventDayRoutes } from './routes/event-days.ts'
import { eventProofRoutes } from './routes/event-proof.ts'
import { eventTimeRoutes } from './routes/event-times.ts'
import { eventRoutes } from './routes/events.ts'
import { historyRoutes } from './routes/history.ts'
import { intakeRoutes } from './routes/intakes.ts'
import { messageRoutes } from './routes/messages.ts'
import { nodeRoutes } from './routes/nodes.ts'
import { operationRoutes } from './routes/operations.ts'
import { overviewRoutes } from './routes/overview.ts'
import { peopleRoutes } from './routes/people.ts'
import { premisRoutes } from './routes/premis.ts'
import { projectionRoutes } from './routes/projections.ts'
import { proofRoutes } from './routes/proof.ts'
import { rebuildRoutes } from './routes/rebuilds.ts'
import { searchRoutes } from './routes/search.ts'
import { taskOfferRoutes } from './routes/task-offers.ts'
import { topicMessageRoutes } from './routes/topic-messages.ts'
import { topicRoutes } from './routes/topics.ts'
import { viewDiffRoutes } from './routes/view-diff.ts'
import { viewRoutes } from './routes/views.ts'
import { witnessRoutes } from './routes/witness.ts'
import { type Audit, createAudit } from './sign-in/audit.ts'
import { openSignIn, type SignIn } from './sign-in/open-sign-in.ts'
import { ownPath } from './sign-in/own-path.ts'
import { signInRoutes } from './sign-in/routes.ts'
import { createAskAsOf, fewAtOnce } from './views-as-of.ts'

/** Names of streams stand in paths: an item's path may have 4096 characters, each up to nine when encoded. */
const maxParameterLength = 40_000
/** A question may name two works of 2000 characters each. */
const maxHeaderSize = 64 * 1024

/** Routes have codecs in the place of JSON Schemas. Given none, Fastify would load its own compilers of them: a hundred modules. */
const noCompiler = () => {
  throw new Error('a route declares a JSON Schema; give it a codec')
}

/** The HTTP server, before it listens. `close()` takes no new requests, ends streams, and lets requests under way finish. */
export const createApi = async (system: System, options: ApiOptions = {}): Promise<FastifyInstance> => {
  const loggerInstance: FastifyBaseLogger = system.log.child({}, { serializers: { req: loggedRequest } })
  const app = Fastify({
    loggerInstance,
    bodyLimit,
    ...listener(system.config),
    clientErrorHandler: onClientError(maxHeaderSize),
    genReqId: () => uuid(),
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: maxParameterLength },
    frameworkErrors: onError,
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
  })
  // Handlers get the bytes: the routes' codecs read them.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
  app.setErrorHandler(onError)

  boundTallies(system.viewStore, cachesOf(system.config).tallies)
  const { token, readToken } = system.config
  const sessions = token === undefined ? undefined : openSessions({ token, readToken }, options.ticket)
  const files = readBuiltFiles(options.pageFolder ?? builtFolder)
  const page = createPage(files)
  const rebuilds = createRebuilds(system)
  app.addHook('onClose', () => rebuilds.close())
  const signIn = openSignIn(system)
  const audit = createAudit(system.log, system.clock)
  const routes = await routesOf(system, options, { sessions, signIn, audit, rebuilds })
  const note = (request: FastifyRequest, { code }: DetailedProblem) => {
    // Somebody who sends nothing has not tried anything.
    if (code === 'no-token' && request.headers.authorization === undefined) return
    const { method, routeOptions, ip } = request
    audit(code, { method, route: routeOptions.url, remoteAddress: ip })
  }
  const callers = new WeakMap<FastifyRequest, Caller>()
  const asking = guard(identifyBy({ sessions, signIn }), neededAt(routes, files))
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff' })
    const caller = asking(request)
    if (isRight(caller)) callers.set(request, caller.right)
    const problem = isLeft(caller) ? caller.left : undefined
    if (problem) note(request, problem)
    // It asks for the token itself, once the API wants it.
    if ((!problem || problem.code === 'no-token') && page.isAt(request)) return page.send(request, reply)
    if (problem?.code === 'no-token' && isForAPerson(request))
      return reply
        .code(401)
        .headers(entryPolicy)
        .type('text/html; charset=utf-8')
        .send(entryPage(waysOf(sessions, signIn), ownPath(request.url)))
    if (problem) return sendProblem(reply, problem)
  })
  app.addHook('onSend', (_, reply, payload, done) => {
    const isHtml = String(reply.getHeader('content-type') ?? '').startsWith('text/html')
    if (isHtml && !reply.hasHeader('content-security-policy')) reply.headers(htmlPolicy)
    done(null, payload)
  })
  if (files) serveAssets(app, files)
  const callerOf = (request: FastifyRequest) => callers.get(request) ?? nobody
  const deaths = questionDeaths(system)
  register(app, routes, {
    callerOf,
    endOf: signIn?.provider?.sessions.endOf,
    ...(deaths && { deaths }),
    readable: (handled, path) => readableReply(handled, path, system.personal),
  })
  return app
}

/** Plain HTTP, behind a proxy with TLS; TLS of its own where a proxy proves itself by a certificate. */
const listener = (config: System['config']): { readonly http: HttpOptions } => {
  const shown = config.proxyCertFile === undefined ? undefined : identity(config, 'tlsCertFile', 'tlsKeyFile')
  if (!shown) return { http: { maxHeaderSize } }
  // Clients without a certificate are taken: they have tokens. Whose certificate it is, `proxySignIn` compares.
  const https = { ...shown, maxHeaderSize, requestCert: true, rejectUnauthorized: false }
  // Fastify types the server of either, and the routes are the same.
  return { https } as unknown as { readonly http: HttpOptions }
}

/** Parts of a running server that routes share with it. */
interface Running {
  readonly sessions?: Sessions | undefined
  readonly signIn?: SignIn | undefined
  readonly audit?: Audit
  readonly rebuilds?: Rebuilds
}

/** All routes; the OpenAPI document is made from the same list. */
export const routesOf = async (
  system: System,
  options: ApiOptions = {},
  {
    sessions,
    signIn,
    audit = createAudit(system.log, system.clock),
    rebuilds = createRebuilds(system),
  }: Running = {},
): Promise<readonly Route[]> => {
  const few = fewAtOnce()
  const watch = { system, running: options.running, patienceMillis: options.patienceMillis ?? 10 * SECOND }
  const context: ApiContext = {
    ...watch,
    rebuilds,
    askAsOf: createAskAsOf(watch, few),
    fewAtOnce: few,
    heartbeatMillis: options.heartbeatMillis ?? 15 * SECOND,
    smallLag: options.smallLag ?? 1000,
  }
  const { config } = system
  const back = () => config.publicUrl && new URL('/enter', config.publicUrl).href
  const routes: readonly Route[] = [
    ...operationRoutes(context),
    ...nodeRoutes(context),
    ...checkRoutes(context),
    ...overviewRoutes(context),
    ...projectionRoutes(context),
    ...rebuildRoutes(context),
    ...entryRoutes({ sessions, signIn, back }, commandsOf(system.workflows)),
    ...signInRoutes(system, signIn?.provider, audit),
    ...viewRoutes(context),
    ...viewDiffRoutes(context),
    ...(await questionRoutes(context)),
    ...topicRoutes(context),
    ...topicMessageRoutes(context),
    ...messageRoutes(context),
    ...commandRoutes(context),
    ...taskOfferRoutes(context),
    ...intakeRoutes(context),
    ...addressRoutes(context),
    ...eventRoutes(context),
    ...historyRoutes(context),
    ...premisRoutes(context),
    ...proofRoutes(context),
    ...eventProofRoutes(context),
    ...consistencyProofRoutes(context),
    ...searchRoutes(context),
    ...peopleRoutes(context),
    ...eventDayRoutes(context),
    ...eventTimeRoutes(context),
    ...singleEventRoutes(context),
    ...changeRoutes(context),
    ...deadLetterRoutes(context),
    ...(options.isWitness ? witnessRoutes(context) : []),
    ...documentRoutes(context, () => routes),
  ]
  return routes
}

/** Listens as configured. Resolves with the address to open on this machine. */
export const listen = async (
  app: FastifyInstance,
  { host, port }: Pick<System['config'], 'host' | 'port'>,
): Promise<string> => {
  // For `localhost` Fastify opens a second server, whose connections could not be closed.
  const address = await app.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port })
  const { hostname, port: bound } = new URL(address)
  const here = everywhere[hostname]
  return here === undefined ? address : `http://${here}:${bound || 80}`
}

/** A server that listens on all addresses is bound to one that no browser opens: these are opened instead. */
const everywhere: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '[::]': 'localhost' }

/**
 * Takes no new requests, ends streams, and lets requests under way finish for `graceMillis`. Then it closes every
 * connection: of clients that still send, that do not read their answer, or that never sent a request.
 */
export const closeWithin = async (app: FastifyInstance, graceMillis: number): Promise<void> => {
  const deadline = setTimeout(() => app.server.closeAllConnections(), graceMillis)
  await app.close()
  clearTimeout(deadline)
}
