import { exported, notExported, type PremisMapping, type ThingKind } from '../kernel/premis.ts'

/* Events of matching in PREMIS: changes of catalogue records, which are metadata. */

const work: ThingKind = { category: 'intellectualEntity', type: 'fonds work', says: 'the work' }
const derived = notExported('computed from the records: what it says of a work is in WorkMerged')

export const premisMapping: PremisMapping = {
  work: {
    thing: work,
    events: {
      WorkObserved: exported('metadata modification', {
        outcome: 'success',
        note: ['source', 'sourceVersion', 'state'],
      }),
      WorkCorrected: exported('metadata modification', {
        outcome: 'success',
        note: ['source', 'sourceVersion', 'reason'],
      }),
      WorkHandedOver: exported('metadata modification', {
        outcome: 'success',
        note: ['from', 'to', 'reason'],
      }),
      ResendRequested: notExported('sends again what is there'),
    },
  },
  graph: derived,
  merged: {
    thing: work,
    events: {
      WorkMerged: exported('metadata modification', { outcome: 'success', note: ['generation', 'version'] }),
      GraphMerged: derived,
    },
  },
  generations: notExported('which index readers get'),
  verdict: {
    thing: work,
    events: {
      GraphConfirmed: exported({ own: 'review' }, { outcome: 'success', note: ['reason'] }),
      GraphUnconfirmed: exported({ own: 'review withdrawal' }, { note: ['reason'] }),
      RecordConfirmed: exported({ own: 'review' }, { outcome: 'success', note: ['reason'] }),
      RecordUnconfirmed: exported({ own: 'review withdrawal' }, { note: ['reason'] }),
    },
  },
}
