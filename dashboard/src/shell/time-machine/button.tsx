import { Icon } from '../../parts/icon.tsx'
import { moment } from '../../parts/words.ts'
import { useTimeMachine } from './context.ts'

/** Of when all of the page is; it opens the row that chooses another moment. */
export const TimeMachineButton = () => {
  const { shown, isOpen, open } = useTimeMachine()
  const words = shown.kind === 'past' ? moment(shown.past.time) : 'Now'
  return (
    <button
      type="button"
      class={shown.kind === 'past' ? 'moment past' : 'moment'}
      aria-label={`Time machine: ${words}`}
      aria-expanded={isOpen}
      onClick={() => open(!isOpen)}
    >
      <Icon of="clock" />
      {words}
    </button>
  )
}
