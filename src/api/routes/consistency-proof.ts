import { fromText } from '../../domain/kernel/text-codecs.ts'
import { type ApiContext, v1 } from '../context.ts'
import { type Route, route } from '../http/route.ts'
import { ConsistencyBody } from '../proof-bodies.ts'

const Leaves = fromText(
  'number of leaves (a whole number from 1)',
  (value): value is bigint => typeof value === 'bigint',
  (text) => (/^[1-9]\d{0,17}$/.test(text) ? BigInt(text) : undefined),
  { type: 'string', pattern: '^[1-9][0-9]*$', examples: ['1042'] },
)

/** The proof that the log's Merkle tree goes on from an older one. Its code is loaded when it is asked for. */
export const consistencyProofRoutes = ({ system, fewAtOnce }: ApiContext): readonly Route[] => [
  route(
    {
      method: 'get',
      path: `${v1}/proof/consistency`,
      operationId: 'proofOfConsistency',
      summary: 'The proof that the tree of a larger head goes on from the tree of a smaller one.',
      description:
        'For whoever kept a signed head: with its root, that of the newer head and these hashes they compute whether nothing before it was changed or removed (RFC 9162, section 2.1.4.2). ' +
        'A tree of no leaves is the beginning of every tree, and needs no proof.',
      tags: ['proof'],
      parameters: [
        {
          name: 'from',
          in: 'query',
          description: 'Leaves of the smaller tree.',
          codec: Leaves,
          required: true,
          example: '1042',
        },
        {
          name: 'to',
          in: 'query',
          description: 'Leaves of the larger tree; those of the newest head unless said.',
          codec: Leaves,
        },
      ],
      responses: { 200: { description: 'The hashes.', codec: ConsistencyBody } },
      problems: [
        { status: 400, code: 'wrong-parameter', description: 'A size is none, or `from` is more than `to`.' },
        {
          status: 404,
          code: 'no-tree',
          description:
            'This home has no Merkle tree: the log is not sealed yet, or its tree is in another home.',
        },
        { status: 409, code: 'larger-than-tree', description: 'The newest head has fewer leaves than that.' },
        {
          status: 409,
          code: 'tree-damaged',
          description: 'Head, keys or files of the tree are not what was signed.',
        },
      ],
    },
    async ({ parameters: { from, to } }) => {
      const { answerConsistency } = await import('../answer-consistency.ts')
      return fewAtOnce(() => answerConsistency(system, { from, to }))
    },
  ),
]
