import { category as probeCategory, probeEvents } from '../../domain/kernel/bucket-probe.ts'
import { category as deadLetterCategory, deadLetterEvents } from '../../domain/kernel/dead-letter.ts'
import { eventSet } from '../../domain/kernel/event-set.ts'
import { category as groupsCategory, groupsEvents } from '../../domain/kernel/groups-bound.ts'
import { category as noticeCategory, noticeEvents } from '../../domain/kernel/notices.ts'
import { notExported } from '../../domain/kernel/premis.ts'
import { treeKeysReplaced } from '../../domain/kernel/proof/keys-events.ts'
import { reportSealed, streamsSealed, viewSealed } from '../../domain/kernel/proof/statements.ts'
import {
  differencesAccepted,
  category as proofCategory,
  treeReplaced,
} from '../../domain/kernel/proof/tree-events.ts'
import { category as rebuildCategory, rebuildEvents } from '../../domain/kernel/rebuild-record.ts'
import { rejectedMessageEvents, category as rejectionCategory } from '../../domain/kernel/rejected-message.ts'
import { deadLetters } from '../../projections/kernel/dead-letters.ts'
import { logIndex } from '../../projections/kernel/log-index.ts'
import { rejectedMessages } from '../../projections/kernel/rejected-messages.ts'
import type { WorkflowModel } from '../workflow-model.ts'

/**
 * Shared by all workflows: dead letters, rejected messages, the binding of consumer groups, rebuilds, probes of buckets, the
 * Merkle tree, an index of the log.
 */
export const systemModel: WorkflowModel = {
  name: 'house',
  description:
    'Dead letters and refusals of all workflows; consumer groups; rebuilds; probes of buckets; the Merkle tree; where to look in the log.',
  topics: [],
  eventSets: [
    { category: deadLetterCategory, events: deadLetterEvents },
    { category: rejectionCategory, events: rejectedMessageEvents },
    { category: groupsCategory, events: groupsEvents },
    { category: noticeCategory, events: noticeEvents },
    { category: rebuildCategory, events: rebuildEvents },
    { category: probeCategory, events: probeEvents },
    {
      category: proofCategory,
      events: eventSet(
        treeReplaced,
        differencesAccepted,
        viewSealed,
        reportSealed,
        treeKeysReplaced,
        streamsSealed,
      ),
    },
  ],
  projections: [deadLetters, rejectedMessages, logIndex],
  finders: async () => (await import('../../projections/kernel/finders.ts')).kernelFinders,
  premis: async () => notExported('Fonds itself is their subject: messages, views, groups'),
  streamsOf: () => [],
}
