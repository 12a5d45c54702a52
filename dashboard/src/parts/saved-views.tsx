import { useState } from 'preact/hooks'
import { changed } from '../address/address.ts'
import { Link, useAddress } from '../address/use-address.tsx'
import { Name } from './name.tsx'

interface Saved {
  readonly name: string
  readonly to: string
}

const keyOf = (path: string): string => `fonds-views ${path}`

const savedOf = (path: string): readonly Saved[] => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(path)) ?? '[]')
    return Array.isArray(kept)
      ? kept.filter((one) => typeof one?.name === 'string' && typeof one?.to === 'string')
      : []
  } catch {
    return []
  }
}

/** Filters of a list under names of one's own, kept in this browser. */
export const SavedViews = () => {
  const address = useAddress()
  const { path, query } = address
  const here = changed(address, { at: undefined, from: undefined, before: undefined })
  const [saved, setSaved] = useState(() => savedOf(path))
  const keep = (views: readonly Saved[]) => {
    localStorage.setItem(keyOf(path), JSON.stringify(views))
    setSaved(views)
  }
  const save = (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const name = String(new FormData(form).get('name')).trim()
    if (name !== '') keep([...saved.filter((one) => one.name !== name), { name, to: here }])
    form.reset()
  }
  const isFiltered = [...query.keys()].some((name) => name !== 'at')
  if (saved.length === 0 && !isFiltered) return null
  return (
    <fieldset class="saved buttons" aria-label="Saved views">
      {saved.map(({ name, to }) => (
        <span key={name} class="chip">
          <Link to={to} current={to === here}>
            <Name text={name} />
          </Link>
          <button
            type="button"
            class="small bare"
            aria-label={`Forget the view ${name}`}
            onClick={() => keep(saved.filter((one) => one.name !== name))}
          >
            ×
          </button>
        </span>
      ))}
      {isFiltered && !saved.some(({ to }) => to === here) && (
        <form class="row" onSubmit={save}>
          <input
            name="name"
            required
            aria-label="Name of this view"
            placeholder="Name of this view"
            size={16}
          />
          <button type="submit" class="small">
            Save this view
          </button>
        </form>
      )}
    </fieldset>
  )
}
