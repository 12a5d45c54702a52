import { parseTilePath } from '@fonds/tlog'
import { right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { Text } from '../../domain/kernel/codecs.ts'
import type { ApiContext } from '../context.ts'
import { refuse } from '../http/refuse.ts'
import { type Route, route, text } from '../http/route.ts'

const tags = ['proof']

/** The files of the log's Merkle tree, by C2SP's tlog-tiles: `/proof` is the prefix of the log. */
export const proofRoutes = ({ system }: ApiContext): readonly Route[] => {
  const open = system.config.proofPublic === 'on'
  const noTree = { status: 404, code: 'no-tree', description: 'This home has no Merkle tree.' } as const
  return [
    route(
      {
        method: 'get',
        path: '/proof/checkpoint',
        operationId: 'proofCheckpoint',
        summary: "The signed head of the log's Merkle tree (c2sp.org/tlog-checkpoint).",
        tags,
        open,
        parameters: [],
        responses: { 200: { description: 'A signed note.', contentType: 'text/plain', codec: t.string } },
        problems: [noTree],
      },
      async () => {
        const head = await (await system.proofLog()).head()
        if (!head) return refuse(404, 'no-tree', 'this home has no Merkle tree: `fonds start` begins one')
        return text(head.text, 'text/plain; charset=utf-8', { headers: { 'cache-control': 'no-cache' } })
      },
    ),
    route(
      {
        method: 'get',
        path: '/proof/tile/{path+}',
        operationId: 'proofTile',
        summary: 'A tile of the Merkle tree, or a bundle of its entries (c2sp.org/tlog-tiles).',
        description:
          'A file never changes. A partial one (`.p/<width>`) goes when the full one is there: ask for that then.',
        tags,
        open,
        parameters: [
          {
            name: 'path',
            in: 'path',
            description: 'Level, or `entries`; number in groups of three digits.',
            codec: Text,
            example: '0/x001/234.p/56',
          },
        ],
        responses: { 200: { description: 'Its bytes.', contentType: 'application/octet-stream' } },
        problems: [
          { status: 404, code: 'no-tile', description: 'There is no such tile, or none any more.' },
          { status: 409, code: 'tree-damaged', description: 'The file was cut, or has bytes too many.' },
        ],
      },
      async ({ parameters }) => {
        const tile = parseTilePath(`tile/${parameters.path}`)
        const files = await system.proofLog()
        const found = tile && (await files.tile(tile))
        if (found?.tile.width !== tile?.width || !found)
          return refuse(404, 'no-tile', `tile/${parameters.path}: is no tile of this tree`)
        const { cutFile } = await import('../answer-proof.ts')
        const cut = cutFile(files, found)
        if (cut) return cut
        const { buffer, byteOffset, length } = found.bytes
        return right({
          status: 200,
          contentType: 'application/octet-stream',
          body: Buffer.from(buffer, byteOffset, length),
          headers: { 'cache-control': `${open ? 'public' : 'private'}, max-age=31536000, immutable` },
        })
      },
    ),
  ]
}
