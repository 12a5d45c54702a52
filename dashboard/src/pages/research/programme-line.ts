/* A programme as the topic of episodes takes it. */

export const mediaTypes = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  ogg: 'audio/ogg',
} as const

/** By the name of its file. */
export const mediaTypeOf = (place: string): string | undefined => {
  const extension = /\.(\w+)$/.exec(place.split(/[?#]/)[0] ?? '')?.[1]?.toLowerCase()
  return mediaTypes[extension as keyof typeof mediaTypes]
}

/** A path of the server is an address, too. */
export const uriOf = (place: string): string =>
  place.startsWith('/') ? `file://${place.split('/').map(encodeURIComponent).join('/')}` : place

interface Programme {
  readonly id: string
  readonly title: string
  readonly place: string
  readonly mediaType: string
  readonly curator: string
  readonly priority: string
}

/** A line of `fonds produce fonds.research.episodes`. */
export const curatedLine = (
  { id, title, place, mediaType, curator, priority }: Programme,
  now: Date,
): Readonly<Record<string, unknown>> => ({
  type: 'episode.curated',
  data: {
    ...{ id, title, mediaUri: uriOf(place), mediaType, curator },
    curatedAt: now.toISOString(),
    ...(priority !== '' && { priority: Number(priority) }),
  },
})
