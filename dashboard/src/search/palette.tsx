import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { carried, changed } from '../address/address.ts'
import { go, useAddress } from '../address/use-address.tsx'
import { hold } from '../api/hold.ts'
import { Icon } from '../parts/icon.tsx'
import { visible } from '../parts/name.tsx'
import { count } from '../parts/words.ts'
import { useTimeMachine } from '../shell/time-machine/context.ts'
import { OptionList } from './option-list.tsx'
import { groupsOf, type Option } from './options.ts'
import { remember } from './recent.ts'
import { type Searched, useSearch } from './use-search.ts'
import { type Wanted, wantedBy } from './wanted.ts'

/** The box that finds anything: answers by kind, the first one chosen; arrows move, Enter opens, Esc closes. */
export const Palette = ({ onClose }: { readonly onClose: () => void }) => {
  const address = useAddress()
  const { shown } = useTimeMachine()
  const dialog = useRef<HTMLDialogElement>(null)
  const list = useId()
  const [typed, type] = useState('')
  const [chosen, choose] = useState(0)
  const wanted = wantedBy(typed)
  const searched = useSearch(wanted, shown.kind === 'past' ? shown.past : undefined)
  const groups = groupsOf(wanted, searched.found)
  const options = groups.flatMap((group) => group.options)
  const current = Math.min(chosen, options.length - 1)
  // Before it is painted: an Esc that comes at once must find it open.
  useLayoutEffect(() => {
    // A click beside it closes it, where the browser knows that.
    dialog.current?.setAttribute('closedby', 'any')
    dialog.current?.showModal()
    return hold()
  }, [])

  const open = ({ to, title, note }: Option, inNewTab: boolean) => {
    const page = 'page' in to ? to.page : changed(address, { at: to.moment })
    if ('page' in to) remember({ title, note, page })
    dialog.current?.close()
    if (inNewTab) window.open('page' in to ? carried(page, address.query.get('at')) : page)
    else go(page)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // A word that is being composed has its own Enter and arrows.
    if (event.isComposing) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const option = options[current]
    if (step !== 0 && options.length > 0) choose((current + step + options.length) % options.length)
    else if (event.key === 'Enter' && option) open(option, event.metaKey || event.ctrlKey)
    else if (step === 0 && event.key !== 'Enter') return
    event.preventDefault()
  }

  return (
    <dialog ref={dialog} class="palette" aria-label="Search or go to" onClose={onClose}>
      <div class="palette-box">
        <Icon of="find" />
        <input
          type="text"
          role="combobox"
          aria-label="Search or go to"
          aria-expanded={options.length > 0}
          aria-controls={list}
          aria-autocomplete="list"
          {...(options.length > 0 && { 'aria-activedescendant': `${list}-${current}` })}
          placeholder="Path, id, number, words of a title"
          maxLength={5000}
          autocomplete="off"
          spellcheck={false}
          value={typed}
          onInput={({ currentTarget }) => {
            type(currentTarget.value)
            choose(0)
          }}
          onKeyDown={onKeyDown}
        />
        <button type="button" class="small" onClick={() => dialog.current?.close()}>
          Close <kbd>Esc</kbd>
        </button>
      </div>
      <OptionList id={list} groups={groups} current={current} marked={wanted.text} onOpen={open} />
      <p class="palette-says" role="status">
        {saysOf(wanted, searched, options.length)}
      </p>
      <p class="palette-keys">
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> move, <kbd>↵</kbd> opens
        </span>
        <span>
          <kbd>&gt;</kbd> commands <kbd>@</kbd> moments, events <kbd>/</kbd> paths <kbd>#</kbd> batches, jobs
        </span>
      </p>
    </dialog>
  )
}

/** A sentence on the answer. */
const saysOf = (wanted: Wanted, { found, problem, isAsking }: Searched, options: number): string => {
  if (problem) return visible(problem.detail)
  if (wanted.text === '') return 'Ids and paths are found by their beginning, titles by their words.'
  const left = found?.leftOut[0]
  if (options === 0) {
    if (isAsking || !found) return 'Looking …'
    return left
      ? `Nothing yet; not looked at: ${visible(left.title)} (${visible(left.because)})`
      : 'Nothing is called so, and nothing begins so. Ids and paths are compared in their own case.'
  }
  return `${count(options)} ${options === 1 ? 'answer' : 'answers'}${left ? `; ${visible(left.because)}` : ''}`
}
