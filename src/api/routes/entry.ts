import * as t from 'io-ts'
import { Text } from '../../domain/kernel/codecs.ts'
import { allows, Permission } from '../../domain/kernel/permission.ts'
import { type OperatorCommand, permissionFor } from '../../processors/runtime/operator-command.ts'
import { entryPage, entryPolicy } from '../entry-page.ts'
import { refuse } from '../http/refuse.ts'
import { json, type Route, route, text } from '../http/route.ts'
import type { Sessions } from '../http/sessions.ts'

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

/** A browser sends the token once, for a session's cookie. Without a token nothing is asked for. */
export const entryRoutes = (
  sessions: Sessions | undefined,
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
    () => text(entryPage, 'text/html', { headers: entryPolicy }),
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
        needsToken: sessions !== undefined,
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
      summary: 'Takes the cookie from the browser.',
      tags,
      open: true,
      parameters: [],
      responses: {
        200: { description: 'The cookie is gone.', codec: t.type({ entered: t.literal(false) }) },
      },
      problems: [],
    },
    () => json({ entered: false }, { headers: { ...(sessions && { 'set-cookie': sessions.end }) } }),
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
