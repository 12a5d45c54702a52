import type { Either } from 'fp-ts/lib/Either.js'
import type { ProblemSpec } from '../app/documents/route-spec.ts'
import type { Projection } from '../projections/runtime/projection.ts'
import { type DetailedProblem, refuse } from './http/refuse.ts'

export const viewNotReady = ({ name }: Projection): ProblemSpec => ({
  status: 503,
  code: 'view-not-ready',
  description: `The views of ${name} were never folded.`,
})

export const notReady = ({ name }: Projection): Either<DetailedProblem, never> =>
  refuse(
    503,
    'view-not-ready',
    `the views of ${name} have not been folded yet; is a process with the role projections running?`,
  )
