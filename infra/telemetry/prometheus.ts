import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { CounterName, GaugeName, Telemetry, TimerName } from '../../src/ports/telemetry.ts'

const counters: Record<CounterName, { help: string; labels: string[] }> = {
  messages: { help: 'Messages and reactions by what they came to.', labels: ['processor', 'outcome'] },
  events_projected: { help: 'Events folded into views.', labels: ['projection'] },
  dead_letters: {
    help: 'Messages set aside because they could not be used.',
    labels: ['processor', 'reason'],
  },
  tasks: { help: 'Tasks claimed by workers.', labels: ['worker', 'queue'] },
  bytes_read: { help: 'Bytes of content read.', labels: ['worker'] },
  bucket_requests: {
    help: 'Requests to buckets by their class: get, head, list, put, delete.',
    labels: ['class'],
  },
  bucket_bytes: { help: 'Bytes read from buckets and written to them.', labels: ['direction'] },
  clips: { help: 'Clips looked for in an episode, by what it came to.', labels: ['outcome'] },
  failures: { help: 'Rejections and failures by reason.', labels: ['processor', 'reason'] },
  index_merges: { help: 'Merges of runs of the index of captures.', labels: [] },
  index_merged_bytes: { help: 'Bytes that merges of the index of captures wrote.', labels: [] },
  index_questions_cut: {
    help: 'Questions about captures that ended before all was looked at.',
    labels: ['by'],
  },
}

const gauges: Record<GaugeName, { help: string; labels: string[] }> = {
  lag: { help: 'What a processor, reaction or projection has yet to handle.', labels: ['part'] },
  streams_busy: { help: 'Streams that a processor works on now.', labels: ['processor'] },
  streams_failing: { help: 'Streams whose work is being tried again.', labels: ['processor'] },
  streams_stalled: { help: 'Streams busy for long without finishing anything.', labels: ['processor'] },
  partition_rests_seconds: {
    help: 'How long a partition stands at a record that cannot be finished.',
    labels: ['processor', 'topic', 'partition', 'offset'],
  },
  hands_busy: { help: 'Tasks that a worker works on now.', labels: ['worker'] },
  task_age_seconds: { help: 'How long the oldest due task has been waiting.', labels: ['workflow', 'queue'] },
  tasks_parked: { help: 'Tasks that wait for a person.', labels: ['workflow'] },
  tasks_waiting: { help: 'Tasks that wait for a worker.', labels: ['workflow', 'queue'] },
  in_state: { help: 'How many of a workflow are in which state.', labels: ['workflow', 'what', 'state'] },
  bytes_in_process: { help: 'Bytes of what is being worked on.', labels: ['workflow'] },
  index_runs: { help: 'Runs of the index of captures.', labels: ['level', 'state'] },
  index_lines: { help: 'Lines in runs of the index of captures.', labels: ['state'] },
  index_bytes: { help: 'Bytes of lines in runs of the index of captures.', labels: ['state'] },
  index_bad_blocks: {
    help: 'Blocks of the index of captures that are damaged, and not served.',
    labels: [],
  },
  index_lost_lines: {
    help: 'Lines of the index of captures that were in damaged blocks, and are not there again.',
    labels: [],
  },
  index_changes_waiting: {
    help: 'Files of changes that the index of captures has yet to take over.',
    labels: [],
  },
  index_change_age_seconds: { help: 'How long the oldest of these files has been waiting.', labels: [] },
  index_merged_timestamp_seconds: {
    help: 'When this process last looked whether runs of the index of captures are to be merged, since 1970.',
    labels: [],
  },
  group_members: { help: 'Processes that take messages for a consumer group.', labels: ['part'] },
  paused: { help: '1 while a person has paused the workflow.', labels: ['workflow'] },
  last_backup_timestamp_seconds: {
    help: 'When the last backup of the home was begun (Unix time); 0 where none was made.',
    labels: [],
  },
  sealed_differences: {
    help: 'Differences between the log and its Merkle tree that were found last, 20 at most.',
    labels: [],
  },
  dead_letters_waiting: { help: 'Dead letters that nobody has settled.', labels: [] },
  dead_letter_age_seconds: {
    help: 'How long the oldest of these dead letters has been waiting.',
    labels: [],
  },
  findings_open: {
    help: 'Findings that nobody has settled, by who is to settle them and how long they have been open.',
    labels: ['workflow', 'store', 'class', 'age'],
  },
  finding_age_seconds: { help: 'How long the oldest open finding has been open.', labels: ['workflow'] },
  fixity_items: { help: 'Items of a store, as the report counts them.', labels: ['store', 'state'] },
  fixity_looked_since_timestamp_seconds: {
    help: 'Everything in a store was looked at since then, or was recorded since, by the day.',
    labels: ['store'],
  },
  fixity_interval_seconds: { help: 'How often everything in a store is to be checked.', labels: ['store'] },
  fixity_store_away_seconds: {
    help: 'How long no machine has found a store; 0 while one does.',
    labels: ['store'],
  },
  workers_present: { help: 'Workers that are there, busy or not.', labels: ['workflow'] },
}

const timers: Record<TimerName, { help: string; labels: string[]; buckets: number[] }> = {
  batch_seconds: {
    help: 'Time to handle a batch of messages.',
    labels: ['processor'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60],
  },
  // From a small file to one of terabytes.
  task_seconds: {
    help: 'Time a worker takes for a task.',
    labels: ['worker'],
    buckets: [0.01, 0.1, 1, 10, 60, 600, 3600, 6 * 3600],
  },
}

/** Gauges that prom-client names like counters. The sum of their kind without `_total` says the same. */
const misnamed = ['handles', 'requests', 'resources'].map((kind) => `nodejs_active_${kind}_total`)

/** Metrics in a registry of their own; `beforeScrape` brings the slow-moving gauges up to date. */
export const createPrometheusTelemetry = (): Telemetry & {
  readonly metrics: (beforeScrape?: (telemetry: Telemetry) => Promise<void>) => Promise<string>
} => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of misnamed) registry.removeSingleMetric(name)
  const registers = [registry]
  const made = <Name extends string, Declared, Metric>(
    declared: Record<Name, Declared>,
    make: (name: string, declared: Declared) => Metric,
  ) =>
    Object.fromEntries(
      Object.entries<Declared>(declared).map(([name, one]) => [name, make(name, one)]),
    ) as Record<Name, Metric>

  const count = made(
    counters,
    (name, { help, labels: labelNames }) =>
      new Counter({ name: `fonds_${name}_total`, help, labelNames, registers }),
  )
  const gauge = made(
    gauges,
    (name, { help, labels: labelNames }) => new Gauge({ name: `fonds_${name}`, help, labelNames, registers }),
  )
  const time = made(
    timers,
    (name, { help, labels: labelNames, buckets }) =>
      new Histogram({ name: `fonds_${name}`, help, labelNames, buckets, registers }),
  )

  const telemetry: Telemetry = {
    count: (name, labels, by = 1) => count[name].inc(labels, by),
    gauge: (name, labels, value) => gauge[name].set(labels, value),
    gauges: (name, values) => {
      gauge[name].reset()
      for (const { labels, value } of values) gauge[name].set(labels, value)
    },
    time: (name, labels, seconds) => time[name].observe(labels, seconds),
  }
  return {
    ...telemetry,
    metrics: async (beforeScrape) => {
      await beforeScrape?.(telemetry)
      return registry.metrics()
    },
  }
}
