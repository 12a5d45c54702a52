import type { Answer } from '../../api/client.ts'

export type Timeline = Answer<'/api/v1/research/episodes/{episode}/timeline'>

/** A clip at one place of an episode. */
export type Place = Timeline['occurrences'][number]

export const placeKey = ({ offset, clip }: Place): string => `${offset} ${clip}`
