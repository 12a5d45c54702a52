import * as t from 'io-ts'
import { annotate } from '../../kernel/annotation.ts'
import { Policy } from './policy.ts'

const [required, optional] = Policy.types
export const settings = {
  ...required.props,
  agingSeconds: t.union([optional.props.agingSeconds, t.null]),
  longestLeaseSeconds: t.union([optional.props.longestLeaseSeconds, t.null]),
}

export const PolicyChanges = annotate(
  t.refinement(
    t.partial(settings),
    (given) => Object.values(given).some((value) => value !== undefined),
    `one or more of ${Object.keys(settings).join(', ')}`,
  ),
  { minProperties: 1 },
)
