import { resolve } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { diskReason } from '../../../async/disk-reasons.ts'
import { NoRoom } from '../../../async/machine-failure.ts'
import { orThrow, UnavailableError } from '../../../async/unavailable.ts'
import { is, row } from '../../../domain/kernel/read-views.ts'
import { withoutReferencesIn } from '../../../domain/kernel/typed-references.ts'
import { clipsTopic } from '../../../domain/research/curation-messages.ts'
import { ClipId, shortText } from '../../../domain/research/terms.ts'
import { clips } from '../../../domain/research/views.ts'
import { research } from '../../../projections/research/projection.ts'
import { uploadsFolder } from '../../../workers/research/media/allowed-folders.ts'
import { audioTypes } from '../../../workers/research/media/audio-types.ts'
import type { NotKept, Upload } from '../../../workers/research/media/keep-upload.ts'
import { reportOnTopic } from '../../../workers/runtime/report-on-topic.ts'
import { createRooms } from '../../../workers/runtime/room.ts'
import { httpAddress } from '../../http-address.ts'
import type { WorkflowContext } from '../../workflow-context.ts'
import type { ResearchConfig } from '../settings.ts'

/** A clip is searched for up to 17 minutes of it, which is this size in a lossless format. */
const maxBytes = 256 * 1024 * 1024

/** Uploads a clip from a person's file: it is stored in the home, and curated by its sender. */
export const uploadAddress = httpAddress({
  method: 'put',
  path: '/api/v1/research/clips/{clip}/media',
  operationId: 'uploadClip',
  summary: 'A clip to look for, as the bytes of its sound.',
  description:
    `mp3, mp2, wav, flac or ogg, of at most ${maxBytes} bytes. It is kept in \`clips/\` of the home, and \`clip.curated\` goes on ` +
    '`fonds.research.clips`. Researchers on other machines do not see that folder, unless they share it. The same again changes nothing; ' +
    'an id that has other media is refused.',
  parameters: [
    { name: 'clip', in: 'path', description: 'Its id.', codec: ClipId, example: 'gurgle-17' },
    { name: 'title', in: 'query', description: 'For people; its id unless said.', codec: shortText(500) },
    {
      name: 'curator',
      in: 'query',
      description: 'Who brings it; whoever signed in, if anybody did.',
      codec: shortText(200),
      required: true,
      example: 'ada',
    },
  ],
  body: {
    description: 'The sound.',
    contentTypes: ['application/octet-stream', ...Object.values(audioTypes)],
  },
  writes: true,
  responses: {
    202: { description: 'It is kept, and will be looked for.', contentTypes: ['application/json'] },
  },
  refusals: {
    'no-sound': { status: 400, description: 'The bytes are no sound that can be searched for.' },
    'known-clip': { status: 409, description: 'The id is that of a clip with other media.' },
    'too-large': { status: 413, description: 'It is too large; nothing is kept.' },
    'disk-refuses': {
      status: 507,
      description: 'The disk does not take it: it is full, or as full as it may be.',
    },
  },
  answer: async (context: WorkflowContext<ResearchConfig>, { parameters, headers, body, actor }) => {
    const { config, viewStore, clock } = context
    if (!viewStore.live(research.name))
      throw new UnavailableError('the views of research have not been folded yet')
    const clip = String(parameters.clip)
    const curator = actor ?? String(parameters.curator)
    const title = String(parameters.title ?? clip)
    if (Number(headers['content-length']) > maxBytes)
      return E.left({
        code: 'too-large' as const,
        message: `a clip has at most ${maxBytes} bytes; cut it shorter`,
      })
    const known = row(viewStore, clips, is('clip', clip))
    const { keepUpload } = await import('../../../workers/research/media/keep-upload.ts')
    const folder = resolve(uploadsFolder(config))
    const rules = {
      maxBytes,
      takeRoom: createRooms(config.ingestThresholdPercent).writer(folder),
      mayKeep: (mediaUri: string) =>
        known && known.mediaUri !== mediaUri
          ? {
              code: 'known-clip' as const,
              message: `there is a clip ${clip} already, with other sound; give this one another id`,
            }
          : undefined,
    }
    const kept: E.Either<Refused, Upload> = await keepUpload(folder, body, rules).catch(refusedByDisk)
    if (E.isLeft(kept)) return kept
    const { mediaUri, mediaType, bytes, sha256 } = kept.right
    if (!known)
      await reportOnTopic(context, clipsTopic, actor ?? (await uploadedBy(context, curator)), [
        {
          type: 'clip.curated',
          data: {
            ...withoutReferencesIn({ id: clip, title }),
            mediaUri,
            mediaType,
            curator,
            curatedAt: clock.now(),
          },
          sealed: actor !== undefined,
        },
      ])
    return E.right({
      status: 202,
      contentType: 'application/json',
      body: JSON.stringify({ clip, mediaUri, mediaType, bytes, sha256 }),
    })
  },
})

/** Source of an upload. A reference stays one: escapes would hide it. */
const uploadedBy = async (
  { config, personal }: WorkflowContext<ResearchConfig>,
  curator: string,
): Promise<string> => {
  if (config.personalValues === 'off') return `fonds://upload/${encodeURIComponent(curator)}`
  const [reference] = await orThrow(personal.sealTyped([curator]), 'personal values')
  return `fonds://upload/${reference}`
}

interface Refused {
  readonly code: NotKept['code'] | 'disk-refuses'
  readonly message: string
}

const refusedByDisk = (error: unknown): E.Either<Refused, never> => {
  const reason = error instanceof NoRoom ? error.message : diskReason(error)
  if (reason === undefined) throw error
  return E.left({ code: 'disk-refuses', message: `${reason}; then send it again` })
}
