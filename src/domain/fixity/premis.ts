import {
  byField,
  claimsNotExported,
  exported,
  notExported,
  type PremisMapping,
  type ThingKind,
} from '../kernel/premis.ts'

/* Events of fixity in PREMIS. */

const item: ThingKind = { category: 'file', type: 'fonds item', says: 'the item' }
const store: ThingKind = { category: 'intellectualEntity', type: 'fonds store', says: 'the store' }

const wish = notExported('a wish: the check that follows is an event of its own')
const forPeople = notExported('how people share the work, and nothing of the object')

export const premisMapping: PremisMapping = {
  fixity: {
    thing: item,
    events: {
      ContentRecorded: exported({ own: 'fixity information recording' }, { note: ['recordedFrom'] }),
      ContentRemoved: byField(
        'misread',
        { absent: exported('deletion', { outcome: 'success', note: ['reason'] }) },
        exported('metadata modification', { note: ['reason'] }),
      ),
      IndexRecorded: exported('metadata modification'),
      IndexRemoved: exported('metadata modification'),
      CheckRequested: wish,
      ...claimsNotExported('CheckClaimed'),
      FixityDecided: exported('fixity check', {
        outcome: {
          field: 'outcome',
          as: {
            success: 'success',
            failure: 'fail',
            unverified: 'warning',
            nothing: 'warning',
            retry: 'warning',
            deferred: 'warning',
          },
          // The records agree, and nobody read the bytes.
          unless: { field: 'pattern', begins: 'n', outcome: 'warning' },
        },
        note: ['outcome', 'because'],
        time: 'observedAt',
      }),
      // Nothing is known of the content: it is no failure of the object.
      AttemptFailed: exported('fixity check', { outcome: 'warning', note: ['error'] }),
      CheckParked: notExported('the attempts that failed are events of their own'),
      CheckRevived: wish,
      ResolutionOpened: exported({ own: 'fixity finding' }, { outcome: 'warning', note: ['summary'] }),
      ResolutionClosed: exported({ own: 'fixity finding settlement' }, { note: ['how', 'reason'] }),
      ResolutionAssigned: forPeople,
      IndexCorrected: exported('metadata modification'),
      IndexEntryRemoved: exported('metadata modification'),
      AuditSupplemented: exported('metadata modification'),
      VersionChecked: exported('fixity check', {
        outcome: {
          field: 'outcome',
          as: { agrees: 'success', differs: 'fail', unread: 'warning', 'not-compared': 'warning' },
        },
        note: ['because'],
        time: 'observedAt',
      }),
      ReauditRequested: wish,
    },
  },
  fixityBatch: {
    thing: { ...item, says: 'each item that is as recorded' },
    events: {
      BatchClaimed: notExported('who has the work, and nothing of the object'),
      BatchExtended: notExported('who has the work, and nothing of the object'),
      BatchReleased: notExported('who has the work, and nothing of the object'),
      BatchExpired: notExported('who has the work, and nothing of the object'),
      BatchSettled: notExported('who has the work, and nothing of the object'),
      BatchChecked: exported('fixity check', { outcome: 'success', note: ['because'] }),
    },
  },
  fixityRequest: wish,
  fixityStore: {
    thing: store,
    events: {
      StoreRegistered: exported('policy assignment'),
      PolicyChanged: exported('policy assignment', { note: ['reason'] }),
      StoreCheckRequested: wish,
      StoreRevivalRequested: wish,
      StoreAway: exported({ own: 'storage absence' }, { outcome: 'warning', note: ['place', 'why'] }),
      StoreReturned: exported({ own: 'storage return' }, { outcome: 'success', note: ['place'] }),
      StoreGone: exported({ own: 'storage loss' }, { outcome: 'fail', note: ['reason'] }),
      StoreMoved: exported('refreshment', {
        note: ['from', 'root', 'proof.same', 'proof.byRecord', 'proof.inNeither', 'reason'],
      }),
      RestoreRequested: notExported('a change of the class of storage: the content is the same'),
      RestoreAnswered: notExported('a change of the class of storage: the content is the same'),
    },
  },
  fixityBucketUse: notExported('counts of requests'),
  fixityBag: {
    thing: { category: 'intellectualEntity', type: 'fonds bag', says: 'the bag' },
    events: {
      BagJudged: exported('validation', {
        outcome: {
          field: 'verdict',
          as: { valid: 'success', 'not-valid': 'fail', 'not-proven': 'warning' },
        },
        note: ['verdict', 'because'],
      }),
    },
  },
  fixityComparison: {
    thing: store,
    events: {
      StoreCompared: exported(
        { own: 'inventory comparison' },
        {
          note: [
            'differences.new',
            'differences.missing',
            'differences.moved',
            'differences.changed',
            'differences.unlisted',
          ],
        },
      ),
      TakeInRequested: notExported('a wish: what is recorded then is an event of its own'),
    },
  },
  fixityReport: forPeople,
}
