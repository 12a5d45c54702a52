import { differenceSays } from '../../../domain/ingest/object/storage.ts'
import { storageDifferences } from '../../../domain/ingest/views.ts'
import { rows } from '../../../domain/kernel/read-views.ts'
import { maxFoundByRule, type Rule } from './audited.ts'

/** Storage holds the objects that the log records, as far as they were compared. */
export const storageDiffers: Rule = ({ views }) =>
  rows(views, storageDifferences, { orderBy: [{ column: 'since' }], limit: maxFoundByRule }).flatMap(
    ({ object, differences }) =>
      differences.map((one) => ({ subject: object, says: differenceSays(object, one), since: one.since })),
  )
