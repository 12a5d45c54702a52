import * as t from 'io-ts'
import { entryPage, entryPolicy } from '../entry-page.ts'
import { refuse } from '../http/refuse.ts'
import { json, type Route, route, text } from '../http/route.ts'
import type { Sessions } from '../http/sessions.ts'

const tags = ['operation']

/** A browser sends the token once, for a session's cookie. Without a token nothing is asked for. */
export const entryRoutes = (sessions: Sessions | undefined): readonly Route[] => [
  route(
    {
      method: 'get',
      path: '/enter',
      operationId: 'entry',
      summary: 'A page that asks for the token and begins a session.',
      tags,
      open: true,
      parameters: [],
      responses: { 200: { description: 'HTML.', contentType: 'text/html', codec: t.string } },
      problems: [],
    },
    () => text(entryPage, 'text/html', { headers: entryPolicy }),
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
