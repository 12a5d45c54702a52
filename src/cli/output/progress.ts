import type { Writable } from 'node:stream'
import { type Options, type Params, SingleBar } from 'cli-progress'
import { SECOND } from '../../domain/kernel/time.ts'
import { bytes, count, duration, visible } from './text.ts'
import { shorten } from './width.ts'

/** How far a long piece of work has come. It never writes to standard output. */
export interface Progress {
  advance(by?: number): void
  /** Sets the amount of work, where it is known late. */
  total(total: number): void
  /** The part of the work that is done, from 0 to 1, where its amount is not known. */
  part(part: number): void
  /** A line for a person, above the bar. */
  say(line: string): void
  done(): void
}

export interface ProgressOptions {
  /** The amount of work, where it is known. */
  readonly total?: number
  readonly unit?: 'count' | 'bytes'
  readonly stream: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  /** Shows nothing. */
  readonly quiet?: boolean
  /** Milliseconds that only grow. */
  readonly now?: () => number
}

/** A bar on a terminal; else a line every ten seconds, so that short work leaves no line in a log. */
export const startProgress = (label: string, options: ProgressOptions): Progress => {
  if (options.quiet) return silent
  const meter = startMeter(visible(label), options)
  return options.stream.isTTY ? bar(meter, options) : lines(meter, options)
}

const silent: Progress = { advance: () => {}, total: () => {}, part: () => {}, say: () => {}, done: () => {} }

interface Meter {
  readonly label: string
  readonly elapsed: () => number
  value: number
  total: number | undefined
  part: number | undefined
  /** `12,000 of 50,000 (24%), 1,200/s, 31 s left`. */
  status(): string
  summary(): string
}

const startMeter = (
  label: string,
  { unit, total, now = () => performance.now() }: ProgressOptions,
): Meter => {
  const started = now()
  const amount = unit === 'bytes' ? bytes : count
  const elapsed = () => now() - started
  const rate = () => (elapsed() > 0 ? (meter.value / elapsed()) * SECOND : 0)
  const speed = () =>
    rate() > 0 ? `, ${amount(rate() < 10 && unit !== 'bytes' ? round(rate()) : Math.round(rate()))}/s` : ''
  const meter: Meter = {
    label,
    elapsed,
    value: 0,
    total,
    part: undefined,
    status: () => {
      if (meter.part !== undefined) {
        const { part } = meter
        const eta = part > 0 && part < 1 ? `, ${duration((elapsed() / part) * (1 - part))} left` : ''
        return `${amount(meter.value)} (${Math.floor(part * 100)}%)${speed()}${eta}`
      }
      if (meter.total === undefined) return `${amount(meter.value)}${speed()}`
      const part = meter.total > 0 ? ` (${Math.floor((meter.value / meter.total) * 100)}%)` : ''
      const left = meter.total - meter.value
      const eta = left > 0 && rate() > 0 ? `, ${duration((left / rate()) * SECOND)} left` : ''
      return `${amount(meter.value)} of ${amount(meter.total)}${part}${speed()}${eta}`
    },
    summary: () => `${amount(meter.value)} in ${duration(elapsed())}${speed()}`,
  }
  return meter
}

const round = (n: number): number => Math.round(n * 10) / 10

const bar = (meter: Meter, { stream }: ProgressOptions): Progress => {
  let finished = false
  const render = (_: Options, params: Params): string => {
    const width = stream.columns ?? 80
    const status = finished ? meter.summary() : meter.status()
    const label = shorten(meter.label, Math.max(8, Math.floor(width / 3)))
    const room = width - label.length - status.length - 3
    if ((meter.total ?? meter.part) === undefined || room < 8) return shorten(`${label} ${status}`, width - 1)
    return `${label} ${drawBar(meter.part ?? params.progress, Math.min(30, room))} ${status}`
  }
  const drawn = new SingleBar({
    format: render,
    stream,
    fps: 10,
    // Terminal settings stay as they are, and signals are for the command to handle.
    linewrap: true,
    gracefulExit: false,
  })
  drawn.start(meter.total ?? 0, 0)
  return {
    advance: (by = 1) => {
      meter.value += by
      drawn.update(meter.value)
    },
    total: (total) => {
      meter.total = total
      drawn.setTotal(total)
    },
    part: (part) => {
      meter.part = part
    },
    // The bar is drawn again below it.
    say: (line) => void stream.write(`${clearLine}${visible(line)}\n`),
    done: () => {
      finished = true
      drawn.stop()
    },
  }
}

const clearLine = '\r\x1b[K'

const drawBar = (progress: number, size: number): string => {
  const full = Math.round(progress * size)
  return '█'.repeat(full) + '░'.repeat(size - full)
}

const every = 10 * SECOND

const lines = (meter: Meter, { stream }: ProgressOptions): Progress => {
  let printed = 0
  const say = (text: string) => stream.write(`${meter.label}: ${text}\n`)
  return {
    advance: (by = 1) => {
      meter.value += by
      if (meter.elapsed() - printed < every) return
      printed = meter.elapsed()
      say(meter.status())
    },
    total: (total) => {
      meter.total = total
    },
    part: (part) => {
      meter.part = part
    },
    say: (line) => void stream.write(`${visible(line)}\n`),
    done: () => {
      if (printed > 0) say(meter.summary())
    },
  }
}
