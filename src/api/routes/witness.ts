import { right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { ApiContext } from '../context.ts'
import { refuse } from '../http/refuse.ts'
import { type Route, route, text } from '../http/route.ts'

const tags = ['witness']

const plain = 'text/plain'
const inUtf8 = `${plain}; charset=utf-8`

/** The archive's witness for logs of others, as c2sp.org/tlog-witness has it: whoever asks proves itself by the log's signature. */
export const witnessRoutes = ({ system }: ApiContext): readonly Route[] => [
  route(
    {
      method: 'post',
      path: '/witness/add-checkpoint',
      operationId: 'addCheckpoint',
      open: true,
      permission: 'read',
      summary: 'Cosigns the checkpoint of a log that it knows, if the tree grew to it.',
      tags,
      parameters: [],
      requestBody: {
        description:
          'An old size, a proof of consistency, an empty line, and the checkpoint: c2sp.org/tlog-witness.',
        codec: t.string,
        contentType: plain,
        others: [{ contentType: '*/*' }],
      },
      responses: {
        200: { description: 'Lines of cosignatures.', contentType: plain, codec: t.string },
        403: { description: 'No key of the log signed it.', contentType: plain, codec: t.string },
        404: { description: 'The log is not known here.', contentType: plain, codec: t.string },
        409: {
          description: 'Another size was cosigned last: this one.',
          contentType: 'text/x.tlog.size',
          codec: t.string,
        },
        422: {
          description: 'It is not shown that the tree grew to it.',
          contentType: plain,
          codec: t.string,
        },
      },
      problems: [{ status: 400, code: 'not-a-checkpoint', description: 'It is not of its form.' }],
    },
    async ({ bytes }) => {
      const { status, contentType, body } = await (await system.witness()).addCheckpoint(bytes)
      if (status === 400) return refuse(400, 'not-a-checkpoint', body.trimEnd())
      return right({ status, contentType, body })
    },
  ),
  route(
    {
      method: 'get',
      path: '/witness/{originHash}/checkpoint',
      operationId: 'cosignedCheckpoint',
      open: true,
      summary: 'The newest checkpoint of a log that was cosigned.',
      tags,
      parameters: [
        {
          name: 'originHash',
          in: 'path',
          description: 'SHA-256 of the origin, in lower-case hex.',
          codec: t.string,
        },
      ],
      responses: { 200: { description: 'A signed note.', contentType: plain, codec: t.string } },
      problems: [
        { status: 404, code: 'not-cosigned', description: 'No checkpoint of such a log was cosigned.' },
      ],
    },
    async ({ parameters }) => {
      const found = (await system.witness()).checkpoint(parameters.originHash)
      return found === undefined
        ? refuse(404, 'not-cosigned', 'no checkpoint of a log with this origin was cosigned here')
        : text(found, inUtf8)
    },
  ),
]
