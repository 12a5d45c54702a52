import { expect, it } from 'vitest'
import { metricsIn } from '../../dashboard/src/pages/log/metrics-text.ts'

it('metrics of Fonds are read with their labels; zeros, others, and parts of histograms are left out', () => {
  const text = [
    '# HELP fonds_lag how far behind',
    '# TYPE fonds_lag gauge',
    'fonds_lag{group="a b",topic="x"} 3',
    'fonds_lag{group="b",topic="x"} 0',
    '# HELP fonds_seconds how long',
    'fonds_seconds_bucket{le="1"} 4',
    '# HELP fonds_ready whether',
    'fonds_ready 1.5e3',
    '# HELP nodejs_x other',
    'nodejs_x 7',
  ].join('\n')
  expect(metricsIn(text)).toEqual([
    { name: 'fonds_lag', help: 'how far behind', values: [{ labels: 'group="a b",topic="x"', value: 3 }] },
    { name: 'fonds_ready', help: 'whether', values: [{ labels: '', value: 1500 }] },
  ])
})
