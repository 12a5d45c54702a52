import { constants, createInflateRaw, inflateRawSync } from 'node:zlib'
import { stepsOfCall, stepsOfHandle, withInfo, type ZlibStep } from './zlib-step.ts'

export interface DecoderOptions {
  /**
   * Default: if this Node has them. False: public calls only, which are slower and have a whole member or
   * frame in memory.
   */
  readonly usesInternals?: boolean
}

/** Raw deflate (RFC 1951), a step at a time: see `ZlibStep`. */
export interface Inflater extends Pick<ZlibStep, 'consumed' | 'produced' | 'isEnded' | 'step'> {
  readonly usesInternals: boolean
  begin(): void
  /** Other decoders, which are closed with this one. */
  readonly opened: { close(): void }[]
  close(): void
}

export const createInflater = ({ usesInternals = true }: DecoderOptions = {}): Inflater => {
  const stream = createInflateRaw()
  const steps = (usesInternals ? stepsOfHandle(stream, true) : undefined) ?? stepsOfCall(inflateSync)
  const opened: { close(): void }[] = []
  return Object.assign(steps, {
    usesInternals,
    begin: () => steps.reset(),
    opened,
    close: () => {
      stream.close()
      for (const one of opened.splice(0)) one.close()
    },
  })
}

/** Inflates input that may end too early, without an error. */
const inflateSync = (input: Buffer) =>
  withInfo(inflateRawSync(input, { info: true, finishFlush: constants.Z_SYNC_FLUSH }))
