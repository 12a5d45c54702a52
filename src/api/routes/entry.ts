import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { Text } from '../../domain/kernel/codecs.ts'
import { allows, Permission } from '../../domain/kernel/permission.ts'
import { type OperatorCommand, permissionFor } from '../../processors/runtime/operator-command.ts'
import { type EntryWays, entryPage, entryPolicy } from '../entry-page.ts'
import { refuse } from '../http/refuse.ts'
import { json, type Route, route, text } from '../http/route.ts'
import type { Sessions } from '../http/sessions.ts'
import type { SignIn } from '../sign-in/open-sign-in.ts'
import { ownPath } from '../sign-in/own-path.ts'

const tags = ['operation']

const Session = t.type({
  mayWrite: t.boolean,
  needsToken: t.boolean,
  permission: Permission,
  person: t.union([
    t.type({ reference: Text, name: t.union([Text, t.null]), mail: t.union([Text, t.null]) }),
    t.null,
  ]),
  refused: t.array(Text),
})

export interface Entry {
  /** Absent: no token is set. */
  readonly sessions?: Sessions | undefined
  /** Absent: nobody can sign in. */
  readonly signIn?: SignIn | undefined
  /** Where the provider leads whoever signed out. */
  readonly back: () => string | undefined
}

export const waysOf = (sessions: Sessions | undefined, signIn: SignIn | undefined): EntryWays => ({
  hasToken: sessions !== undefined,
  provider: signIn?.provider && new URL(signIn.provider.provider.issuer).host,
  hasProxy: signIn?.proxy !== undefined,
})

/** A provider that does not answer keeps nobody from leaving Fonds. */
const leaveProvider = async (
  signIn: SignIn | undefined,
  back: string | undefined,
): Promise<string | null> => {
  if (!signIn?.provider || back === undefined) return null
  const address = await signIn.provider.provider.leave(back)()
  return (isLeft(address) ? undefined : address.right) ?? null
}

/** A browser sends the token once, for a session's cookie. Without a token nothing is asked for. */
export const entryRoutes = (
  { sessions, signIn, back }: Entry,
  commands: readonly OperatorCommand[],
): readonly Route[] => [
  route(
    {
      method: 'get',
      path: '/enter',
      operationId: 'entry',
      summary: 'A page that asks for the token and begins a session.',
      tags,
      open: true,
      parameters: [
        {
          name: 'to',
          in: 'query',
          description: 'Where to go then: an address of this server, `/` unless said.',
          codec: t.string,
        },
      ],
      responses: { 200: { description: 'HTML.', contentType: 'text/html', codec: t.string } },
      problems: [],
    },
    ({ parameters: { to } }) =>
      text(entryPage(waysOf(sessions, signIn), ownPath(to)), 'text/html', { headers: entryPolicy }),
  ),
  route(
    {
      method: 'get',
      path: '/session',
      operationId: 'session',
      summary: 'What whoever asks may do here.',
      tags,
      parameters: [],
      responses: {
        200: {
          description:
            'The permission; who signed in, or null; commands that need more than the permission; whether a token or sign-in is asked for.',
          codec: Session,
        },
      },
      problems: [],
    },
    ({ caller: { permission = 'read', person } }) =>
      json({
        mayWrite: allows(permission, 'operate'),
        needsToken: sessions !== undefined || signIn !== undefined,
        permission,
        person: person ? { name: null, mail: null, ...person } : null,
        refused: commands
          .filter((command) => !allows(permission, permissionFor(command)))
          .map(({ name }) => name),
      }),
  ),
  route(
    {
      method: 'delete',
      path: '/session',
      operationId: 'endSession',
      summary: 'Ends the session: takes the cookies from the browser.',
      tags,
      open: true,
      parameters: [],
      responses: {
        200: {
          description: 'The cookie is gone; `leads` is where to sign out as well.',
          codec: t.type({ entered: t.literal(false), leads: t.union([Text, t.null]) }),
        },
      },
      problems: [],
    },
    async ({ caller: { person, session } }) => {
      const cookies = [sessions?.end ?? [], signIn?.provider?.sessions.end(session) ?? []].flat()
      const leads = session
        ? await leaveProvider(signIn, back())
        : person
          ? (signIn?.leaveProxy ?? null)
          : null
      return json(
        { entered: false, leads },
        { headers: { ...(cookies.length > 0 && { 'set-cookie': cookies }) } },
      )
    },
  ),
  route(
    {
      method: 'post',
      path: '/session',
      operationId: 'beginSession',
      summary: 'A cookie that stands for the token, for a browser.',
      tags,
      open: true,
      parameters: [],
      responses: { 200: { description: 'The cookie is set.', codec: t.type({ entered: t.literal(true) }) } },
      problems: [{ status: 401, code: 'no-token', description: 'Neither the token nor a fresh ticket.' }],
    },
    ({ headers: { authorization, 'x-forwarded-proto': protocol } }) => {
      if (!sessions && signIn) return refuse(401, 'no-token', 'no token is set: sign in')
      if (!sessions) return json({ entered: true })
      const cookie = sessions.begin(authorization)
      return cookie === undefined
        ? refuse(401, 'no-token', 'this is not the token, or a link that was used before: enter the token')
        : json(
            { entered: true },
            { headers: { 'set-cookie': protocol === 'https' ? `${cookie}; Secure` : cookie } },
          )
    },
  ),
]
