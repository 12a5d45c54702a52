import type { DomainEvent, RecordedEvent } from '../src/domain/kernel/event.ts'
import { graphStream } from '../src/domain/matching/graph/events.ts'
import { mergedStream } from '../src/domain/matching/merged/events.ts'
import { workStream } from '../src/domain/matching/work.ts'
import { idOf } from './catalogue.ts'

const at = '2026-01-01T00:00:00.000Z'

/** The log of a catalogue of small components: pairs, and works that are alone, whose ids come in no order. */
export const growingCatalogue = () => {
  let position = -1n
  let graphRevision = -1n
  let version = 1_000

  const recorded = (stream: string, revision: bigint, event: DomainEvent): RecordedEvent => ({
    ...event,
    id: `${++position}`,
    stream,
    revision,
    position,
    recordedAt: at,
    metadata: { actor: 'bench', causationId: 'bench', correlationId: 'bench', schema: 1 },
  })

  /** What is said of works, the change of their graphs, and their documents. */
  const written = (
    ids: readonly string[],
    revision: number,
    linkOf: (i: number) => string | undefined,
    components: readonly (readonly string[])[],
  ): readonly RecordedEvent[] => {
    version++
    return [
      ...ids.map((id, i) => {
        const to = linkOf(i)
        return recorded(workStream(id), BigInt(revision), {
          type: 'WorkObserved',
          data: {
            source: 'library',
            sourceVersion: revision + 1,
            sourceModifiedAt: at,
            state: 'visible',
            title: `Work ${id}`,
            links: to === undefined ? [] : [{ to, reasons: ['same as'] }],
            fields: { shelf: id, subjects: ['a subject'] },
            at,
          },
        })
      }),
      recorded(graphStream(1), ++graphRevision, {
        type: 'GraphChanged',
        data: {
          version,
          timeSent: at,
          through: '0',
          causes: ids.map((work) => ({ work, revision, type: 'WorkObserved' })),
          groups: components.map((members) => ({
            component: members[0],
            size: members.length,
            piece: 0,
            pieces: 1,
            members: members.map((id) => [id, revision]),
            placeholders: [],
          })),
          dropped: [],
        },
      }),
      ...components.flatMap(([target = '', ...others]) => [
        recorded(mergedStream(target), BigInt(revision), {
          type: 'WorkMerged',
          data: {
            generation: 1,
            version,
            document: {
              kind: 'merged',
              component: target,
              size: others.length + 1,
              from: others,
              fields: { shelf: target, subjects: ['a subject'] },
              title: `Work ${target}`,
            },
            at,
          },
        }),
        ...others.map((id) =>
          recorded(mergedStream(id), BigInt(revision), {
            type: 'WorkMerged',
            data: {
              generation: 1,
              version,
              document: { kind: 'redirect', component: target, to: target },
              at,
            },
          }),
        ),
      ]),
    ]
  }

  const idsFrom = (first: number, count: number) => Array.from({ length: count }, (_, i) => idOf(first + i))
  return {
    position: (): bigint => position,
    /** What intake, matcher and merger write of some new works: two of three are a pair. */
    grow: (first: number, count: number): readonly RecordedEvent[] => {
      const ids = idsFrom(first, count)
      const components = ids.flatMap((id, i) =>
        i % 3 === 0 ? [[id]] : i % 3 === 1 ? [[id, ids[i + 1] ?? ''].filter(Boolean).sort()] : [],
      )
      return written(ids, 0, (i) => (i % 3 === 2 ? ids[i - 1] : undefined), components)
    },
    /** They are said again, without their links. */
    part: (first: number, count: number): readonly RecordedEvent[] => {
      const ids = idsFrom(first, count)
      return written(
        ids,
        1,
        () => undefined,
        ids.map((id) => [id]),
      )
    },
  }
}
