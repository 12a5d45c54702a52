import { visible } from './name.tsx'

/** A value as it was kept. */
export const Json = ({ value, says }: { readonly value: unknown; readonly says: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
  <section class="json" tabIndex={0} aria-label={says}>
    <pre class="name">{visible(typeof value === 'string' ? value : JSON.stringify(value, undefined, 2))}</pre>
  </section>
)
