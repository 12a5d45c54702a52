import { WorkId } from '../../../domain/matching/work.ts'
import { type Field, whole } from '../../runtime/field.ts'

/* Inputs that several questions about matching have. */

export const work = {
  description: 'Its id.',
  codec: WorkId,
  required: true,
  example: 'h3xbcs2m',
  argument: 'work',
} as const satisfies Field

export const named = <const Argument extends string>(argument: Argument, description: string) =>
  ({ description, codec: WorkId, required: true, argument }) as const satisfies Field

export const generation = {
  description: 'Which index; the live one unless said.',
  ...whole(1, 1e9),
} as const satisfies Field

export const limitOfEach = {
  description: 'Most lines of each kind; 100 unless said.',
  ...whole(1, 10_000),
} as const satisfies Field
