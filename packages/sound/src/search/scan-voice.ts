import type { Fourier } from './fourier.ts'
import { heard, scan } from './scan.ts'
import { scanEnds } from './scan-ends.ts'
import { hop, margin, silence as silentSample } from './settings.ts'
import { type Stretch, stretches } from './stretch.ts'
import type { TemplateSearch } from './template-search.ts'
import { compare, isUnlike } from './unlike.ts'
import type { Voice } from './voices.ts'

/** Hops of the episode that are scanned clip by clip: few enough for their spectra to stay in the cache. */
const hopsAtATime = 16

/** Whether anything is heard in an episode. A constant level is silence. */
interface Silence {
  isHeard(): boolean
  examine(stretch: Stretch): void
}

export const createSilence = (mix: Voice): Silence => {
  const level = new Int16Array(1)
  mix.read(0, level)
  let isHeard = false
  return {
    isHeard: () => isHeard,
    examine: ({ samples, first }) => {
      if (isHeard) return
      const from = first * hop - margin
      const within = samples.subarray(Math.max(0, -from), Math.max(0, mix.samples - from))
      isHeard = within.some((sample) => Math.abs(sample - level[0]!) > silentSample)
    },
  }
}

interface Pass {
  readonly voice: Voice
  readonly mix: Voice
  readonly silence: Silence
}

/** Scans a voice of the episode for all searches: all of the mix, and of others what is unlike it. */
export const scanVoice = async (
  fourier: Fourier,
  { voice, mix, silence }: Pass,
  searches: readonly TemplateSearch[],
  breathe: () => Promise<void>,
): Promise<void> => {
  const reach = Math.max(...searches.map((search) => search.template.parts))
  const from = Math.min(...searches.map((search) => search.places[0]))
  const to = Math.max(...searches.map((search) => search.places[1]))
  const hops = Math.max(hopsAtATime, reach)
  const options = { hops, reach, places: [from, to] as const, isWanted: voice.differs }
  for (const stretch of stretches(fourier, voice, options)) {
    silence.examine(stretch)
    const isWanted = voice === mix ? everywhere : unlikeIn(stretch, voice, mix)
    for (const search of searches) {
      listen(fourier, stretch, search, isWanted)
      await breathe()
    }
  }
}

type IsWanted = (h: number, search: TemplateSearch) => boolean

const everywhere: IsWanted = () => true

const unlikeIn = (stretch: Stretch, { kind }: Voice, mix: Voice): IsWanted => {
  const samples = new Int16Array(stretch.samples.length)
  mix.read(stretch.first * hop - margin, samples)
  const comparison = compare(stretch.samples, samples)
  return (h, { template: { length }, seen: { threshold } }) =>
    isUnlike(comparison, kind, h, { length, threshold })
}

const listen = (fourier: Fourier, stretch: Stretch, search: TemplateSearch, isWanted: IsWanted): void => {
  const { template, places, whole, seen } = search
  for (let h = 0; h < stretch.hops; h++) {
    const index = stretch.first + h
    const [from, to] = [index * hop, (index + 1) * hop]
    const outside = to <= places[0] || from >= places[1]
    if (outside || heard(stretch, h, template.parts) === 0 || !isWanted(h, search)) continue
    const correlations = fourier.convolve(template.parts, template.part, (i) => stretch.spectrum(index + i))
    const before = Math.min(whole[0], places[1])
    const after = Math.max(whole[1], before)
    if (from < before) scanEnds(correlations, stretch, h, search, [places[0], before])
    scan(correlations, stretch, h, template, whole, seen)
    if (to > after) scanEnds(correlations, stretch, h, search, [after, places[1]])
  }
}
