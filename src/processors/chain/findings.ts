import type { NoteFindings } from '../../domain/chain/commands.ts'
import { dossierDecider } from '../../domain/chain/decide.ts'
import { category, dossierEvents, dossierStream } from '../../domain/chain/events.ts'
import {
  type FixityItemEvent,
  fixityBatchCategory,
  fixityBatches,
  fixityCategory,
  fixityItems,
} from '../../domain/chain/inputs.ts'
import { chainSource } from '../../domain/chain/outputs.ts'
import { parts as partsView, versions as versionsView } from '../../domain/chain/views.ts'
import { categoryOf, idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import { is, row, rows } from '../../domain/kernel/read-views.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import type { Route } from '../runtime/processor.ts'
import type { Reaction } from '../runtime/reaction.ts'
import { readOrStop } from '../runtime/read-or-stop.ts'
import { routeTo } from '../runtime/route.ts'
import type { ViewsReach } from '../runtime/views-reach.ts'

type PartRow = RowOf<typeof partsView>
type Views = Pick<ViewStore, 'query'>

/** Paths that are looked up at once. */
const pageSize = 1000

/**
 * Notes in the dossiers what fixity found of their parts: not each success, but the end of a version's first checks, and what
 * ceases to be well or is well again.
 */
export const noteFindings = (viewStore: ViewStore, viewsReach: ViewsReach): Reaction => ({
  name: 'chain-findings',
  filter: {
    categories: [fixityCategory, fixityBatchCategory, category],
    types: [
      'FixityDecided',
      'CheckParked',
      'ResolutionClosed',
      'ContentRemoved',
      'BatchChecked',
      'ContentHandedOver',
    ],
  },
  async *react(event, signal) {
    await viewsReach(event.position, signal)
    switch (categoryOf(event.stream)) {
      case category: {
        const { type, data } = readOrStop(dossierEvents, event)
        if (type === 'ContentHandedOver')
          yield routesOf(viewStore, event, [{ object: idOf(event.stream), version: data.version }], [])
        return
      }
      case fixityCategory: {
        const found = ofItem(viewStore, event)
        if (found) yield routesOf(viewStore, event, [found], [found])
        return
      }
      default: {
        const { data } = readOrStop(fixityBatches, event)
        const paths = data.intact.flatMap(({ items }) => items.map(({ path }) => path))
        const found = partsAt(viewStore, data.store, paths)
        yield routesOf(viewStore, event, found, found)
      }
    }
  },
})

const ofItem = (views: Views, event: RecordedEvent): PartRow | undefined => {
  const id = idOf(event.stream)
  const slash = id.indexOf('/')
  return row(views, partsView, is('store', id.slice(0, slash)), is('path', id.slice(slash + 1)))
}

const partsAt = (views: Views, store: string, paths: readonly string[]): readonly PartRow[] => {
  const found: PartRow[] = []
  for (let i = 0; i < paths.length; i += pageSize)
    found.push(
      ...rows(views, partsView, {
        where: [is('store', store), { column: 'path', is: 'in', value: paths.slice(i, i + pageSize) }],
      }),
    )
  return found
}

interface Touched {
  readonly object: string
  readonly version: number
}

/** One command for each dossier, if there is something to note. */
const routesOf = (
  views: Views,
  event: RecordedEvent,
  touched: readonly Touched[],
  parts: readonly PartRow[],
): readonly Route[] => {
  const ofObjects = Map.groupBy(parts, ({ object }) => object)
  return [...Map.groupBy(touched, ({ object }) => object)].flatMap(([object, those]) => {
    const command: NoteFindings = {
      type: 'NoteFindings',
      ...transitions(event, ofObjects.get(object) ?? []),
      verified: verifiedOf(views, object, new Set(those.map(({ version }) => version))),
      actor: chainSource,
      at: event.recordedAt,
    }
    const isEmpty = command.failed.length + command.cleared.length + command.verified.length === 0
    return isEmpty ? [] : [routeTo(dossierDecider, dossierStream(object), command)]
  })
}

/** Versions whose first checks have all ended well, and whose dossier does not have that yet. */
const verifiedOf = (views: Views, object: string, versions: ReadonlySet<number>): NoteFindings['verified'] =>
  [...versions].flatMap((version) => {
    const found = row(views, versionsView, is('object', object), is('version', version))
    return found?.handedOverAt != null && found.verifiedAt === null && found.verified >= found.parts
      ? [{ version, parts: found.parts }]
      : []
  })

/** The views name the events by which a part ceased to be well, and was well again: this one, if it is that. */
const transitions = (
  event: RecordedEvent,
  parts: readonly PartRow[],
): Pick<NoteFindings, 'failed' | 'cleared'> => {
  const position = Number(event.position)
  const read = categoryOf(event.stream) === fixityCategory ? readOrStop(fixityItems, event) : undefined
  const finding = read && findingOf(read)
  return {
    failed: finding
      ? parts
          .filter(({ failedBy }) => failedBy === position)
          .map(({ store, path }) => ({ store, path, ...finding }))
      : [],
    cleared: parts
      .filter(({ clearedBy }) => clearedBy === position)
      .map(({ store, path }) => ({ store, path, how: read ? howCleared(read) : 'verified' })),
  }
}

const findingOf = (
  read: FixityItemEvent,
): Pick<NoteFindings['failed'][number], 'kind' | 'finding'> | undefined => {
  switch (read.type) {
    case 'FixityDecided':
      return { kind: 'differs', finding: read.data.because }
    case 'CheckParked':
      return { kind: 'unreadable', finding: read.data.error }
    case 'ResolutionClosed':
      return { kind: 'lost', finding: `declared lost: ${read.data.reason}` }
    default:
      return undefined
  }
}

const howCleared = (read: FixityItemEvent): NoteFindings['cleared'][number]['how'] => {
  if (read.type === 'ContentRemoved') return 'withdrawn'
  return read.type === 'ResolutionClosed' && read.data.how === 'accepted' ? 'accepted' : 'verified'
}
