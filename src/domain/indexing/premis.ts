import { byField, claimsNotExported, exported, notExported, type PremisMapping } from '../kernel/premis.ts'

/* Events of indexing in PREMIS. */

const wish = notExported('a wish: the indexing that follows is an event of its own')
const waits = notExported('the file waits: what came of it is an event of its own')

export const premisMapping: PremisMapping = {
  indexing: {
    thing: { category: 'file', type: 'fonds archive file', says: 'the archive file' },
    events: {
      FileDiscovered: exported({ own: 'discovery' }, { note: ['location'] }),
      FileAdopted: exported({ own: 'discovery' }),
      KindGiven: wish,
      ContentChanged: exported({ own: 'observed change' }, { outcome: 'warning', note: ['location'] }),
      FileSeenAgain: exported({ own: 'observed return' }, { outcome: 'success' }),
      FileMoved: exported({ own: 'observed move' }, { note: ['location'] }),
      CopySighted: notExported('a wish: the comparison that follows is an event of its own'),
      CopyConfirmed: exported('fixity check', { outcome: 'success', note: ['location'] }),
      CopyGone: exported({ own: 'observed absence of a copy' }, { outcome: 'warning', note: ['location'] }),
      ConflictFound: exported('fixity check', { outcome: 'fail', note: ['because'] }),
      ...claimsNotExported('FileClaimed'),
      FileIndexed: byField(
        'loss',
        {
          present: exported('metadata extraction', {
            outcome: 'warning',
            note: ['lines', 'loss.bytes', 'loss.places'],
          }),
        },
        exported('metadata extraction', { outcome: 'success', note: ['lines'] }),
      ),
      IndexingFailed: exported('metadata extraction', { outcome: 'fail', note: ['code', 'reason'] }),
      IndexingDeferred: waits,
      FileParked: waits,
      FileRescued: wish,
      FileReset: wish,
      FileSalvageRequested: wish,
      FileWithdrawn: exported({ own: 'withdrawal from the index' }, { note: ['reason'] }),
      EmbargoSet: exported('policy assignment', { note: ['until', 'reason'] }),
      EmbargoLifted: exported('policy assignment', { note: ['reason'] }),
    },
  },
  indexingAccess: notExported('rules of access are rights in PREMIS, which are not exported'),
  indexingPosts: notExported('lines of the index without an archive file: there is no object'),
}
