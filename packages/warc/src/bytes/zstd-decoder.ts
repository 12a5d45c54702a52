import { constants, createZstdDecompress, zstdDecompressSync } from 'node:zlib'
import type { DecoderOptions } from './inflater.ts'
import { stepsOfCall, stepsOfHandle, withInfo, type ZlibStep } from './zlib-step.ts'

/** Zstandard (RFC 8878), a step at a time, over one frame at most: see `ZlibStep`. After a damaged frame it decodes nothing any more. */
export interface ZstdDecoder extends Pick<ZlibStep, 'consumed' | 'produced' | 'step'> {
  /** Prepares for the next frame. */
  begin(): void
  close(): void
}

/**
 * Decodes frames, each with the same dictionary. The handle is not reset, which would remove the dictionary
 * and is not needed.
 */
export const createZstdDecoder = (
  windowLog: number,
  dictionary: Buffer | undefined,
  { usesInternals = true }: DecoderOptions = {},
): ZstdDecoder => {
  const options = {
    params: { [constants.ZSTD_d_windowLogMax]: windowLog },
    ...(dictionary && { dictionary }),
  }
  const stream = createZstdDecompress(options)
  const steps =
    (usesInternals ? stepsOfHandle(stream, false) : undefined) ??
    stepsOfCall((input) =>
      withInfo(zstdDecompressSync(input, { ...options, info: true, finishFlush: constants.ZSTD_e_flush })),
    )
  return Object.assign(steps, { begin: () => steps.reset(), close: () => stream.close() })
}
