import { isAtRest } from '../../domain/fixity/intact.ts'
import type { RequestEvent } from '../../domain/fixity/requests/events.ts'
import { spanOf } from '../../domain/fixity/requests/span.ts'
import type { requestPlaces } from '../../domain/fixity/views.ts'
import { idOf } from '../../domain/kernel/event.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import type { Handlers } from '../runtime/projection.ts'
import type { FixityTables } from './tables.ts'

type Place = RowOf<typeof requestPlaces>['requests'][number]

/** A page of items is one row: to write a row of each, and a version of it, would cost as much as its check. */
export const requestHandlers: Handlers<RequestEvent, FixityTables> = {
  ChecksRequested: ({ store, paths, queue, dueAt }, event, tables) => {
    const waiting = paths.filter((path) => {
      const row = tables['fixity-items'].get(store, path)
      // The own stream of any other item determines its next check.
      return row !== undefined && isAtRest(row)
    })
    if (waiting.length === 0) return
    const request = idOf(event.stream)
    tables['fixity-requests'].put({
      request,
      store,
      queue,
      due: dueAt,
      items: waiting.length,
      paths: waiting,
      position: Number(event.position),
    })
    putPlaces(tables, store, [...placesIn(tables, store), { request, ...spanOf(waiting) }])
  },
}

/** Ends the waiting of these items of a store, whatever request they wait in: their next checks have a new due time. */
export const endRequests = (tables: FixityTables, store: string, paths: readonly string[]): void => {
  const places = placesIn(tables, store)
  if (places.length === 0 || paths.length === 0) return
  const ended = new Set(paths)
  const { first, last } = spanOf(paths)
  const over = new Set<string>()
  for (const place of places) {
    if (place.last < first || last < place.first) continue
    const row = tables['fixity-requests'].get(place.request)
    const left = row?.paths.filter((path) => !ended.has(path)) ?? []
    if (!row || left.length === row.items) continue
    if (left.length > 0) {
      tables['fixity-requests'].put({ ...row, paths: left, items: left.length })
      continue
    }
    tables['fixity-requests'].delete(place.request)
    over.add(place.request)
  }
  if (over.size > 0)
    putPlaces(
      tables,
      store,
      places.filter(({ request }) => !over.has(request)),
    )
}

const placesIn = (tables: FixityTables, store: string): readonly Place[] =>
  tables['fixity-request-places'].get(store)?.requests ?? []

const putPlaces = (tables: FixityTables, store: string, requests: readonly Place[]): void => {
  if (requests.length > 0) tables['fixity-request-places'].put({ store, requests })
  else tables['fixity-request-places'].delete(store)
}
