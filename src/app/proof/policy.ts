import type { Policy, Verifier } from '@fonds/tlog'
import { verifierKey } from '@fonds/tlog/compute'

/** A trust policy that believes these keys of one log, and the witnesses of `others`; without those it wants none. */
export const policyOf = (verifiers: readonly Verifier[], others?: Policy): string => {
  const lines = verifiers.map((verifier) => `log ${verifierKey(verifier)}`)
  for (const [name, { key }] of others?.witnesses ?? []) lines.push(`witness ${name} ${key}`)
  for (const [name, { least, members }] of others?.groups ?? [])
    lines.push(`group ${name} ${least} ${members.join(' ')}`)
  return `${[...lines, `quorum ${others?.quorum ?? 'none'}`].join('\n')}\n`
}
