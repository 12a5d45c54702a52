import { useEffect, useRef } from 'preact/hooks'
import { shortened, visible } from '../parts/name.tsx'
import type { Group, Option } from './options.ts'

interface OptionListProps {
  readonly id: string
  readonly groups: readonly Group[]
  /** Place of the chosen one among all. */
  readonly current: number
  /** Text that is marked where it stands in a title. */
  readonly marked: string
  readonly onOpen: (option: Option, inNewTab: boolean) => void
}

/** Answers by kind; the keyboard stays in the field above. */
export const OptionList = ({ id, groups, current, marked, onOpen }: OptionListProps) => {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [current, groups])
  let place = -1
  return (
    <div ref={list} class="palette-options" role="listbox" id={id} aria-label="Found" tabIndex={-1}>
      {groups.map(({ title, options }, g) => (
        // biome-ignore lint/a11y/useSemanticElements: a list box has groups, not fieldsets
        <div key={title} role="group" aria-labelledby={`${id}-g${g}`}>
          <p id={`${id}-g${g}`} role="presentation">
            {title}
          </p>
          {options.map((option) => {
            place++
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
              // biome-ignore lint/a11y/useFocusableInteractive: the field above has the focus
              <div
                key={place}
                id={`${id}-${place}`}
                role="option"
                aria-selected={place === current}
                onClick={(event) => onOpen(option, event.metaKey || event.ctrlKey)}
              >
                <bdi class="title">
                  <Marked text={visible(shortened(option.title))} of={marked} />
                </bdi>
                <bdi class="note">{visible(shortened(option.note))}</bdi>
              </div>
            )
          })}
        </div>
      ))}
    </div>
  )
}

const Marked = ({ text, of }: { readonly text: string; readonly of: string }) => {
  const at = of === '' ? -1 : text.toLowerCase().indexOf(of.toLowerCase())
  if (at < 0) return <>{text}</>
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + of.length)}</mark>
      {text.slice(at + of.length)}
    </>
  )
}
