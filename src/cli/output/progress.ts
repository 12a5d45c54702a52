import type { Writable } from 'node:stream'
import { SECOND } from '../../domain/kernel/time.ts'
import { barClass } from './drawing.ts'
import { bytes, count, duration, visible } from './text.ts'
import { shorten } from './width.ts'

/**
 * How far a long piece of work has come. It never writes to standard output. The part that is shown never shrinks and is
 * 1 at most, whatever is added meanwhile.
 */
export interface Progress {
  /** By 0 or more. */
  advance(by?: number): void
  /** Sets the amount of work, where it is known late, or grows. */
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
  readonly advance: (by: number) => void
  readonly setTotal: (total: number) => void
  readonly setPart: (part: number) => void
  /** From 0 to 1; undefined while the amount of work is not known. */
  readonly part: () => number | undefined
  /** `12,000 of 50,000 (24%), 1,200/s, 31 s left`. */
  readonly status: () => string
  readonly summary: () => string
}

const startMeter = (
  label: string,
  { unit, total: first, now = () => performance.now() }: ProgressOptions,
): Meter => {
  const started = now()
  const amount = unit === 'bytes' ? bytes : count
  let value = 0
  let total = first
  /** More came to do: a part of it says little. */
  let hasGrown = false
  let part: number | undefined
  const reach = (now: number) => {
    part = Math.max(part ?? 0, Math.min(1, now))
  }
  const reachByTotal = () => {
    if (total !== undefined && total > 0) reach(value / total)
  }
  reachByTotal()

  const elapsed = () => now() - started
  const rate = () => (elapsed() > 0 ? (value / elapsed()) * SECOND : 0)
  const speed = () =>
    rate() > 0 ? `, ${amount(rate() < 10 && unit !== 'bytes' ? round(rate()) : Math.round(rate()))}/s` : ''
  /** Milliseconds; undefined if nothing tells. */
  const left = (): number | undefined => {
    if (total !== undefined)
      return rate() > 0 && value < total ? ((total - value) / rate()) * SECOND : undefined
    return part !== undefined && part > 0 && part < 1 ? (elapsed() / part) * (1 - part) : undefined
  }
  return {
    label,
    elapsed,
    advance: (by) => {
      value += Math.max(0, by)
      reachByTotal()
    },
    setTotal: (known) => {
      hasGrown ||= total !== undefined && total > 0 && known > total
      total = known
      reachByTotal()
    },
    setPart: reach,
    part: () => part,
    status: () => {
      const of =
        total === undefined ? '' : ` of ${amount(Math.max(total, value))}${hasGrown ? ' so far' : ''}`
      const percent = part === undefined || hasGrown ? '' : ` (${Math.floor(part * 100)}%)`
      const millis = hasGrown ? undefined : left()
      return `${amount(value)}${of}${percent}${speed()}${millis === undefined ? '' : `, ${duration(millis)} left`}`
    },
    summary: () => `${amount(value)} in ${duration(elapsed())}${speed()}`,
  }
}

const round = (n: number): number => Math.round(n * 10) / 10

const bar = (meter: Meter, { stream }: ProgressOptions): Progress => {
  let finished = false
  const render = (): string => {
    const part = meter.part()
    const width = stream.columns ?? 80
    const status = finished ? meter.summary() : meter.status()
    const label = shorten(meter.label, Math.max(8, Math.floor(width / 3)))
    const room = width - label.length - status.length - 3
    if (part === undefined || room < 8) return shorten(`${label} ${status}`, width - 1)
    return `${label} ${drawBar(part, Math.min(30, room))} ${status}`
  }
  const Bar = barClass()
  const drawn = new Bar({
    format: render,
    stream,
    fps: 10,
    // Terminal settings stay as they are, and signals are for the command to handle.
    linewrap: true,
    gracefulExit: false,
  })
  drawn.start(1, 0)
  return {
    advance: (by = 1) => {
      meter.advance(by)
      drawn.update(meter.part() ?? 0)
    },
    total: meter.setTotal,
    part: meter.setPart,
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
      meter.advance(by)
      if (meter.elapsed() - printed < every) return
      printed = meter.elapsed()
      say(meter.status())
    },
    total: meter.setTotal,
    part: meter.setPart,
    say: (line) => void stream.write(`${visible(line)}\n`),
    done: () => {
      if (printed > 0) say(meter.summary())
    },
  }
}
