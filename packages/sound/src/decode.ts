/* Decodes mp3, WAV, FLAC, Ogg Vorbis and Ogg Opus. Loads decoders in WebAssembly. */

export { type DecodeOptions, type Decoding, decode } from './decode/decode.ts'
export type { DifferingChannels } from './decode/differing-channels.ts'
export { createResampler, type Resampler } from './decode/resample.ts'
