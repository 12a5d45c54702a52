import type { DomainEvent, RecordedEvent } from '#src/domain/kernel/event.ts'
import { streamName } from '#src/domain/kernel/event.ts'
import type { RejectedMessage } from '#src/domain/kernel/rejected-message.ts'
import { addMillis } from '#src/domain/kernel/time.ts'
import { generationsStream } from '#src/domain/matching/generations/events.ts'
import type { Component, Fact } from '#src/domain/matching/graph/component.ts'
import { componentsOf } from '#src/domain/matching/graph/components.ts'
import { type Cause, graphStream } from '#src/domain/matching/graph/events.ts'
import { createGraph, type Graph } from '#src/domain/matching/graph/graph.ts'
import type { DecidingLink } from '#src/domain/matching/graph/link-changes.ts'
import { splitIntoChanges, splitLimits } from '#src/domain/matching/graph/split.ts'
import type { Document } from '#src/domain/matching/merged/document.ts'
import { documentsOf } from '#src/domain/matching/merged/documents.ts'
import { mergedStream } from '#src/domain/matching/merged/events.ts'
import { defaultRules, type Rules } from '#src/domain/matching/merged/rules.ts'
import { graphContent, type RecordContent } from '#src/domain/matching/verdicts/content.ts'
import { verdictStream } from '#src/domain/matching/verdicts/events.ts'
import { byId, type WorkState, workStream } from '#src/domain/matching/work.ts'

export const start = '2026-01-01T00:00:00.000Z'

/** Each event of a catalogue is recorded one second behind the one before; `t(0)` is the first. */
export const t = (seconds: number): string => addMillis(start, seconds * 1000)

export interface Said {
  readonly links?: readonly string[]
  readonly state?: WorkState
  readonly source?: string
  readonly title?: string | undefined
  readonly version?: number
  readonly fields?: Readonly<Record<string, unknown>>
  readonly reasons?: readonly string[]
}

interface Known extends Required<Pick<Said, 'links' | 'state' | 'source' | 'reasons'>> {
  readonly revision: number
  readonly title: string | undefined
}

/** A record as a verdict is about it. */
export const lookedAt = (work: string, { source, state, title, links, reasons }: Known): RecordContent => ({
  work,
  source,
  state,
  title: title ?? null,
  links: links.map((to) => ({ to, reasons: [...reasons] })),
})

export interface FlushOptions {
  readonly generation?: number
  /** Entries in an event, at most. */
  readonly piece?: number
}

interface CatalogueOptions {
  /** As older matchers wrote it: a change does not say where it ends, nor by which links works moved. */
  readonly isOlder?: boolean
}

/** What was published to a generation, and the facts since. */
interface Published {
  components: Component[]
  causes: Cause[]
  /** For the links that decide. */
  readonly graph: Graph
}

/**
 * A log of matching, event by event, as intake, matcher and merger would write it: the plain way, which publishes the old
 * and the new component of every work that something was said of.
 */
export const catalogue = ({ isOlder = false }: CatalogueOptions = {}) => {
  const events: RecordedEvent[] = []
  const revisions = new Map<string, number>()
  const works = new Map<string, Known>()
  const published = new Map<number, Published>()
  let version = 1_000
  /** Of the last change of each generation that a work was in. */
  const graphVersions = new Map<string, number>()

  const record = (stream: string, event: DomainEvent): number => {
    const revision = (revisions.get(stream) ?? -1) + 1
    revisions.set(stream, revision)
    const position = events.length
    events.push({
      ...event,
      id: String(position),
      stream,
      revision: BigInt(revision),
      position: BigInt(position),
      recordedAt: t(position),
      metadata: { actor: 'ada', causationId: 'c', correlationId: 'c', schema: 1 },
    })
    return revision
  }
  const now = () => t(events.length)

  const generation = (number: number) => {
    const known = published.get(number) ?? { components: [], causes: [], graph: graphOf(works) }
    published.set(number, known)
    return known
  }
  generation(1)

  const cause = (work: string, revision: number, type: string) => {
    for (const { causes, graph } of published.values()) {
      causes.push({ work, revision, type })
      const known = works.get(work)
      if (known) graph.apply(factOf(work, known))
    }
  }

  const components = (): Component[] =>
    componentsOf(
      [...works].map(([id, { revision, state, links }]) => ({
        id,
        revision,
        deleted: state === 'deleted',
        links,
      })),
    )

  /** All of one version. */
  const writeChange = (
    number: number,
    changed: readonly Component[],
    causes: readonly Cause[],
    dropped: readonly string[],
    links: readonly DecidingLink[],
    entries: number,
  ) => {
    version++
    for (const { members } of changed)
      for (const [id] of members) graphVersions.set(`${number} ${id}`, version)
    const last = new Map(causes.map((one) => [one.work, one]))
    const limits = { ...splitLimits, entries }
    const cuts = [...splitIntoChanges([{ components: changed, links }], last, dropped, limits)].flat(2)
    for (const [part, cut] of cuts.entries()) {
      const place = part === cuts.length - 1 ? { part, parts: cuts.length } : { part }
      record(graphStream(number), {
        type: 'GraphChanged',
        data: {
          version,
          timeSent: now(),
          through: String(events.length - 1),
          ...(!isOlder && place),
          ...cut,
        },
      })
    }
  }

  const idsOf = ({ members, placeholders }: Component) => [...members.map(([id]) => id), ...placeholders]

  /** At the version of the work's graph, unless said. */
  const document = (
    work: string,
    made: Document,
    { generation = 1, version: at }: { generation?: number; version?: number } = {},
  ) =>
    record(mergedStream(work), {
      type: 'WorkMerged',
      data: {
        generation,
        version: at ?? graphVersions.get(`${generation} ${work}`) ?? version,
        document: made,
        at: now(),
      },
    })

  return {
    events,
    works: works as ReadonlyMap<string, Known>,
    components,
    document,
    record,
    version: () => version,

    /** The documents of a work's component are held at its version, but for these. */
    mark: (work: string, size: number, written?: readonly string[], generation = 1) =>
      record(mergedStream(work), {
        type: 'GraphMerged',
        data: {
          generation,
          version: graphVersions.get(`${generation} ${work}`) ?? version,
          revision: 0,
          size,
          ...(written && { written }),
          at: now(),
        },
      }),

    /** The word of a source on a work; `corrected` for the same version with other content. */
    say: (id: string, said: Said = {}, type: 'WorkObserved' | 'WorkCorrected' = 'WorkObserved') => {
      const { links = [], state = 'visible', source = 'library', title, fields, reasons = ['same as'] } = said
      const sorted = [...new Set(links)].filter((to) => to !== id).sort(byId)
      const revision = record(workStream(id), {
        type,
        data: {
          source,
          sourceVersion: said.version ?? (works.get(id)?.revision ?? 0) + 1,
          sourceModifiedAt: start,
          state,
          links: sorted.map((to) => ({ to, reasons: [...reasons] })),
          at: now(),
          ...(title !== undefined && { title }),
          ...(fields && { fields }),
        },
      })
      works.set(id, { links: sorted, state, source, revision, title, reasons })
      cause(id, revision, type)
    },

    resend: (id: string) => {
      const revision = record(workStream(id), {
        type: 'ResendRequested',
        data: { reason: 'stuck', at: now() },
      })
      const known = works.get(id)
      if (known) works.set(id, { ...known, revision })
      cause(id, revision, 'ResendRequested')
    },

    handOver: (id: string, to: string) => {
      const revision = record(workStream(id), {
        type: 'WorkHandedOver',
        data: { from: works.get(id)?.source ?? '?', to, reason: 'moved', at: now() },
      })
      const known = works.get(id)
      if (known) works.set(id, { ...known, revision })
      cause(id, revision, 'WorkHandedOver')
    },

    /** The matcher publishes what the facts since the last flush touched, as one version. */
    flush: ({ generation: number = 1, piece = 1000 }: FlushOptions = {}) => {
      const state = generation(number)
      const { causes } = state
      if (causes.length === 0) return
      const concerned = new Set(causes.map(({ work }) => work))
      const touched = (one: Component) => idsOf(one).some((id) => concerned.has(id))
      const before = state.components
      for (const one of before.filter(touched)) for (const id of idsOf(one)) concerned.add(id)
      const after = components()
      const present = new Set(after.flatMap(idsOf))
      const dropped = before
        .flatMap(({ placeholders }) => placeholders)
        .filter((id) => !present.has(id))
        .sort(byId)
      state.components = after
      state.causes = []
      writeChange(number, after.filter(touched), causes, dropped, isOlder ? [] : linksOf(state.graph), piece)
    },

    /** A generation is started, and gets everything. */
    list: (number: number, { piece = 1000 }: Pick<FlushOptions, 'piece'> = {}) => {
      const state = generation(number)
      state.causes = []
      state.components = components()
      state.graph.take()
      writeChange(number, state.components, [], [], [], piece)
      record(graphStream(number), {
        type: 'GraphListed',
        data: { version, through: String(events.length - 1), components: state.components.length, at: now() },
      })
    },

    startGeneration: (number: number, rules: Rules = defaultRules) =>
      record(generationsStream, {
        type: 'GenerationStarted',
        data: { generation: number, rules, reason: 'new rules', at: now() },
      }),
    switchGeneration: (from: number, to: number) =>
      record(generationsStream, {
        type: 'GenerationSwitched',
        data: { generation: to, from, reason: 'better', at: now() },
      }),
    dropGeneration: (number: number) =>
      record(generationsStream, {
        type: 'GenerationDropped',
        data: { generation: number, reason: 'worse', at: now() },
      }),

    /** The merger makes the documents of the components of these works (all, unless said). */
    merge: (ids: readonly string[] = [...works.keys()], number = 1, rules = defaultRules) => {
      for (const { members } of components()) {
        if (!members.some(([id]) => ids.includes(id))) continue
        const merging = members.map(([id]) => ({ id, ...works.get(id)! }))
        const documents = documentsOf({ component: members[0]![0], members: merging }, rules)
        for (const [work, made] of documents) document(work, made, { generation: number })
      }
    },

    /** A person confirms the graph of a work as it is published. */
    confirm: (id: string, { reason = 'right', generation: number = 1 } = {}) => {
      const graph = published.get(number)?.components.find((one) => idsOf(one).includes(id))
      if (!graph) throw new Error(`${id} is in no graph`)
      const ids = graph.members.map(([member]) => member)
      const looked = ids.map((member) => lookedAt(member, works.get(member)!))
      return record(verdictStream(ids[0]!), {
        type: 'GraphConfirmed',
        data: {
          content: graphContent(looked),
          size: ids.length,
          versions: [[number, graphVersions.get(`${number} ${ids[0]}`) ?? version]],
          reason,
          at: now(),
        },
      })
    },
    unconfirm: (id: string) =>
      record(verdictStream(id), { type: 'GraphUnconfirmed', data: { reason: 'wrong', at: now() } }),
    confirmRecord: (id: string, corrections: number) =>
      record(verdictStream(id), {
        type: 'RecordConfirmed',
        data: { corrections, reason: 'right', at: now() },
      }),
    unconfirmRecord: (id: string) =>
      record(verdictStream(id), { type: 'RecordUnconfirmed', data: { reason: 'wrong', at: now() } }),

    refuse: (refusal: Partial<RejectedMessage>) =>
      record(streamName('refusal', String(events.length)), {
        type: 'MessageRejected',
        data: {
          processor: 'matching-works',
          topic: 'fonds.matching.works',
          message: 'm1',
          source: 'sierra',
          type: 'work.updated',
          stream: 'work-A',
          code: 'older-version',
          because: 'it is older',
          at: now(),
          ...refusal,
        },
      }),
  }
}

const factOf = (id: string, { revision, state, links }: Known): Fact => ({
  id,
  revision,
  deleted: state === 'deleted',
  links,
})

const graphOf = (works: ReadonlyMap<string, Known>): Graph => {
  const graph = createGraph()
  for (const [id, known] of works) graph.apply(factOf(id, known))
  graph.take()
  return graph
}

const linksOf = (graph: Graph): readonly DecidingLink[] =>
  [...graph.take().families].flatMap(({ links }) => links)

export type Catalogue = ReturnType<typeof catalogue>
