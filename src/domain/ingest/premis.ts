import { byField, claimsNotExported, exported, notExported, type PremisMapping } from '../kernel/premis.ts'

/* Events of ingest in PREMIS. */

const stored = (...more: readonly string[]) =>
  exported('ingestion', { outcome: 'success', note: ['version', 'files', 'bytes', ...more] })

const step = notExported('a step on the way: what came of it is an event of its own')
const letters = notExported('mails and reports to the depositor, and nothing of the object')
const work = notExported('how the work goes on, and nothing of the object')

export const premisMapping: PremisMapping = {
  ingestBatch: {
    thing: { category: 'intellectualEntity', type: 'fonds batch', says: 'the submission' },
    events: {
      BatchSubmitted: exported({ own: 'submission' }, { outcome: 'success' }),
      BatchNumbered: work,
      BatchMoved: byField(
        'to',
        {
          processing: exported('ingestion start', { outcome: 'success' }),
          completed: exported('ingestion end', { outcome: 'success', note: ['message'] }),
          failed: exported('ingestion end', { outcome: 'fail', note: ['message'] }),
        },
        step,
      ),
      ObjectsListed: step,
      PayloadRead: step,
      JobsNoted: work,
      JobsForceFailed: notExported('each of its jobs has an event of its own'),
      ReportSaved: letters,
      MailStarted: letters,
      MailSent: letters,
      MailFailed: letters,
      ...claimsNotExported('StepClaimed'),
    },
  },
  ingestIds: notExported('numbers for batches and jobs'),
  ingestDrop: notExported('where depositors put what is not submitted yet'),
  ingestHold: notExported('whether work begins, and nothing of the object'),
  ingestHousekeeping: notExported('records and work folders go; objects stay'),
  ingestJob: {
    thing: { category: 'intellectualEntity', type: 'fonds job', says: 'the object as it was submitted' },
    events: {
      JobCreated: exported('ingestion start', { outcome: 'success' }),
      JobMoved: byField(
        'to',
        {
          processing: byField('from', { downloading: exported('transfer', { outcome: 'success' }) }, step),
          storing: byField(
            'from',
            { processing: exported('information package creation', { outcome: 'success' }) },
            step,
          ),
          completed: exported('ingestion end', { outcome: 'success', note: ['message'] }),
          failed: exported('ingestion end', { outcome: 'fail', note: ['from', 'message'] }),
        },
        step,
      ),
      WorkFolderCleaned: work,
      ...claimsNotExported('StepClaimed'),
    },
  },
  ingestLocalId: notExported('the versions of the object name its local ids'),
  ingestObject: {
    thing: { category: 'intellectualEntity', type: 'ARK', says: 'the object' },
    events: {
      ArkReserved: exported({ own: 'identifier assignment' }, { outcome: 'success' }),
      ObjectClaimed: work,
      FilesListed: step,
      VersionStored: byField(
        'object.embargoUntil',
        { absent: stored(), none: stored() },
        // A right in PREMIS, which is not exported.
        stored('object.embargoUntil'),
      ),
      StorageDiffered: exported('validation', { outcome: 'fail' }),
      StorageAgreed: exported('validation', { outcome: 'success' }),
      FilesAdopted: step,
      VersionAdopted: exported('accession', { outcome: 'success', note: ['version', 'reason'] }),
      VersionsSetAside: exported({ own: 'versions set aside' }, { note: ['keep', 'folder', 'reason'] }),
    },
  },
  ingestProfile: notExported('how later submissions are taken in'),
  ingestStorage: notExported('where the storage root is'),
  ingestVolume: notExported('room for work'),
}
