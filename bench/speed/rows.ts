import { deposits, depositsBesideRclone } from './deposits.ts'
import { fixityCheck } from './fixity-check.ts'
import { install } from './install.ts'
import { matching } from './matching.ts'
import type { Measure } from './measured.ts'
import { memoryAfterMessages, memoryWhenIdle } from './memory.ts'
import { demo, firstStart } from './starts.ts'
import { within } from './within.ts'

export interface Row {
  /** By which a row is asked for; rows that belong together share it. */
  readonly number: number
  readonly what: string
  readonly beside: string
  readonly unit: string
  /** Speed is a share of the other side's, at least `bar`; a cost is so many times the other side's, at most `bar`. */
  readonly of: 'speed' | 'cost'
  /** Absent: the row is there to be read. */
  readonly bar?: number
  readonly measure: Measure
}

export const baseCommit = '4b24d2e2'

const pipeline = { bench: 'pipeline', args: ['100000'], costOf: 1e6 }
const commandLatency = { bench: 'command-latency', args: ['100000'], costOf: 1000 }
const asOf = { bench: 'as-of', args: ['1000000', '100000', 'random'], costOf: 1e6 }
const eventStore = { bench: 'event-store', costOf: 1e6 }
const starts = { bench: 'starts', costOf: 1000 }

const GiB = 1024 ** 3
const micros = 'µs of processor a message'
const seconds = 's of processor'
const byHand = 'the same by hand'

export const rows: readonly Row[] = [
  {
    number: 1,
    what: 'topic → view, all roles in one process, past kept',
    beside: byHand,
    unit: micros,
    of: 'speed',
    bar: 0.6,
    measure: within(pipeline, 'all roles at once, and keep it'),
  },
  {
    number: 2,
    what: 'a command while views fold, one of a hundred',
    beside: 'budget',
    unit: 'ms of the main thread',
    of: 'cost',
    bar: 1,
    measure: within(commandLatency, 'one of a hundred'),
  },
  {
    number: 3,
    what: 'fold alone, past kept',
    beside: 'by hand, without',
    unit: micros,
    of: 'speed',
    bar: 0.6,
    measure: within(pipeline, 'fold, and keep their past'),
  },
  {
    number: 3,
    what: 'fold alone, without',
    beside: 'by hand, without',
    unit: micros,
    of: 'speed',
    bar: 0.75,
    measure: within(pipeline, 'fold into views'),
  },
  {
    number: 4,
    what: 'a change of 100,000 random rows, past kept',
    beside: 'without the past',
    unit: 'µs of processor a change',
    of: 'cost',
    bar: 1.6,
    measure: within(asOf, 'a change, past kept'),
  },
  {
    number: 5,
    what: 'serial append, FULL',
    beside: 'raw SQLite',
    unit: 'µs an event',
    of: 'speed',
    bar: 0.9,
    measure: within(eventStore, 'single appends, one at a time'),
  },
  {
    number: 6,
    what: '20,000 files of 4 KiB, fixity check as a command',
    beside: 'bagit-python, two processes',
    unit: 's',
    of: 'speed',
    bar: 1,
    measure: fixityCheck(20_000, 4096),
  },
  {
    number: 7,
    what: '3 GiB in 30 files, fixity check as a command',
    beside: 'bagit-python, two processes',
    unit: 's',
    of: 'speed',
    bar: 1.2,
    measure: fixityCheck(30, Math.floor((3 * GiB) / 30)),
  },
  {
    number: 8,
    what: 'matching, 340,000 messages of 200,000 works to documents',
    beside: baseCommit,
    unit: seconds,
    of: 'speed',
    bar: 1.5,
    measure: matching(200_000),
  },
  {
    number: 9,
    what: 'deposits, 10,000 files of 4 KiB to stored objects',
    beside: baseCommit,
    unit: 's',
    of: 'speed',
    bar: 2,
    measure: deposits,
  },
  {
    number: 9,
    what: 'the same, beside a copy',
    beside: 'rclone copy',
    unit: 's',
    of: 'speed',
    measure: depositsBesideRclone,
  },
  ...[
    ['query', 'query fixity-items'],
    ['events', 'events'],
    ['report', 'fixity report'],
  ].map(
    ([name, line]): Row => ({
      number: 10,
      what: `${name}: start to answer`,
      beside: 'bare Node',
      unit: 'ms of processor',
      of: 'cost',
      bar: 7,
      measure: within(starts, line!),
    }),
  ),
  {
    number: 11,
    what: 'resident memory, all roles idle after the demo',
    beside: baseCommit,
    unit: 'MB',
    of: 'cost',
    bar: 0.75,
    measure: memoryWhenIdle,
  },
  {
    number: 11,
    what: 'resident memory after 60,000 messages',
    beside: baseCommit,
    unit: 'MB',
    of: 'cost',
    bar: 0.6,
    measure: memoryAfterMessages,
  },
  {
    number: 12,
    what: 'what npm install lays down',
    beside: baseCommit,
    unit: 'MB',
    of: 'cost',
    bar: 0.6,
    measure: install(),
  },
  {
    number: 12,
    what: 'the demo',
    beside: baseCommit,
    unit: seconds,
    of: 'cost',
    bar: 0.7,
    measure: demo,
  },
  {
    number: 13,
    what: 'first start on an empty home',
    beside: baseCommit,
    unit: seconds,
    of: 'cost',
    bar: 0.6,
    measure: firstStart,
  },
]
