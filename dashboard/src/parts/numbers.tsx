import type { ComponentChildren } from 'preact'

export interface NumberShown {
  readonly label: string
  readonly value: ComponentChildren
  /** Behind the number, smaller. */
  readonly unit?: string
  /** A line of context. */
  readonly says?: ComponentChildren
  /** Whether it tells something wrong. */
  readonly tone?: 'bad' | 'warn' | undefined
}

/** Key numbers of a page, before any sentence. */
export const Numbers = ({ of }: { readonly of: readonly NumberShown[] }) => (
  <dl class="stats">
    {of.map(({ label, value, unit, says, tone }) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd class={tone === undefined ? 'big' : `big tone-${tone}`}>
          {value}
          {unit !== undefined && <small> {unit}</small>}
        </dd>
        {says !== undefined && <dd>{says}</dd>}
      </div>
    ))}
  </dl>
)
