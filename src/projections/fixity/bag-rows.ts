import type { BagEvent } from '../../domain/fixity/bags/events.ts'
import type { Handlers } from '../runtime/projection.ts'
import type { FixityTables } from './tables.ts'

export const bagHandlers: Handlers<BagEvent, FixityTables> = {
  BagJudged: ({ store, bag, verdict, rule, because, structure, at }, _, tables) => {
    const table = tables['fixity-bags']
    const before = table.get(store, bag)
    const since = before?.verdict === verdict ? before.since : at
    table.put({ store, bag, verdict, since, rule, because, structure, judgedAt: at })
  },
}
