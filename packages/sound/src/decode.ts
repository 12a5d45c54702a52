/* Decodes mp3, WAV, FLAC, Ogg Vorbis and Ogg Opus: decoders in WebAssembly are loaded. */

export { type DecodeOptions, type Decoding, decode } from './decode/decode.ts'
export { createResampler, type Resampler } from './decode/resample.ts'
