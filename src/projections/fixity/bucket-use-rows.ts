import type { BucketUseEvent } from '../../domain/fixity/bucket-use/events.ts'
import { dayOf } from '../../domain/fixity/store/budget.ts'
import type { Handlers } from '../runtime/projection.ts'
import type { FixityTables } from './tables.ts'

export const bucketUseHandlers: Handlers<BucketUseEvent, FixityTables> = {
  RequestsCounted: ({ store, to, requests, bytes }, _, tables) => {
    const table = tables['fixity-bucket-use']
    const day = dayOf(to)
    const before = table.get(store, day)
    table.put({
      store,
      day,
      gets: (before?.gets ?? 0) + requests.get,
      heads: (before?.heads ?? 0) + requests.head,
      lists: (before?.lists ?? 0) + requests.list,
      puts: (before?.puts ?? 0) + requests.put,
      deletes: (before?.deletes ?? 0) + requests.delete,
      bytesRead: (before?.bytesRead ?? 0) + bytes.read,
      bytesWritten: (before?.bytesWritten ?? 0) + bytes.written,
    })
  },
}
