import type { System } from '../../../src/app/system.ts'
import { type WorkUpdated, worksTopic } from '../../../src/domain/matching/messages.ts'
import { reportOnTopic } from '../../../src/workers/runtime/report-on-topic.ts'

type Random = () => number

const pick = <A>(chance: Random, list: readonly A[]): A => list[Math.floor(chance() * list.length)] as A

/**
 * Updates of a small catalogue as they come in: links made and taken back, deletions and returns, ids that nobody ever
 * describes, repeats, updates that come too late, and the same version with other content.
 */
export const updates = (chance: Random, works: number, count: number): readonly WorkUpdated[] => {
  const versions = new Map<string, number>()
  const sent: WorkUpdated[] = []
  for (let n = 0; n < count; n++) {
    const kind = chance()
    const known = sent.length > 0 ? pick(chance, sent) : undefined
    if (known && kind < 0.1) sent.push(known)
    else if (known && kind < 0.15) sent.push({ ...known, title: `corrected ${n}` })
    else sent.push(fresh(chance, works, n, versions))
  }
  return sent
}

const fresh = (chance: Random, works: number, n: number, versions: Map<string, number>): WorkUpdated => {
  const number = Math.floor(chance() * works)
  const id = `w${number}`
  const version = (versions.get(id) ?? 0) + 1 + Math.floor(chance() * 2)
  versions.set(id, version)
  return {
    id,
    source: ['library', 'pictures', 'scans'][number % 3] as string,
    sourceVersion: version,
    // Clocks of sources say anything.
    sourceModifiedAt: new Date(Date.UTC(2021, 0, 1) + Math.floor(chance() * 1e13)).toISOString(),
    state: chance() < 0.75 ? 'visible' : chance() < 0.5 ? 'invisible' : 'deleted',
    title: `title ${n}`,
    links: Array.from({ length: Math.floor(chance() * 3) }, () => ({
      to: chance() < 0.1 ? `unknown ${Math.floor(chance() * 3)}` : `w${Math.floor(chance() * works)}`,
      reason: pick(chance, ['same as', 'part of']),
    })),
    fields: { n: [n] },
  }
}

/** What holds in the end, by the rules of the intake: older versions are refused, of one version the last word counts. */
export const latest = (sent: readonly WorkUpdated[]): ReadonlyMap<string, WorkUpdated> => {
  const facts = new Map<string, WorkUpdated>()
  for (const update of sent)
    if (update.sourceVersion >= (facts.get(update.id)?.sourceVersion ?? 0)) facts.set(update.id, update)
  return facts
}

/** Puts them on their topic, some at once. */
export const produce = async (system: System, some: readonly WorkUpdated[]): Promise<void> => {
  for (let from = 0; from < some.length; from += 50) {
    const reports = some.slice(from, from + 50).map((data) => ({ type: 'work.updated', data }))
    await reportOnTopic(system, worksTopic, 'test', reports)
  }
}
