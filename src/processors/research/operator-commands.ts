import * as t from 'io-ts'
import { NonNegativeInteger } from '../../domain/kernel/codecs.ts'
import type { ClipCommand } from '../../domain/research/clip/commands.ts'
import { clipDecider } from '../../domain/research/clip/decide.ts'
import type { EpisodeCommand } from '../../domain/research/episode/commands.ts'
import { episodeDecider } from '../../domain/research/episode/decide.ts'
import { PolicyChanges } from '../../domain/research/policy/changes.ts'
import type { PolicyCommand } from '../../domain/research/policy/commands.ts'
import { policyDecider } from '../../domain/research/policy/decide.ts'
import { researcherDecider } from '../../domain/research/researcher/decide.ts'
import {
  ClipId,
  clipStream,
  EpisodeId,
  engineKey,
  episodeStream,
  LeaseId,
  policyStream,
  ResearcherId,
  researcherStream,
  Verdict,
} from '../../domain/research/terms.ts'
import { type By, operatorCommand } from '../runtime/operator-command.ts'
import type { Route } from '../runtime/processor.ts'
import { routeTo } from '../runtime/route.ts'
import { EpisodeClipOrCurator, EpisodeOrClip, NewPriority, Reopening } from './operator-inputs.ts'
import { unknownCurator, unknownFinding, unknownWork } from './unknown-names.ts'

const onEpisode = (episode: string, command: EpisodeCommand) =>
  routeTo(episodeDecider, episodeStream(episode), command)

const onPolicy = (command: PolicyCommand) => routeTo(policyDecider, policyStream, command)

/** Routes to the episode or the clip: the codec requires one of them. */
const onEither = ({ episode, clip }: EpisodeOrClip, command: EpisodeCommand & ClipCommand): Route =>
  episode !== undefined ? onEpisode(episode, command) : routeTo(clipDecider, clipStream(clip!), command)

const onResearcher = (type: 'Block' | 'Unblock', name: string, description: string) =>
  operatorCommand({
    name,
    description,
    codec: t.type({ researcher: ResearcherId }),
    example: { researcher: 'listener-1' },
    route: ({ researcher }, by) => routeTo(researcherDecider, researcherStream(researcher), { type, ...by }),
  })

const onWhole = (type: 'Pause' | 'Resume' | 'ReleaseWaitingClips', name: string, description: string) =>
  operatorCommand({
    name,
    description,
    codec: t.type({}),
    example: {},
    route: (_, by) => onPolicy({ type, ...by }),
  })

const oneEpisode = { episode: 'tbtl-4611' }
const oneCurator = { curator: 'podcast-feed' }

/** `formerly`: the curator's name in events from before. */
type AlsoNamed = t.TypeOf<typeof EpisodeClipOrCurator> & { readonly formerly?: string }

const onPlace = (
  type: 'Pin' | 'Unpin' | 'Exclude' | 'Include',
  name: string,
  description: string,
  example: { readonly episode: string } | { readonly curator: string },
) =>
  operatorCommand({
    name,
    description,
    codec: EpisodeClipOrCurator,
    example,
    // Including a curator that nobody excluded changes nothing, and the outcome says so.
    rejection: ({ curator }) =>
      (type === 'Pin' || type === 'Exclude') && curator !== undefined
        ? (views) => unknownCurator(curator, views)
        : undefined,
    route: ({ curator, formerly, ...input }: AlsoNamed, by) =>
      curator !== undefined
        ? onPolicy({ type: `${type}Curator`, curator, ...(formerly !== undefined && { formerly }), ...by })
        : onEither(input, { type, ...by }),
  })

/** Reopens one episode at once; anything else is a request to the policy, which a reaction spreads to each episode. */
const reopen = ({ episode, clip, engine, version }: t.TypeOf<typeof Reopening>, by: By): Route => {
  const which = {
    ...(engine !== undefined && version !== undefined && { engines: [engineKey({ name: engine, version })] }),
    ...(clip !== undefined && { clips: [clip] }),
    ...by,
  }
  return episode !== undefined
    ? onEpisode(episode, { type: 'Reopen', ...which })
    : onPolicy({ type: 'RequestReopen', ...which })
}

/** Operators' commands of research (X7, X15). Each needs an actor and a reason. */
export const researchCommands = [
  operatorCommand({
    name: 'research.revoke',
    description:
      'Ends a lease: its open clips are free at once, what its researcher still reports is kept. Its item, where nobody took it yet, is cancelled with it.',
    codec: t.type({ episode: EpisodeId, lease: LeaseId }),
    example: { episode: 'tbtl-4611', lease: '0197a3c4-0000-7000-8000-000000000001' },
    route: ({ episode, lease }, by) => onEpisode(episode, { type: 'Revoke', lease, ...by }),
  }),
  operatorCommand({
    name: 'research.prioritise',
    description:
      'Sets the priority of an episode or clip, whatever its curator says; null gives it back to the curator.',
    codec: NewPriority,
    example: { episode: 'tbtl-4611', priority: 7 },
    route: ({ priority, ...input }, by) => onEither(input, { type: 'Prioritise', priority, ...by }),
  }),
  onPlace(
    'Pin',
    'research.pin',
    'Puts an episode, a clip, or all that a curator brought before all that are not pinned.',
    oneEpisode,
  ),
  onPlace(
    'Unpin',
    'research.unpin',
    'Lets an episode, a clip, or what a curator brought go by its priority again.',
    oneEpisode,
  ),
  onPlace(
    'Exclude',
    'research.exclude',
    'Hands out no more of an episode, a clip, or all that a curator brought.',
    oneCurator,
  ),
  onPlace(
    'Include',
    'research.include',
    'Hands out an episode, a clip, or what a curator brought again.',
    oneCurator,
  ),
  onWhole('Pause', 'research.pause', 'Hands out nothing more; what is handed out goes on.'),
  onWhole('Resume', 'research.resume', 'Hands out work again.'),
  operatorCommand({
    name: 'research.retry',
    description: 'Tries an episode, with its pairs, or a clip again: failures are forgotten.',
    codec: EpisodeOrClip,
    example: oneEpisode,
    route: (input, by) => onEither(input, { type: 'Retry', ...by }),
  }),
  operatorCommand({
    name: 'research.reopen',
    description:
      'Has pairs researched again: of an episode, of a clip, those done by a version of an engine, or all. What was found stays on record.',
    codec: Reopening,
    example: { engine: 'correlator', version: '1' },
    rejection: ({ all, ...which }) => (all ? undefined : (views) => unknownWork(which, views)),
    route: reopen,
  }),
  operatorCommand({
    name: 'research.judge',
    description:
      'Says of a place where a clip was found that it is the clip (confirmed), that it is not (rejected), or that one cannot tell (unsure).',
    codec: t.type({ episode: EpisodeId, clip: ClipId, offset: NonNegativeInteger, verdict: Verdict }),
    example: { episode: 'tbtl-4611', clip: 'gurgle-17', offset: 1_754_200_000_000, verdict: 'confirmed' },
    rejection: (input) => (views) => unknownFinding(input, views),
    route: ({ episode, ...judged }, by) => onEpisode(episode, { type: 'Judge', ...judged, ...by }),
  }),
  onResearcher(
    'Block',
    'research.block',
    'Gives a researcher no more work, and refuses it what it takes from the topic; what it reports is kept.',
  ),
  onResearcher('Unblock', 'research.unblock', 'Gives a researcher work again.'),
  operatorCommand({
    name: 'research.set-policy',
    permission: 'administer',
    description:
      'Changes how work is handed out, from the next lease on; what is not said stays. null takes agingSeconds or longestLeaseSeconds away.',
    codec: PolicyChanges,
    example: { maxClips: 50, agingSeconds: 86_400 },
    route: (policy, by) => onPolicy({ type: 'SetPolicy', policy, ...by }),
  }),
  onWhole('ReleaseWaitingClips', 'research.release-clips', 'Hands out new clips that wait for others now.'),
]
