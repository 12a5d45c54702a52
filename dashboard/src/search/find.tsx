import { useLayoutEffect, useState } from 'preact/hooks'
import { Icon } from '../parts/icon.tsx'
import { Palette } from './palette.tsx'
import './search.css'

const isMac = /mac|iphone|ipad/i.test(navigator.userAgent)

/** The button of the search over everything; `/` and ⌘K open it as well. */
export const Find = () => {
  const [isOpen, open] = useState(false)
  // The keys are there as soon as the button is.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!opensFind(event)) return
      event.preventDefault()
      open(true)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <button type="button" class="find" aria-haspopup="dialog" onClick={() => open(true)}>
        <Icon of="find" />
        <span>Search or go to …</span>
        <kbd>{isMac ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      {isOpen && <Palette onClose={() => open(false)} />}
    </>
  )
}

/** A slash is a character of its own in a field; over a dialog nothing is opened. */
const opensFind = (event: KeyboardEvent): boolean => {
  if (event.defaultPrevented || document.querySelector('dialog[open]')) return false
  const isCommand = (event.metaKey || event.ctrlKey) && !event.shiftKey && !event.altKey
  if (isCommand) return event.key.toLowerCase() === 'k'
  return event.key === '/' && !event.altKey && !isField(event.target)
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
