import type { IncomingHttpHeaders } from 'node:http'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { System } from '../../app/system.ts'
import { groupsIn, nameAndMail, referenceOf } from '../../domain/kernel/identity.ts'
import { permissionOf } from '../../domain/kernel/permission.ts'
import { Flag } from '../../domain/kernel/text-codecs.ts'
import type { IssuedClaims, ProviderFailure } from '../../ports/identity-provider.ts'
import { refuse } from '../http/refuse.ts'
import { type Handled, type Reply, type Route, route, text } from '../http/route.ts'
import type { Audit } from './audit.ts'
import { notePerson, type ProviderSignIn } from './open-sign-in.ts'
import { ownPath } from './own-path.ts'
import { leadsOn, notSignedIn, signInPolicy } from './pages.ts'

const tags = ['operation']
const returnPath = '/sign-in/return'
const page = { contentType: 'text/html', codec: t.string }
const noSignIn = { status: 404, code: 'no-sign-in', description: 'Nobody can sign in at a provider here.' }
const away = [
  { status: 503, code: 'provider-away', description: 'The provider does not answer.' },
  { status: 503, code: 'no-public-url', description: 'The address of this server is not set.' },
]

/** The way to the provider, and the way back. */
export const signInRoutes = (
  system: System,
  signIn: ProviderSignIn | undefined,
  audit: Audit,
): readonly Route[] => {
  const contextOf = ({ accept = '' }: IncomingHttpHeaders) => ({
    ...{ system, audit },
    isForAPerson: accept.startsWith('text/html'),
  })
  return [
    route(
      {
        method: 'get',
        path: '/sign-in',
        operationId: 'signIn',
        summary: 'Leads a browser to the provider where people sign in.',
        tags,
        open: true,
        parameters: [
          {
            name: 'to',
            in: 'query',
            description: 'Where to go then: a path of this server, `/` unless said.',
            codec: t.string,
          },
          {
            name: 'moved',
            in: 'query',
            description: 'The browser came here from another name of this server.',
            codec: Flag,
          },
        ],
        responses: {
          302: { description: 'Leads to the provider.' },
        },
        problems: [noSignIn, ...away],
      },
      ({ parameters: { to, moved }, headers }) =>
        begin(contextOf(headers), signIn, { to: ownPath(to), host: headers.host, isMoved: moved === true }),
    ),
    route(
      {
        method: 'get',
        path: returnPath,
        operationId: 'signInReturn',
        summary: 'Where the provider leads a browser back to: begins a session.',
        tags,
        open: true,
        ignoresUnknown: true,
        parameters: [{ name: 'state', in: 'query', description: 'As the provider got it.', codec: t.string }],
        responses: {
          200: { description: 'Signed in: leads on.', ...page },
        },
        problems: [
          { status: 400, code: 'not-begun', description: 'This browser did not begin it, or too long ago.' },
          { status: 403, code: 'provider-refused', description: 'The provider let nobody in.' },
          { status: 403, code: 'no-permission', description: 'Nobody gave a permission to who signed in.' },
          { status: 502, code: 'invalid-answer', description: 'The answer of the provider failed a check.' },
          noSignIn,
          ...away,
        ],
      },
      async ({ url, parameters: { state }, headers }) => {
        const context = contextOf(headers)
        if (!signIn) return none(context)
        const begun = signIn.underWay.take(headers.cookie, state ?? null)
        if (!begun)
          return refused(
            context,
            400,
            'not-begun',
            'This browser did not begin this sign-in, or began it too long ago.',
          )
        const finished = await signIn.provider.finish(new URL(url, publicUrlOf(system)), begun)()
        const answer = isLeft(finished)
          ? failed(context, finished.left, begun.to)
          : await admit(context, signIn, finished.right, begun.to)
        return withCookie(answer, signIn.underWay.clear())
      },
    ),
  ]
}

interface Context {
  readonly system: System
  readonly audit: Audit
  /** Answered with a page; false: with a problem in JSON. */
  readonly isForAPerson: boolean
}

const publicUrlOf = ({ config: { publicUrl } }: System): string => publicUrl ?? 'http://not-set.invalid'

interface Wanted {
  readonly to: string
  readonly host: string | undefined
  readonly isMoved: boolean
}

const begin = async (
  context: Context,
  signIn: ProviderSignIn | undefined,
  { to, host, isMoved }: Wanted,
): Promise<Handled> => {
  if (!signIn) return none(context)
  const { publicUrl } = context.system.config
  if (publicUrl === undefined)
    return refused(
      context,
      503,
      'no-public-url',
      'FONDS_PUBLIC_URL is not set: the provider would not know where to lead back to. Ask who administers Fonds.',
    )
  // The cookie of a sign-in under way is of one name of this server: the one that the provider leads back to.
  if (new URL(publicUrl).host !== host && !isMoved)
    return leadTo(new URL(`/sign-in?moved=true&to=${encodeURIComponent(to)}`, publicUrl).href)
  const begun = await signIn.provider.begin(new URL(returnPath, publicUrl).href)()
  if (isLeft(begun)) return failed(context, begun.left, to)
  const { address, secrets } = begun.right
  return leadTo(address, { 'set-cookie': signIn.underWay.begin({ ...secrets, to }) })
}

const leadTo = (location: string, headers: Reply['headers'] = {}): Handled =>
  text('', 'text/html', { status: 302, headers: { ...signInPolicy, ...headers, location } })

/** Begins a session for somebody whom the provider has named, if a group of theirs gives a permission. */
const admit = async (
  context: Context,
  { sessions, granting, groupsClaim }: ProviderSignIn,
  { issuer, subject, claims }: IssuedClaims,
  to: string,
): Promise<Handled> => {
  const reference = referenceOf(issuer, subject)
  if (isLeft(reference))
    return refused(context, 502, 'invalid-answer', `This cannot be used: ${reference.left}.`)
  const person = { reference: reference.right, ...nameAndMail(claims) }
  const permission = permissionOf(groupsIn(claims, groupsClaim), granting)
  if (permission === undefined)
    return refused(
      context,
      403,
      'no-permission',
      `The provider knows you as ${person.name ?? person.reference}, and none of your groups may read here. Ask who administers Fonds: FONDS_SIGN_IN_READ, FONDS_SIGN_IN_OPERATE and FONDS_SIGN_IN_ADMINISTER name the groups.`,
      { reference: person.reference },
    )
  const { system } = context
  await notePerson(system, person)
  system.log.info({ reference: person.reference, permission }, 'signed in')
  return withCookie(html(200, leadsOn(to)), sessions.begin(person, permission))
}

const failed = (context: Context, failure: ProviderFailure, to: string): Handled => {
  switch (failure.kind) {
    case 'Unavailable':
      return refused(
        context,
        503,
        'provider-away',
        `The provider cannot be asked now: ${failure.reason}.`,
        { reason: failure.reason },
        to,
      )
    case 'Refused':
      return refused(
        context,
        403,
        'provider-refused',
        `The provider did not let you in (${failure.code}).`,
        {},
        to,
      )
    case 'Invalid':
      return refused(
        context,
        502,
        'invalid-answer',
        'The answer of the provider failed a check, so nobody was signed in. Ask who administers Fonds: its log says why.',
        { reason: failure.reason },
        to,
      )
  }
}

const refused = (
  { audit, isForAPerson }: Context,
  status: number,
  code: string,
  sentence: string,
  facts: object = {},
  to = '/',
): Handled => {
  audit(code, { ...facts, route: '/sign-in' })
  if (!isForAPerson) return refuse(status, code, sentence)
  return html(status, notSignedIn(sentence, !hopeless.has(code), to))
}

/** To try again changes nothing. */
const hopeless = new Set(['no-permission', 'no-public-url', 'no-sign-in'])

const html = (status: number, body: string): Handled =>
  text(body, 'text/html', { status, headers: signInPolicy })

const none = (context: Context): Handled =>
  refused(context, 404, 'no-sign-in', 'Nobody can sign in at a provider here: FONDS_OIDC_ISSUER is not set.')

/** Adds a cookie to an answer. */
const withCookie = (answer: Handled, cookie: string): Handled => {
  if (isLeft(answer)) return answer
  const { headers = {} } = answer.right
  const before = headers['set-cookie']
  const cookies = before === undefined ? [cookie] : [before, cookie].flat()
  return { ...answer, right: { ...answer.right, headers: { ...headers, 'set-cookie': cookies } } }
}
