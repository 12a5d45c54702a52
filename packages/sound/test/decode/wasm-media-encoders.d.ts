/** The package's own types are out of reach of an import. */
declare module 'wasm-media-encoders' {
  interface Encoder<Options> {
    configure(options: { readonly channels: 1 | 2; readonly sampleRate: number } & Options): void
    /** Valid until the next call. */
    encode(samples: readonly Float32Array[]): Uint8Array
    finalize(): Uint8Array
  }
  export const createMp3Encoder: () => Promise<
    Encoder<{ readonly bitrate?: number; readonly vbrQuality?: number; readonly outputSampleRate?: number }>
  >
  export const createOggEncoder: () => Promise<
    Encoder<{ readonly vbrQuality?: number; readonly oggSerialNo?: number }>
  >
}
