import { type Either, isLeft, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { AskedEvent } from '../../app/proof/prove-asked.ts'
import { orThrow } from '../../async/unavailable.ts'
import { Text } from '../../domain/kernel/codecs.ts'
import { type ApiContext, v1 } from '../context.ts'
import { Position } from '../http/parameters.ts'
import { type DetailedProblem, refuse } from '../http/refuse.ts'
import { json, type Route, route } from '../http/route.ts'
import { ProofBody, TreeBody } from '../proof-bodies.ts'

const tags = ['proof']
const Format = t.keyof({ json: null, file: null }, 'json or file')

/** The state of the log's Merkle tree, and proofs that it holds an event. Their code is loaded when they are asked for. */
export const eventProofRoutes = (context: ApiContext): readonly Route[] => [
  treeRoute(context),
  proofRoute(context),
]

const treeRoute = ({ system, running }: ApiContext): Route =>
  route(
    {
      method: 'get',
      path: `${v1}/proof/tree`,
      operationId: 'proofTree',
      summary:
        "How the log's Merkle tree stands: its signed head, how far the log is sealed, and what was found wrong.",
      description:
        'As of now. `state` is `sealed` where the log has the newest event that the head seals; `check` is the last comparison of the log with the tree, which goes on in rounds.',
      tags,
      parameters: [],
      responses: { 200: { description: 'How it stands.', codec: TreeBody } },
      problems: [],
    },
    async () => {
      const [{ treeState }, { treeBody }] = await Promise.all([
        import('../../app/proof/tree-state.ts'),
        import('../proof-answers.ts'),
      ])
      const state = await treeState(system)
      const logHead = await orThrow(system.eventStore.head())
      return json(treeBody(state, logHead, running?.whyUnsealed?.() ?? []))
    },
  )

const proofRoute = ({ system, fewAtOnce }: ApiContext): Route =>
  route(
    {
      method: 'get',
      path: `${v1}/proof/event`,
      operationId: 'proofOfEvent',
      summary: 'The proof that one event is in the log as it was signed.',
      description:
        'The event is named by its `position` in the log, by its `stream` and `revision`, or by its `id`, which is looked for in all of the tree. ' +
        'The proof needs nothing else, and holds for ever; whether it holds, a program of somebody else finds (`fonds proof verify`, docs/proof.md). ' +
        'The event comes as the log holds it now, whether or not it is the one that was signed: whoever shows it compares it with the entry.',
      tags,
      parameters: [
        {
          name: 'position',
          in: 'query',
          description: 'Its position in the log.',
          codec: Position,
          example: '1042',
        },
        { name: 'stream', in: 'query', description: 'Its stream, with `revision`.', codec: Text },
        { name: 'revision', in: 'query', description: 'Its revision there.', codec: Position },
        { name: 'id', in: 'query', description: 'Its id.', codec: Text },
        {
          name: 'format',
          in: 'query',
          description: '`file` is the proof alone, as a file (c2sp.org/tlog-proof); `json` unless said.',
          codec: Format,
        },
      ],
      responses: {
        200: {
          description: 'The proof, the event, and the keys by which this home says that it is checked.',
          codec: ProofBody,
          others: [{ contentType: 'text/plain', codec: t.string }],
        },
      },
      problems: [
        { status: 400, code: 'wrong-parameter', description: 'No event is named, or more than one.' },
        { status: 404, code: 'no-such-event', description: 'Neither the log nor the tree has it.' },
        {
          status: 404,
          code: 'no-tree',
          description:
            'This home has no Merkle tree: the log is not sealed yet, or its tree is in another home.',
        },
        { status: 409, code: 'not-sealed', description: 'It was recorded after the newest head.' },
        {
          status: 409,
          code: 'never-sealed',
          description: 'It is about processes: no tree holds such events.',
        },
        {
          status: 409,
          code: 'inserted',
          description: 'It stands before sealed events, and was not sealed: the log was changed.',
        },
        {
          status: 409,
          code: 'tree-damaged',
          description: 'Head, keys or files of the tree are not what was signed.',
        },
      ],
    },
    async ({ parameters: { format = 'json', ...named }, signal }) => {
      const asked = askedIn(named)
      if (isLeft(asked)) return asked
      const { answerProof } = await import('../answer-proof.ts')
      return fewAtOnce(() => answerProof(system, asked.right, format, signal))
    },
  )

interface Named {
  readonly position?: bigint | undefined
  readonly stream?: string | undefined
  readonly revision?: bigint | undefined
  readonly id?: string | undefined
}

const askedIn = ({ position, stream, revision, id }: Named): Either<DetailedProblem, AskedEvent> => {
  const byPlace = stream !== undefined || revision !== undefined
  const ways = [position !== undefined, byPlace, id !== undefined].filter(Boolean).length
  if (ways === 0)
    return wrong('position', 'is missing; name the event by position, by stream and revision, or by id')
  if (ways > 1)
    return wrong('position', 'name the event in one way: by position, by stream and revision, or by id')
  if (position !== undefined) return right({ position })
  if (id !== undefined) return right({ id })
  if (stream === undefined) return wrong('stream', 'is missing; a revision is one of a stream')
  if (revision === undefined) return wrong('revision', 'is missing; a stream has many events')
  return right({ stream, revision })
}

const wrong = (path: string, why: string) => refuse(400, 'wrong-parameter', `${path}: ${why}`, { path })
