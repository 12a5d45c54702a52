import { isLeft, left } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { annotate } from '../../domain/kernel/annotation.ts'
import { Text } from '../../domain/kernel/codecs.ts'
import { type ApiContext, v1 } from '../context.ts'
import { away } from '../http/errors.ts'
import { Texts } from '../http/parameters.ts'
import { json, type Route, route } from '../http/route.ts'

const maxReferences = 100

const References = annotate(
  t.refinement(Texts, (list) => list.length <= maxReferences, `at most ${maxReferences} references`),
  { type: 'array', items: { type: 'string' }, maxItems: maxReferences },
)

/** Names of people, whom the log has references of. */
export const peopleRoutes = ({ system }: Pick<ApiContext, 'system'>): readonly Route[] => [
  route(
    {
      method: 'get',
      path: `${v1}/people`,
      operationId: 'findPeople',
      summary: 'Names and mail addresses of people, by their references in the log.',
      description: 'As this home keeps them. Those whom it does not keep are left out.',
      tags: ['operation'],
      parameters: [
        {
          name: 'reference',
          in: 'query',
          description: `The actor of an event, as \`<issuer>#<sub>\`; at most ${maxReferences}.`,
          codec: References,
          required: true,
          example: ['https://login.archive.example#a7'],
        },
      ],
      responses: {
        200: {
          description: 'The people.',
          codec: t.type({
            people: t.array(
              t.type({ reference: Text, name: t.union([Text, t.null]), mail: t.union([Text, t.null]) }),
            ),
          }),
        },
      },
      problems: [],
    },
    async ({ parameters: { reference } }) => {
      const found = await system.people.find(reference)()
      if (isLeft(found)) return left(away(found.left.reason))
      return json({
        people: found.right.map(({ reference, name = null, mail = null }) => ({ reference, name, mail })),
      })
    },
  ),
]
