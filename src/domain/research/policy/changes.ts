import * as t from 'io-ts'
import { annotate } from '../../kernel/annotation.ts'
import { Policy } from './policy.ts'

const [required, optional] = Policy.types
export const settings = {
  ...required.props,
  agingSeconds: t.union([optional.props.agingSeconds, t.null]),
  longestLeaseSeconds: t.union([optional.props.longestLeaseSeconds, t.null]),
}

/** A misspelt name would change nothing: it is refused. */
export const PolicyChanges = annotate(
  t.refinement(
    t.partial(settings),
    (given) =>
      Object.keys(given).every((name) => Object.hasOwn(settings, name)) &&
      Object.values(given).some((value) => value !== undefined),
    `one or more of ${Object.keys(settings).join(', ')}, and nothing else`,
  ),
  { additionalProperties: false, minProperties: 1 },
)
