import { type CaptureQuery, earliest, latest } from '@fonds/cdx'
import { keysOfUrl } from '@fonds/cdx/server'
import * as t from 'io-ts'
import { TimeDigits } from '../../../domain/indexing/captures/time-digits.ts'
import { Text } from '../../../domain/kernel/codecs.ts'
import type { Fields, InputOf } from '../../runtime/field.ts'
import type { Asking } from '../../runtime/question.ts'
import type { CaptureSource } from '../captures/capture-source.ts'

/** Inputs that select captures. */
export const captureScope = {
  url: {
    description: 'The URL, as it was harvested or as people type it.',
    codec: Text,
    required: true,
    example: 'http://example.org/',
    argument: 'url',
  },
  match: {
    description:
      'That URL alone, all that begin so, all of its host, or of its host and the hosts beneath; exact unless said.',
    codec: t.keyof({ exact: null, prefix: null, host: null, domain: null }, 'exact, prefix, host or domain'),
    default: 'exact',
    value: 'match',
  },
  from: { description: 'From this time on (UTC).', codec: TimeDigits, value: 'time', example: '2026-01-31' },
  to: {
    description: 'Up to this time, and with it (UTC).',
    codec: TimeDigits,
    value: 'time',
    example: '2026',
  },
} as const satisfies Fields

type Scope = InputOf<typeof captureScope>

export const queryOf = ({ url, match, from, to }: Scope): CaptureQuery => ({
  keys: keysOfUrl(match, url),
  ...(from !== undefined && { from: earliest(from) }),
  ...(to !== undefined && { to: latest(to) }),
})

/** The index, as of the time of the question. A caller that no other one has to wait for may read all of it. */
export const capturesAsked = async ({
  of: { indexing },
  asOf,
  isShared,
}: Pick<Asking, 'of' | 'asOf' | 'isShared'>): Promise<CaptureSource> => {
  const source = await indexing.captures(asOf)
  const all = Number.POSITIVE_INFINITY
  return isShared ? source : { ...source, maxScanned: all, maxMillis: all }
}
