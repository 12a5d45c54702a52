import type { System } from '../../../src/app/system.ts'
import { ensureTopics } from '../../../src/app/topics.ts'
import { askCommand } from '../../../src/cli/ask-command.ts'
import type { Curated } from '../../../src/domain/research/curation-messages.ts'
import { clipsTopic, episodesTopic } from '../../../src/domain/research/curation-messages.ts'
import type { Policy } from '../../../src/domain/research/policy/policy.ts'
import type { ClipResearchedMessage } from '../../../src/domain/research/result-messages.ts'
import { reportOnTopic } from '../../../src/workers/runtime/report-on-topic.ts'

/* A small archive of sounds, as curators tell of it, and what researchers would say. */

export const ids = (letter: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, n) => `${letter}${String(n).padStart(3, '0')}`)

/**
 * Leases of a few seconds: who is killed or hangs is missed at once. A busy machine may miss several in a row: that parks no
 * episode, which would wait for a person.
 */
export const shortLeases = {
  leaseSeconds: 3,
  itemSeconds: 2,
  gapSeconds: 1,
  presenceSeconds: 3,
  attempts: 100,
}

export const setPolicy = async (system: System, policy: Partial<Policy>): Promise<void> => {
  await askCommand(system, 'research.set-policy', policy, { actor: 'test', reason: 'a test has no time' })
}

export const sighting = (id: string, more: Partial<Curated> = {}): Curated => ({
  id,
  title: `The ${id}`,
  mediaUri: `https://media.example/${id}.wav`,
  mediaType: 'audio/wav',
  curator: 'feed',
  curatedAt: '2026-01-05T12:00:00.000Z',
  ...more,
})

export const curate = async (
  system: System,
  what: { readonly episodes?: readonly Curated[]; readonly clips?: readonly Curated[] },
): Promise<void> => {
  await ensureTopics(system)
  const { episodes = [], clips = [] } = what
  for (const [topic, type, all] of [
    [episodesTopic, 'episode.curated', episodes],
    [clipsTopic, 'clip.curated', clips],
  ] as const)
    if (all.length > 0)
      await reportOnTopic(
        system,
        topic,
        'urn:test:curator',
        all.map((data) => ({ type, data })),
      )
}

const second = 1_000_000_000

export const clipResult = (
  pair: Pick<ClipResearchedMessage, 'episode' | 'clip' | 'researcher'> & Partial<ClipResearchedMessage>,
): ClipResearchedMessage => ({
  matches: [],
  episodeDuration: 60 * second,
  clipDuration: 2 * second,
  engine: { name: 'imagination', version: '1', settings: '' },
  researchedAt: '2026-01-05T12:00:00.000Z',
  ...pair,
})
