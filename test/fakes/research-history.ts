import { type ResearchLog, researchLog } from '../projections/research/log.ts'

/**
 * Two episodes, three clips, and leases of an hour. On E1, L1 is taken after a second, has a result two seconds after it was
 * granted and its last one ten seconds after that; L2 is never taken. Everything was long ago.
 */
export const pastOfLeases = (): ResearchLog => {
  const log = researchLog()
  log.episode('E1')
  log.episode('E2')
  for (const clip of ['g', 'h', 'k']) log.clip(clip)
  log.lease('E1', 'L1', ['g', 'h'])
  log.take('E1', 'L1', 'ada')
  log.result('E1', 'g', { lease: 'L1', researcher: 'ada' })
  for (let i = 0; i < 9; i++) log.result('E2', 'nix', { researcher: 'bob' })
  log.result('E1', 'h', { lease: 'L1', researcher: 'ada', final: true, effect: { kind: 'revoked' } })
  log.lease('E1', 'L2', ['k'])
  return log
}
