import { plural } from '../../../domain/kernel/amounts.ts'
import type {
  EpisodeReason,
  Explanation,
  PairReason,
} from '../../../domain/research/selection/scheduler-state.ts'

/** Why an episode is, or is not, the next to be handed out: a sentence a reason. */
export const episodeSentence = (reason: EpisodeReason, { episode }: Pick<Explanation, 'episode'>): string => {
  switch (reason.kind) {
    case 'next':
      return `${episode} is what is handed out next`
    case 'unknown':
      return `nobody has curated ${episode}: send episode.curated, or check the spelling`
    case 'withdrawn':
      return `${episode} was withdrawn by its curator; curated again, it is handed out again`
    case 'excluded':
      return `${episode} is excluded: \`fonds do research.include episode=${episode}\` hands it out again`
    case 'curator-excluded':
      return `the curator of ${episode} is excluded: \`fonds do research.include curator=…\` hands it out again`
    case 'no-clips':
      return 'there is no clip to look for'
    case 'researched':
      return `every clip has been looked for in ${episode}`
    case 'parked':
      return `${episode} came to nothing too often and is parked: see \`fonds research parked\``
    case 'leased':
      return `all that is left of it is under lease, the first until ${reason.until}`
    case 'backing-off':
      return `${episode} failed and is tried again at ${reason.until}`
    case 'clips-wait':
      return `its only open clips wait for others to come, until ${reason.until} at the latest`
    case 'behind':
      return `${plural(reason.places, 'episode')} ${reason.places === 1 ? 'goes' : 'go'} before it, ${reason.next} first`
  }
}

/** Why a pair can, or cannot, be handed out. */
export const pairSentence = (reason: PairReason, episode: string, clip: string): string => {
  switch (reason.kind) {
    case 'open':
      return `${clip} can be handed out for ${episode}`
    case 'unknown-clip':
      return `nobody has curated ${clip}: send clip.curated, or check the spelling`
    case 'clip-withdrawn':
      return `${clip} was withdrawn by its curator; curated again, it is handed out again`
    case 'clip-excluded':
      return `${clip} is excluded: \`fonds do research.include clip=${clip}\` hands it out again`
    case 'clip-curator-excluded':
      return `the curator of ${clip} is excluded: \`fonds do research.include curator=…\` hands it out again`
    case 'clip-parked':
      return `${clip} failed too often and is parked: see \`fonds research parked\``
    case 'pair-parked':
      return `the search for ${clip} in ${episode} failed too often and is parked: see \`fonds research parked\``
    case 'researched':
      return `${clip} has been looked for in ${episode}: \`fonds research pair ${episode} ${clip}\``
    case 'leased':
      return `${clip} is under lease ${reason.lease} until ${reason.until}`
    case 'clip-backing-off':
      return `${clip} failed and is tried again at ${reason.until}`
    case 'pair-backing-off':
      return `the search for ${clip} in ${episode} failed and is tried again at ${reason.until}`
    case 'clip-waits':
      return `${clip} is new and waits for others, until ${reason.until} at the latest`
  }
}
