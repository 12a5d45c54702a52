/** Metrics of the running system. The adapter declares names and labels; unknown ones are bugs. */
export interface Telemetry {
  count(name: CounterName, labels: Labels, by?: number): void
  gauge(name: GaugeName, labels: Labels, value: number): void
  /** Sets all series of a gauge: earlier ones that are not listed are removed. */
  gauges(name: GaugeName, values: readonly { readonly labels: Labels; readonly value: number }[]): void
  /** Seconds. */
  time(name: TimerName, labels: Labels, seconds: number): void
}

type Labels = Readonly<Record<string, string>>

export type CounterName =
  | 'messages'
  | 'events_projected'
  | 'dead_letters'
  | 'tasks'
  | 'bytes_read'
  | 'bucket_requests'
  | 'bucket_bytes'
  | 'clips'
  | 'failures'
  | 'index_merges'
  | 'index_merged_bytes'
  | 'index_questions_cut'
export type GaugeName =
  | 'lag'
  | 'streams_busy'
  | 'streams_failing'
  | 'streams_stalled'
  | 'partition_rests_seconds'
  | 'hands_busy'
  | 'task_age_seconds'
  | 'tasks_parked'
  | 'tasks_waiting'
  | 'workers_present'
  | 'group_members'
  | 'paused'
  | 'dead_letters_waiting'
  | 'last_backup_timestamp_seconds'
  | 'sealed_differences'
  | 'dead_letter_age_seconds'
  | 'findings_open'
  | 'finding_age_seconds'
  | 'fixity_items'
  | 'fixity_looked_since_timestamp_seconds'
  | 'fixity_interval_seconds'
  | 'fixity_store_away_seconds'
  | 'in_state'
  | 'bytes_in_process'
  | 'index_runs'
  | 'index_lines'
  | 'index_bytes'
  | 'index_bad_blocks'
  | 'index_lost_lines'
  | 'index_changes_waiting'
  | 'index_change_age_seconds'
  | 'index_merged_timestamp_seconds'
export type TimerName = 'batch_seconds' | 'task_seconds'
