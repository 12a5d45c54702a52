import { type ResearchLog, researchLog } from '../projections/research/log.ts'

/** Later than anything that a test does. */
export const later = '2999-01-01T00:00:00.000Z'

/**
 * Two episodes and three clips. In E1 `g` was found twice and `h` was not; ada has `k` of it under lease until `later`. E2
 * goes before it and is parked; somebody reported of a clip `nix`, which nobody has curated.
 */
export const programme = (): ResearchLog => {
  const log = researchLog()
  log.episode('E1', { title: 'The first' })
  log.episode('E2', { priority: 3 })
  log.clip('g', { title: 'A gurgle' })
  log.clip('h')
  log.clip('k')
  log.researcher('ada', 'ResearcherRegistered', { presentUntil: later })
  log.lease('E1', 'L1', ['g', 'h', 'k'], { deadline: later, notAfter: later })
  log.take('E1', 'L1', 'ada')
  const effect = { kind: 'extended', deadline: later } as const
  log.result('E1', 'g', { found: [60, 1754.2], lease: 'L1', researcher: 'ada', effect })
  log.result('E1', 'h', { lease: 'L1', researcher: 'ada', effect, bestScore: 0.31 })
  log.assessed({ researchers: 1, queued: 2, added: 1, stopped: 'surplus' })
  log.result('E2', 'nix', { researcher: 'bob' })
  log.fail('E2', 'episode', { attempt: 5 })
  return log
}
