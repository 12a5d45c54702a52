import type { Views } from '../../../domain/kernel/view.ts'
import type { Component, Fact } from '../../../domain/matching/graph/component.ts'
import { componentsOf } from '../../../domain/matching/graph/components.ts'
import type { Document } from '../../../domain/matching/merged/document.ts'
import { documentsOf } from '../../../domain/matching/merged/documents.ts'
import { defaultRules, type Rules } from '../../../domain/matching/merged/rules.ts'
import { byId } from '../../../domain/matching/work.ts'
import type { WorkRow } from '../tables.ts'
import type { Outcome, WhatIfAnswer } from './answers.ts'
import { type Bounded, generationOf, generationRow, linksTo, workRow } from './reading.ts'
import { titleOf, titlesOf } from './titles.ts'
import { TooLarge } from './too-large.ts'

/**
 * The components of both ends of a link, before and after a work stated one link more, or one less; undefined if no
 * source has described `from`, which would state it. Uses the latest facts, which the matcher may not have handled yet.
 */
export const whatIf = (
  store: Views,
  change: WhatIfAnswer['change'],
  { maxWorks = Number.POSITIVE_INFINITY, ...of }: Bounded = {},
): WhatIfAnswer | undefined => {
  const works = gather(store, [change.from, change.to], maxWorks)
  const from = works.get(change.from)
  if (!from) return undefined
  const rules = generationRow(store, generationOf(store, of))?.rules ?? defaultRules

  const facts = [...works.values()].map(factOf)
  const changed = facts.map((fact) => (fact.id === from.work ? withChange(fact, change) : fact))
  // Deleted works that links lead to are components of their own, which the change does not concern.
  const concerned = ({ members }: Component) =>
    members.some(([id]) => works.get(id)?.state !== 'deleted' || id === change.from || id === change.to)
  const outcomeOf = (all: readonly Fact[]) => outcome(componentsOf(all).filter(concerned), works, rules)
  const before = outcomeOf(facts)
  const after = outcomeOf(changed)
  return {
    change,
    stated: from.links.some(({ to }) => to === change.to),
    before: before.outcomes,
    after: after.outcomes,
    changed: [...before.shown]
      .map(([work, shown]) => ({ work, before: shown, after: after.shown.get(work) ?? shown }))
      .filter((one) => one.before !== one.after)
      .sort((one, other) => byId(one.work, other.work)),
    titles: titlesOf((id) => titleOf(works.get(id)), works.keys()),
  }
}

/** All works that active links connect with one of these ids, and the deleted ones that links of theirs lead to. */
const gather = (store: Views, ids: readonly [string, string], max: number): ReadonlyMap<string, WorkRow> => {
  const works = new Map<string, WorkRow>()
  const reached = new Set(ids)
  for (const id of reached) {
    if (reached.size > max) throw new TooLarge(ids[0], max)
    const work = workRow(store, id)
    if (work) works.set(id, work)
    if (work?.state === 'deleted') continue
    for (const { to } of work?.links ?? []) reached.add(to)
    for (const { from } of linksTo(store, id, Number.MAX_SAFE_INTEGER)) reached.add(from)
  }
  return works
}

const factOf = ({ work, revision, state, links }: WorkRow): Fact => ({
  id: work,
  revision: revision ?? 0,
  deleted: state === 'deleted',
  links: links.map(({ to }) => to),
})

const withChange = (fact: Fact, { kind, to }: WhatIfAnswer['change']): Fact => {
  const others = fact.links.filter((link) => link !== to)
  return { ...fact, links: kind === 'add' ? [...others, to] : others }
}

const outcome = (
  components: readonly Component[],
  works: ReadonlyMap<string, WorkRow>,
  rules: Rules,
): { readonly outcomes: readonly Outcome[]; readonly shown: ReadonlyMap<string, string> } => {
  const shown = new Map<string, string>()
  const outcomes = components.map(({ members, placeholders }): Outcome => {
    const ids = members.map(([id]) => id)
    const documents = documentsOf(
      { component: ids[0] ?? '', members: ids.map((id) => mergeWork(works, id)) },
      rules,
    )
    for (const [work, document] of documents) shown.set(work, inWords(document))
    const merged = ids.filter((id) => documents.get(id)?.kind === 'merged')
    return { members: ids, placeholders, target: merged.length === 1 ? (merged[0] ?? null) : null }
  })
  return { outcomes, shown }
}

const mergeWork = (works: ReadonlyMap<string, WorkRow>, id: string) => {
  const { source, state, title, fields } = works.get(id)!
  return {
    id,
    source: source ?? '',
    state,
    title: title ?? undefined,
    fields: fields ?? undefined,
  }
}

const inWords = (document: Document): string =>
  document.kind === 'redirect' ? `redirect to ${document.to}` : document.kind
