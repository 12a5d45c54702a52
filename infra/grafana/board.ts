import type { Dashboard, Panel, RowPanel } from '@grafana/schema'
import { dataSource, lines, number, type Unplaced } from './panels.ts'

/*
 * The board of Fonds for Grafana, checked against Grafana's own types. `fonds.json` is made from it
 * (`npx vitest run test/infra/prometheus -u`), and is what people import.
 *
 * Every node shows what the views of all hold: of such gauges the largest counts. What a process did itself is added up.
 */

const store = 'store=~"$store"'

const rows: readonly { readonly title: string; readonly panels: readonly Unplaced[] }[] = [
  {
    title: 'What needs somebody',
    panels: [
      number({
        title: 'Open findings',
        queries: [{ expr: 'sum(max by (store, class, age) (fonds_findings_open))' }],
      }),
      number(
        { title: 'Oldest finding', unit: 's', queries: [{ expr: 'max(fonds_finding_age_seconds)' }] },
        7 * 86_400,
      ),
      number({ title: 'Failed items', queries: [{ expr: itemsIn('failed') }] }),
      number({ title: 'Suspect items', queries: [{ expr: itemsIn('suspect') }] }),
      number({ title: 'Late items', queries: [{ expr: itemsIn('late') }] }),
      number({ title: 'Parked tasks', queries: [{ expr: 'sum(max by (workflow) (fonds_tasks_parked))' }] }),
      number(
        {
          title: 'Last backup',
          unit: 's',
          queries: [{ expr: 'time() - max(fonds_last_backup_timestamp_seconds)' }],
        },
        8 * 86_400,
      ),
      number({ title: 'Dead letters', queries: [{ expr: 'max(fonds_dead_letters_waiting)' }] }),
      number({
        title: 'Stores away',
        queries: [{ expr: 'count(max by (store) (fonds_fixity_store_away_seconds) > 0) or vector(0)' }],
      }),
    ],
  },
  {
    title: 'Fixity',
    panels: [
      lines(
        {
          title: 'Items by state',
          queries: [
            {
              expr: `sum by (state) (max by (store, state) (fonds_fixity_items{${store}}))`,
              legend: '{{state}}',
            },
          ],
        },
        { isStacked: true },
      ),
      lines({
        title: 'Age of the last full cycle',
        description: 'Everything in the store was checked, or was recorded, within this time.',
        unit: 's',
        queries: [
          {
            expr: `time() - max by (store) (fonds_fixity_looked_since_timestamp_seconds{${store}})`,
            legend: '{{store}}',
          },
          { expr: `max by (store) (fonds_fixity_interval_seconds{${store}})`, legend: '{{store}}: interval' },
        ],
      }),
      lines(
        {
          title: 'Open findings by age',
          queries: [
            {
              expr: `sum by (age, class) (max by (store, class, age) (fonds_findings_open{${store}}))`,
              legend: '{{class}}, {{age}}',
            },
          ],
        },
        { isStacked: true },
      ),
      lines({
        title: 'Content read',
        unit: 'Bps',
        queries: [
          { expr: 'sum by (worker) (rate(fonds_bytes_read_total[$__rate_interval]))', legend: '{{worker}}' },
        ],
      }),
    ],
  },
  {
    title: 'Flow',
    panels: [
      lines({
        title: 'Messages a second, by what they came to',
        queries: [
          { expr: 'sum by (outcome) (rate(fonds_messages_total[$__rate_interval]))', legend: '{{outcome}}' },
        ],
      }),
      lines({
        title: 'Behind',
        description:
          'Messages that a group has yet to handle; positions of the log that a projection is behind.',
        queries: [{ expr: 'max by (part) (fonds_lag) > 0', legend: '{{part}}' }],
      }),
      lines({
        title: 'Failures and dead letters an hour',
        queries: [
          {
            expr: 'sum by (processor, reason) (increase(fonds_failures_total[1h])) > 0',
            legend: '{{processor}}: {{reason}}',
          },
          {
            expr: 'sum by (processor, reason) (increase(fonds_dead_letters_total[1h])) > 0',
            legend: '{{processor}}: {{reason}} (dead letter)',
          },
        ],
      }),
      lines({
        title: 'Streams that fail or stall',
        queries: [
          { expr: 'sum by (processor) (fonds_streams_failing) > 0', legend: '{{processor}} fails' },
          { expr: 'sum by (processor) (fonds_streams_stalled) > 0', legend: '{{processor}} stalls' },
        ],
      }),
      lines({
        title: 'Events folded a second',
        queries: [
          {
            expr: 'sum by (projection) (rate(fonds_events_projected_total[$__rate_interval]))',
            legend: '{{projection}}',
          },
        ],
      }),
      lines({
        title: 'Time of a batch, 95 %',
        unit: 's',
        queries: [
          {
            expr: 'histogram_quantile(0.95, sum by (processor, le) (rate(fonds_batch_seconds_bucket[$__rate_interval])))',
            legend: '{{processor}}',
          },
        ],
      }),
    ],
  },
  {
    title: 'Work',
    panels: [
      lines({
        title: 'Hands at work',
        queries: [{ expr: 'sum by (worker) (fonds_hands_busy)', legend: '{{worker}}' }],
      }),
      lines({
        title: 'Tasks a second',
        queries: [
          { expr: 'sum by (worker) (rate(fonds_tasks_total[$__rate_interval]))', legend: '{{worker}}' },
        ],
      }),
      lines({
        title: 'The oldest task that is due',
        unit: 's',
        queries: [
          {
            expr: 'max by (workflow, queue) (fonds_task_age_seconds) > 0',
            legend: '{{workflow}}: {{queue}}',
          },
        ],
      }),
      lines({
        title: 'Research: items that wait, researchers that are there',
        queries: [
          { expr: 'max by (queue) (fonds_tasks_waiting)', legend: '{{queue}}' },
          { expr: 'max(fonds_workers_present)', legend: 'researchers' },
        ],
      }),
      lines({
        title: 'Clips looked for, a second',
        queries: [
          { expr: 'sum by (outcome) (rate(fonds_clips_total[$__rate_interval]))', legend: '{{outcome}}' },
        ],
      }),
      lines(
        {
          title: 'Ingest: batches by state',
          queries: [
            {
              expr: 'max by (state) (fonds_in_state{workflow="ingest",what="batches",state!="completed"}) > 0',
              legend: '{{state}}',
            },
          ],
        },
        { isStacked: true },
      ),
      lines({
        title: 'Indexing: files by state',
        queries: [
          {
            expr: 'max by (state) (fonds_in_state{workflow="indexing",state!="indexed"}) > 0',
            legend: '{{state}}',
          },
        ],
      }),
      lines({
        title: 'Index of captures: what waits for it',
        queries: [{ expr: 'max(fonds_index_changes_waiting)', legend: 'files of changes' }],
      }),
    ],
  },
  {
    title: 'Processes',
    panels: [
      lines({
        title: 'Memory',
        unit: 'bytes',
        queries: [{ expr: 'process_resident_memory_bytes{job="$job"}', legend: '{{instance}}' }],
      }),
      lines({
        title: 'Event loop, 99 %',
        description: 'How long a request may wait because the process computes.',
        unit: 's',
        queries: [{ expr: 'nodejs_eventloop_lag_p99_seconds{job="$job"}', legend: '{{instance}}' }],
      }),
    ],
  },
]

function itemsIn(state: string): string {
  return `sum(max by (store) (fonds_fixity_items{state="${state}",${store}}))`
}

const columns = 24

/** Places panels from left to right, a row of them beneath a title. */
const placed = (): (Panel | RowPanel)[] => {
  const all: (Panel | RowPanel)[] = []
  let y = 0
  let id = 0
  for (const { title, panels } of rows) {
    all.push({
      id: ++id,
      type: 'row',
      title,
      collapsed: false,
      panels: [],
      gridPos: { x: 0, y: y++, w: columns, h: 1 },
    })
    let x = 0
    let height = 0
    for (const { size, ...panel } of panels) {
      if (x + size.w > columns) {
        y += height
        x = 0
        height = 0
      }
      all.push({ id: ++id, ...panel, gridPos: { x, y, ...size } })
      x += size.w
      height = Math.max(height, size.h)
    }
    y += height
  }
  return all
}

export const board: Dashboard = {
  uid: 'fonds',
  title: 'Fonds',
  tags: ['fonds'],
  schemaVersion: 39,
  editable: true,
  graphTooltip: 1,
  refresh: '30s',
  time: { from: 'now-24h', to: 'now' },
  timezone: 'browser',
  annotations: { list: [] },
  templating: {
    list: [
      { type: 'datasource', name: 'datasource', label: 'Prometheus', query: 'prometheus' },
      {
        type: 'query',
        name: 'job',
        label: 'Job',
        datasource: dataSource,
        query: 'label_values(fonds_lag, job)',
        refresh: 2,
      },
      {
        type: 'query',
        name: 'store',
        label: 'Store',
        datasource: dataSource,
        query: 'label_values(fonds_fixity_items, store)',
        refresh: 2,
        multi: true,
        includeAll: true,
        allValue: '.*',
      },
    ],
  },
  links: [],
  panels: placed(),
}
