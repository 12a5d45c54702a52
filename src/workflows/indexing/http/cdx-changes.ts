import * as E from 'fp-ts/lib/Either.js'
import { Text } from '../../../domain/kernel/codecs.ts'
import { wholeNumber } from '../../../domain/kernel/text-codecs.ts'
import { nextChanges } from '../../../projections/indexing/changes/next-changes.ts'
import { httpAddress } from '../../http-address.ts'
import type { WorkflowContext } from '../../workflow-context.ts'
import { captureSource } from '../capture-source.ts'
import { indexingContext } from '../context.ts'
import type { IndexingConfig } from '../settings.ts'

const maxSize = 100_000

/** A secondary polls it. */
export const cdxChangesAddress = httpAddress({
  method: 'get',
  path: '/cdx/changes',
  operationId: 'cdxChanges',
  summary:
    'What has changed in the index since an answer before, for a secondary that is to show the same captures.',
  description:
    'Without `since` all lines are told. A line of the answer is one of `{"anew":{"from":…,"to":…}}` (forget all lines from one up to the ' +
    'other and without it, by their bytes; those that are there follow), `{"add":…}` and `{"remove":…}`; the last is ' +
    '`{"next":…,"more":…}`: ask with `since=<next>`, at once where there is more. Done again, an answer changes nothing. What rules of access hide is not told of.',
  parameters: [
    {
      name: 'since',
      in: 'query',
      description: 'What the answer before gave as `next`; absent: all is told.',
      codec: Text,
    },
    {
      name: 'size',
      in: 'query',
      description: `How many lines an answer tells, at most ${maxSize}; 10,000 unless said.`,
      codec: wholeNumber(maxSize, 1),
      example: 10_000,
    },
  ],
  responses: { 200: { description: 'A change a line.', contentTypes: ['application/x-ndjson'] } },
  refusals: {
    'begin-anew': {
      status: 409,
      description: '`since` means nothing here: ask without it, and forget all lines.',
    },
  },
  answer: async (context: WorkflowContext<IndexingConfig>, { parameters, signal }) => {
    const { since, size = 10_000 } = parameters as { readonly since?: string; readonly size?: number }
    const now = context.clock.now()
    const asked = { since, size, now, signal }
    const changes = await nextChanges(
      context.eventStore,
      () => captureSource(indexingContext(context)),
      asked,
    )
    if (E.isLeft(changes))
      return E.left({
        code: 'begin-anew',
        message: `since: ${changes.left}; ask without it, and forget all lines`,
        path: 'since',
      })
    const { items, next, more } = changes.right
    const body = [...items, { next, more }].map((item) => `${JSON.stringify(item)}\n`).join('')
    return E.right({ status: 200, contentType: 'application/x-ndjson', body })
  },
})
