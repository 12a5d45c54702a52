import { idOf } from '../../domain/kernel/event.ts'
import { capacityEvents } from '../../domain/research/capacity.ts'
import { clipEvents } from '../../domain/research/clip/events.ts'
import { episodeEvents } from '../../domain/research/episode/events.ts'
import { policyEvents } from '../../domain/research/policy/events.ts'
import { researcherEvents } from '../../domain/research/researcher/events.ts'
import {
  capacityCategory,
  clipCategory,
  episodeCategory,
  policyCategory,
  researcherCategory,
} from '../../domain/research/terms.ts'
import { views } from '../../domain/research/views.ts'
import { projection } from '../runtime/projection.ts'
import { changeCuration, curationHandlers, noFailures } from './curation-rows.ts'
import { failClip, failResearch, forgetFailures } from './failure-rows.ts'
import { listJudged } from './finding-rows.ts'
import { leaseHandlers } from './lease-rows.ts'
import { changePolicy, noteDecision, placeCurator } from './policy-rows.ts'
import { researcherHandlers } from './researcher-rows.ts'
import { noteUnknown } from './result-anomalies.ts'
import { recordResult, reopen } from './result-rows.ts'

/** All views of research in one fold: they always have the same position. */
export const research = projection(
  {
    name: 'research',
    version: 12,
    description: 'Episodes, clips, leases, researchers, what is done, found and failed, and what is odd.',
    views,
    storage: {
      'research-episodes': { words: { column: 'title', are: 'words' }, sparse: [['parkedAt', 'retryAt']] },
      'research-clips': { words: { column: 'title', are: 'words' }, sparse: [['parkedAt', 'retryAt']] },
    },
    // A row with indexes, one of results and one of media.
    weigh: ({ type }) => (type === 'Curated' || type === 'Amended' ? 3 : 1),
  },
  (on) => [
    on(episodeCategory, episodeEvents, {
      ...curationHandlers('episode'),
      ...leaseHandlers,
      ClipResearched: (data, event, tables) => recordResult(tables, event, data),
      ResearchFailed: (data, event, tables) => {
        noteUnknown(tables, event, data)
        failResearch(tables, event, data)
      },
      Retried: (_, event, tables) => forgetFailures(tables, event),
      Reopened: (data, event, tables) => reopen(tables, event, data),
      FindingJudged: ({ reason, ...judged }, event, tables) => {
        tables['research-verdicts'].put({
          ...judged,
          reason,
          episode: idOf(event.stream),
          actor: event.metadata.actor,
        })
        listJudged(tables, idOf(event.stream), judged)
      },
    }),
    on(clipCategory, clipEvents, {
      ...curationHandlers('clip'),
      ClipFailed: (data, event, tables) => failClip(tables, event, data),
      Retried: (_, event, tables) => {
        changeCuration(tables, 'clip', idOf(event.stream), () => noFailures)
      },
    }),
    on(researcherCategory, researcherEvents, researcherHandlers),
    on(policyCategory, policyEvents, {
      PolicySet: ({ version, policy }, _, tables) => {
        changePolicy(tables, () => ({ policyVersion: version, policy }))
      },
      AssigningPaused: ({ at, reason }, _, tables) => {
        changePolicy(tables, () => ({ pausedAt: at, pausedReason: reason }))
      },
      AssigningResumed: (_, __, tables) => {
        changePolicy(tables, () => ({ pausedAt: null, pausedReason: null }))
      },
      CuratorPinned: ({ curator }, _, tables) => placeCurator(tables, 'pinnedCurators', curator, true),
      CuratorUnpinned: ({ curator }, _, tables) => placeCurator(tables, 'pinnedCurators', curator, false),
      CuratorExcluded: ({ curator }, _, tables) => placeCurator(tables, 'excludedCurators', curator, true),
      CuratorIncluded: ({ curator }, _, tables) => placeCurator(tables, 'excludedCurators', curator, false),
    }),
    on(capacityCategory, capacityEvents, {
      CapacityAssessed: (data, _, tables) => noteDecision(tables, data),
    }),
  ],
)
