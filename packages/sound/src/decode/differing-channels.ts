import { createResampler } from './resample.ts'
import type { Piece } from './sound.ts'
import { tracksOf } from './tracks.ts'

/*
 * The mix is the mean of all channels. It has what is in each of them, unless they differ: the mean of a
 * channel and of the same upside down is silence. Stretches in which a channel is not in the mix as it is are
 * output beside it. Where channels agree this costs one look at the samples.
 */

/** Samples of channels beside the mix. All tracks are equally long. */
export interface DifferingChannels {
  /** Sample of the mix with which they begin. */
  readonly from: number
  readonly channels: number
  /** Half the difference of two channels: the mix and this are the first, the mix less this the second. Each of more channels. */
  readonly tracks: readonly Int16Array<ArrayBuffer>[]
}

/** Seconds of a block, which differs or does not. */
const blockSeconds = 0.05
/** Seconds without a difference after which a stretch ends: a pause of a speaker ends none. */
const gapSeconds = 5
/** Share of a channel's energy in a block that may be missing in the mix. */
const maxMissing = 0.02
/** Mean energy of a sample below which nothing is missing: two steps of 16 bits. */
const silentEnergy = (2 / 32_768) ** 2

interface Run {
  readonly rate: number
  readonly channels: number
  readonly resamplers: readonly ReturnType<typeof createResampler>[]
  /** Sample of the mix with which its next output begins. */
  next: number
  /** Seconds of the last difference. */
  differedAt: number
}

/** Passes on to `put` where channels differ, at the wanted rate. */
export const createDifferingChannels = (rate: number, put: (found: DifferingChannels) => void) => {
  let run: Run | undefined

  const output = (to: Run, tracks: readonly Int16Array<ArrayBuffer>[]) => {
    const length = tracks[0]?.length ?? 0
    if (length === 0) return
    put({ from: to.next, channels: to.channels, tracks })
    to.next += length
  }
  const end = () => {
    if (run)
      output(
        run,
        run.resamplers.map((resampler) => resampler.end()),
      )
    run = undefined
  }
  const begin = ({ rate: given, channels }: Piece, seconds: number): Run => {
    const begins = seconds * rate
    const resamplers = Array.from({ length: tracksOf(channels.length) }, () =>
      createResampler(given, rate, begins),
    )
    return {
      rate: given,
      channels: channels.length,
      resamplers,
      next: Math.ceil(begins),
      differedAt: seconds,
    }
  }

  return {
    /** `seconds`: sound before the piece. */
    push: (piece: Piece, seconds: number): void => {
      const { channels } = piece
      if (run && (run.rate !== piece.rate || run.channels !== channels.length)) end()
      if (channels.length < 2) return
      const first = firstDifference(piece)
      if (first === undefined) {
        if (run && seconds - run.differedAt > gapSeconds) end()
        if (!run) return
      }
      const from = run ? 0 : first!
      run ??= begin(piece, seconds + from / piece.rate)
      if (first !== undefined) run.differedAt = seconds
      const tracks = tracksFrom(channels, from)
      output(
        run,
        run.resamplers.map((resampler, i) => resampler.push(tracks[i]!)),
      )
    },
    /** Passes on the rest. */
    end,
  }
}

const tracksFrom = (channels: Piece['channels'], from: number): readonly Float32Array[] => {
  if (channels.length > 2) return channels.map((channel) => channel.subarray(from))
  const [left, right] = [channels[0]!, channels[1]!]
  const half = new Float32Array(left.length - from)
  for (let i = 0; i < half.length; i++) half[i] = (left[from + i]! - right[from + i]!) / 2
  return [half]
}

/** Returns the first sample of the first block that differs. */
const firstDifference = ({ rate, channels }: Piece): number | undefined => {
  const { length } = channels[0]!
  const block = Math.ceil(rate * blockSeconds)
  const differ = channels.length === 2 ? twoDiffer : manyDiffer
  for (let from = 0; from < length; from += block)
    if (differ(channels, from, Math.min(length, from + block))) return from
  return undefined
}

const twoDiffer = ([left, right]: Piece['channels'], from: number, to: number): boolean => {
  const [one, other] = [left!, right!]
  let i = from
  while (i < to && one[i] === other[i]) i++
  if (i === to) return false
  let [xx, yy, xy] = [0, 0, 0]
  for (i = from; i < to; i++) {
    const x = one[i]!
    const y = other[i]!
    xx += x * x
    yy += y * y
    xy += x * y
  }
  const mix = (xx + 2 * xy + yy) / 4
  return isMissing(xx, (xx + xy) / 2, mix, to - from) || isMissing(yy, (yy + xy) / 2, mix, to - from)
}

const manyDiffer = (channels: Piece['channels'], from: number, to: number): boolean => {
  const mean = new Float32Array(to - from)
  for (const channel of channels)
    for (let i = from; i < to; i++) mean[i - from]! += channel[i]! / channels.length
  const mix = mean.reduce((sum, x) => sum + x * x, 0)
  return channels.some((channel) => {
    let [own, shared] = [0, 0]
    for (let i = from; i < to; i++) {
      own += channel[i]! * channel[i]!
      shared += channel[i]! * mean[i - from]!
    }
    return isMissing(own, shared, mix, to - from)
  })
}

/** By the energies of a channel and of the mix, and what they share, over `count` samples. */
const isMissing = (own: number, shared: number, mix: number, count: number): boolean => {
  const missing = mix > 0 ? own - (shared * shared) / mix : own
  return missing > Math.max(maxMissing * own, silentEnergy * count)
}
