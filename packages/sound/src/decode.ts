/* Decodes MPEG audio (mp3, mp2), WAV, FLAC, Ogg Vorbis, Ogg Opus and Ogg FLAC. Loads decoders in WebAssembly. */

export { type DecodeOptions, type Decoding, decode } from './decode/decode.ts'
export type { DifferingChannels } from './decode/differing-channels.ts'
export type { Gap } from './decode/gaps.ts'
export { createResampler, type Resampler } from './decode/resample.ts'
