import { type Panel, ThresholdsMode } from '@grafana/schema'

/** The data source, chosen when the board is imported. */
export const dataSource = { type: 'prometheus', uid: '$datasource' } as const

/** An expression, and the legend of its series. */
export interface Query {
  readonly expr: string
  readonly legend?: string
}

export interface Shown {
  readonly title: string
  /** Explanation for readers. */
  readonly description?: string
  readonly queries: readonly Query[]
  /** Grafana's name of the unit: `short`, `s`, `Bps` … */
  readonly unit?: string
}

/** In a board's 24 columns. */
interface Size {
  readonly w: number
  readonly h: number
}

/** A panel without a position. */
export type Unplaced = Omit<Panel, 'id' | 'gridPos'> & { readonly size: Size }

/** One number; red from `red` on. */
export const number = (shown: Shown, red = 1): Unplaced => ({
  ...common(shown),
  type: 'stat',
  size: { w: 3, h: 4 },
  options: { reduceOptions: { calcs: ['lastNotNull'] }, colorMode: 'background', graphMode: 'area' },
  fieldConfig: {
    defaults: {
      unit: shown.unit ?? 'short',
      thresholds: {
        mode: ThresholdsMode.Absolute,
        steps: [
          { value: null, color: 'green' },
          { value: red, color: 'red' },
        ],
      },
    },
    overrides: [],
  },
})

/** Lines over time; stacked if they add up to something. */
export const lines = (shown: Shown, { isStacked = false } = {}): Unplaced => ({
  ...common(shown),
  type: 'timeseries',
  size: { w: 12, h: 8 },
  options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
  fieldConfig: {
    defaults: {
      unit: shown.unit ?? 'short',
      min: 0,
      custom: {
        fillOpacity: isStacked ? 30 : 5,
        showPoints: 'never',
        stacking: { mode: isStacked ? 'normal' : 'none', group: 'A' },
      },
    },
    overrides: [],
  },
})

const common = ({ title, description, queries }: Shown) => ({
  title,
  ...(description !== undefined && { description }),
  datasource: dataSource,
  targets: queries.map(({ expr, legend }, i) => ({
    refId: String.fromCharCode('A'.charCodeAt(0) + i),
    datasource: dataSource,
    expr,
    ...(legend !== undefined && { legendFormat: legend }),
  })),
})
