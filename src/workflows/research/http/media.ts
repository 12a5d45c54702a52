import * as E from 'fp-ts/lib/Either.js'
import { UnavailableError } from '../../../async/unavailable.ts'
import { is, row } from '../../../domain/kernel/read-views.ts'
import { SECOND } from '../../../domain/kernel/time.ts'
import type { RowOf } from '../../../domain/kernel/view.ts'
import { ClipId, EpisodeId } from '../../../domain/research/terms.ts'
import { clips, episodes } from '../../../domain/research/views.ts'
import type { ViewStore } from '../../../ports/view-store.ts'
import { research } from '../../../projections/research/projection.ts'
import { type OpenBucket, openedOnce } from '../../../workers/buckets/bucket-file.ts'
import { allowedFolders } from '../../../workers/research/media/allowed-folders.ts'
import { allowedHosts } from '../../../workers/research/media/allowed-hosts.ts'
import { audioTypes } from '../../../workers/research/media/audio-types.ts'
import { httpAddress } from '../../http-address.ts'
import type { WorkflowContext } from '../../workflow-context.ts'
import { researchContext } from '../context.ts'
import type { ResearchConfig } from '../settings.ts'

const contentTypes = Object.values(audioTypes) as [string, ...string[]]

interface Subject {
  readonly noun: 'episode' | 'clip'
  readonly codec: typeof EpisodeId | typeof ClipId
  readonly example: string
  readonly find: (
    views: ViewStore,
    id: string,
  ) => Pick<RowOf<typeof episodes>, 'mediaUri' | 'foreign'> | undefined
}

const mediaOf = ({ noun, codec, example, find }: Subject) =>
  httpAddress({
    method: 'get',
    path: `/api/v1/research/${noun}s/{${noun}}/media`,
    operationId: `${noun}Media`,
    summary: `The sound of ${noun === 'episode' ? 'an episode' : 'a clip'}, or a range of its bytes.`,
    description:
      'Of sound alone, in folders and buckets that researchers may read, or passed on from hosts that they may ask. ' +
      'One range is served at a time; `ETag`, `Last-Modified` and the conditions on them are as in RFC 9110.',
    parameters: [{ name: noun, in: 'path', description: 'Its id.', codec, example }],
    responses: {
      200: { description: 'The sound.', contentTypes },
      206: { description: 'The range.', contentTypes },
      412: { description: 'The file is not the one that a condition wants.', contentTypes },
      416: { description: 'The file has no such range.', contentTypes },
    },
    refusals: {
      [`no-such-${noun}`]: {
        status: 404,
        description: `Nobody curated such ${noun === 'episode' ? 'an episode' : 'a clip'}.`,
      },
      'unreadable-media': { status: 404, description: 'It is known, and cannot be read from here.' },
      'media-server': { status: 502, description: 'The server that has it does not give it now.' },
      'too-many-listeners': {
        status: 503,
        description: 'Sound of other servers is passed on to so many that one more has to wait.',
      },
    },
    answer: async (context: WorkflowContext<ResearchConfig>, { method, headers, parameters, signal }) => {
      const { viewStore, config } = context
      if (!viewStore.live(research.name))
        throw new UnavailableError('the views of research have not been folded yet')
      const id = String(parameters[noun])
      const { mediaUri: uri, foreign } = find(viewStore, id) ?? {}
      if (!uri)
        return E.left({ code: `no-such-${noun}`, message: `nobody curated the ${noun} ${id}`, path: noun })
      const { serveMedia } = await import('../../../workers/research/media/serve-media.ts')
      const source = {
        ...allowedFolders(config),
        ...allowedHosts(config),
        isForeign: foreign === 1,
        openBucket: openBucketIn(context),
        stallMillis: config.stallSeconds * SECOND,
        signal,
      }
      const served = await serveMedia(uri, { method, headers }, source)
      return E.isLeft(served) ? E.left({ ...served.left, path: noun }) : served
    },
  })

/** Each store has connections of its own. */
const opened = new WeakMap<OpenBucket, OpenBucket>()

const openBucketIn = (context: WorkflowContext<ResearchConfig>): OpenBucket => {
  const { openContent } = researchContext(context)
  const open = opened.get(openContent) ?? openedOnce(openContent)
  opened.set(openContent, open)
  return open
}

/** Addresses for a player: the sound of known episodes and clips, from any place on. */
export const mediaAddresses = [
  mediaOf({
    noun: 'episode',
    codec: EpisodeId,
    example: 'tbtl-4611',
    find: (views, id) => row(views, episodes, is('episode', id)),
  }),
  mediaOf({
    noun: 'clip',
    codec: ClipId,
    example: 'gurgle-17',
    find: (views, id) => row(views, clips, is('clip', id)),
  }),
]
