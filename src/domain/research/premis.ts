import { exported, notExported, type PremisMapping, type Rule } from '../kernel/premis.ts'

/* Events of research in PREMIS. */

const order = notExported('the order of the work, and nothing of the object')
const leases = notExported('who has the work, and nothing of the object')

const curation: Readonly<Record<string, Rule>> = {
  Curated: exported('metadata modification', { outcome: 'success', note: ['title', 'mediaUri'] }),
  Recurated: notExported('nothing changed'),
  Amended: exported('metadata modification', { outcome: 'success', note: ['title', 'mediaUri'] }),
  Withdrawn: exported({ own: 'withdrawal from research' }, { note: ['reason'] }),
  Prioritised: order,
  Pinned: order,
  Unpinned: order,
  Excluded: order,
  Included: order,
  Retried: order,
}

export const premisMapping: PremisMapping = {
  episode: {
    thing: { category: 'intellectualEntity', type: 'fonds episode', says: 'the episode' },
    events: {
      ...curation,
      LeaseGranted: leases,
      WorkItemTaken: leases,
      WorkItemLapsed: leases,
      LeaseExtended: leases,
      LeaseExpired: leases,
      LeaseReleased: leases,
      LeaseRevoked: leases,
      ClipResearched: exported(
        { own: 'content research' },
        { outcome: 'success', note: ['clip', 'note'], time: 'researchedAt', program: 'engine' },
      ),
      ResearchFailed: exported(
        { own: 'content research' },
        { outcome: 'fail', note: ['subject', 'stage', 'error'] },
      ),
      Reopened: order,
      FindingJudged: exported({ own: 'review' }, { note: ['clip', 'verdict', 'reason'] }),
    },
  },
  clip: {
    thing: { category: 'intellectualEntity', type: 'fonds clip', says: 'the clip' },
    events: {
      ...curation,
      ClipFailed: exported({ own: 'content research' }, { outcome: 'fail', note: ['stage', 'error'] }),
    },
  },
  researcher: notExported('programs that do the work'),
  desk: notExported('how work is handed out'),
  capacity: notExported('how work is handed out'),
}
