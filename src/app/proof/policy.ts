import type { Policy, Verifier } from '@fonds/tlog'
import { verifierKey } from '@fonds/tlog/compute'
import type { RetiredKey } from '../../ports/proof-log.ts'

/** A trust policy that believes these keys of one log, and the witnesses of `others`; without those it wants none. */
export const policyOf = (
  verifiers: readonly Verifier[],
  others?: Policy,
  retired: readonly Pick<RetiredKey, 'key' | 'until'>[] = [],
): string => {
  const lines = verifiers.map((verifier) => `log ${verifierKey(verifier)}`)
  for (const { key, until } of retired) lines.push(`#retired ${key} ${until}`)
  for (const [name, { key }] of others?.witnesses ?? []) lines.push(`witness ${name} ${key}`)
  for (const [name, { least, members }] of others?.groups ?? [])
    lines.push(`group ${name} ${least} ${members.join(' ')}`)
  return `${[...lines, `quorum ${others?.quorum ?? 'none'}`].join('\n')}\n`
}
