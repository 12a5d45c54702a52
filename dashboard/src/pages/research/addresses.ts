import { pathOf } from '../../address/address.ts'

export const episodeAt = (episode: string): string => pathOf('/research/episodes/:episode', { episode })
export const findingsAt = (clip: string): string => `/research/findings?${new URLSearchParams({ clip })}`
