import { type Capture, fileToken } from '@fonds/cdx'
import * as E from 'fp-ts/lib/Either.js'
import { UnavailableError } from '../../../async/unavailable.ts'
import { RepositoryName } from '../../../domain/indexing/file.ts'
import { idCodec } from '../../../domain/kernel/id.ts'
import { SECOND } from '../../../domain/kernel/time.ts'
import { accessToRecord } from '../../../projections/indexing/access/record-access.ts'
import { locateFile, notKnown } from '../../../projections/indexing/locate-file.ts'
import { indexing } from '../../../projections/indexing/projection.ts'
import { httpAddress } from '../../http-address.ts'
import type { WorkflowContext } from '../../workflow-context.ts'
import { captureSource } from '../capture-source.ts'
import { indexingContext } from '../context.ts'
import type { IndexingConfig } from '../settings.ts'

const name = {
  name: 'name',
  in: 'path',
  description: 'The name of the archive file, as lines of the index have it.',
  // One that holds `%2F` is decoded.
  codec: idCodec('file name', 255),
  example: '17-20260131120000-00001.warc.gz',
} as const

const repository = {
  name: 'repository',
  in: 'path',
  description: 'The repository that has it.',
  codec: RepositoryName,
  example: 'main',
} as const

const contentTypes = ['application/octet-stream'] as const
const [contentType] = contentTypes

const archiveFile = (
  named: Pick<Parameters<typeof httpAddress>[0], 'path' | 'operationId' | 'summary' | 'parameters'>,
) =>
  httpAddress({
    ...named,
    method: 'get',
    description:
      'One range of bytes is served at a time; `ETag`, `Last-Modified` and the conditions on them are as in RFC 9110.',
    responses: {
      200: { description: 'The file.', contentTypes },
      206: { description: 'The range.', contentTypes },
      412: { description: 'The file is not the one that a condition wants.', contentTypes },
      416: { description: 'The file has no such range.', contentTypes },
    },
    refusals: {
      'no-such-file': { status: 404, description: 'No such file is known.' },
      'no-such-record': {
        status: 404,
        description: 'Access is ruled, and no record that may be seen begins there.',
      },
      'refused-record': {
        status: 451,
        description: 'A rule of access refuses the record that begins there; its public message says why.',
      },
      'unreadable-file': { status: 404, description: 'The file is known, and cannot be read here.' },
      'several-files': { status: 409, description: 'Several repositories have a file of that name.' },
    },
    answer: async (context: WorkflowContext<IndexingConfig>, { method, path, headers, parameters }) => {
      const { viewStore } = context
      if (!viewStore.live(indexing.name))
        throw new UnavailableError('the views of indexing have not been folded yet')
      const { name, repository } = parameters
      const file = {
        name: String(name),
        sent: path.slice(path.lastIndexOf('/') + 1),
        ...(repository !== undefined && { repository: String(repository) }),
      }
      const source = await captureSource(indexingContext(context))
      // C19: as if there were no such file.
      if ([file.name, file.sent].some((one) => source.heldBack?.(fileToken(one))))
        return E.left(notKnown(file.name))
      const located = locateFile(viewStore, file)
      if (E.isLeft(located)) return located
      const accessTo = source.refusedBy && ((capture: Capture) => accessToRecord(source, capture))
      const { serveFile } = await import('../../../workers/indexing/serving/serve-file.ts')
      const { places, name: called } = located.right
      const request = { method, headers, name: called, accessTo }
      const { openContent, config } = indexingContext(context)
      const served = await serveFile(places, request, openContent, config.stallSeconds * SECOND)
      return E.isLeft(served)
        ? E.left({ ...served.left, path: 'name' })
        : E.right({ ...served.right, contentType })
    },
  })

/** Addresses that replay reads records from: pywb's `archive_paths`. */
export const archiveFileAddresses = [
  archiveFile({
    path: '/warc/{name}',
    operationId: 'archiveFile',
    summary: 'An archive file, or a range of its bytes.',
    parameters: [name],
  }),
  archiveFile({
    path: '/warc/{repository}/{name}',
    operationId: 'archiveFileOfRepository',
    summary: 'An archive file of one repository, or a range of its bytes.',
    parameters: [repository, name],
  }),
]
