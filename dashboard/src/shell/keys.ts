import { useEffect } from 'preact/hooks'

/** Rows of the page's lists that lead somewhere, or can be chosen. */
const rows = 'main tbody tr:has(a, input), main .findings > li, main .needs > li'

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest('input:not([type=checkbox]), textarea, select, dialog') !== null

/** `j` and `k` go from row to row, `x` chooses one, with shift all up to it. The link of a row has the focus: Enter opens it. */
export const useKeys = (): void => {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const key = event.key.toLowerCase()
      if (key === 'j' || key === 'k') move(key === 'j' ? 1 : -1)
      else if (key === 'x') choose(event.shiftKey)
      else if (key === 'n') document.querySelector<HTMLElement>('[data-key=n]')?.click()
      else return
      event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}

const current = (all: readonly Element[]): number =>
  all.findIndex((row) => row.contains(document.activeElement))

const move = (by: number): void => {
  const all = [...document.querySelectorAll(rows)]
  const at = current(all)
  const next = all[Math.min(Math.max(at === -1 && by < 0 ? all.length - 1 : at + by, 0), all.length - 1)]
  const focused = next?.querySelector<HTMLElement>('a') ?? next?.querySelector<HTMLElement>('input, button')
  focused?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}

const choose = (isRange: boolean): void => {
  const all = [...document.querySelectorAll(rows)]
  const box = all[current(all)]?.querySelector<HTMLElement>('input[type=checkbox]')
  box?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey: isRange }))
}
