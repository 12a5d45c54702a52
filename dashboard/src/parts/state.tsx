/* A state is told by its word and its shape; colour comes last. */

export type Condition = 'well' | 'needs somebody' | 'stopped' | 'idle' | 'not known'

const shapes: Readonly<Record<Condition, string>> = {
  well: '●',
  'needs somebody': '▲',
  stopped: '■',
  idle: '○',
  'not known': '?',
}

export const State = ({ is, words = is }: { readonly is: Condition; readonly words?: string }) => (
  <span class={`state ${is.replace(' ', '-')}`}>
    <span class="shape" aria-hidden="true">
      {shapes[is]}
    </span>{' '}
    {words}
  </span>
)
