import { useEffect, useState } from 'preact/hooks'
import { get, Refused } from '../api/client.ts'
import { Name, visible } from './name.tsx'

/** Names by reference, as far as they were asked for; null: the server keeps none. */
const names = new Map<string, string | null>()
const wanted = new Set<string>()
const listeners = new Set<() => void>()
const atOnce = 100

/** The references of one screen are asked for together. */
const want = (reference: string): void => {
  if (wanted.size === 0) setTimeout(ask)
  wanted.add(reference)
}

const ask = async (): Promise<void> => {
  const reference = [...wanted].slice(0, atOnce)
  for (const one of reference) wanted.delete(one)
  if (wanted.size > 0) setTimeout(ask)
  try {
    const { data } = await get('/api/v1/people', { query: { reference } })
    for (const one of reference) names.set(one, null)
    for (const { reference: of, name, mail } of data.people) names.set(of, name ?? mail)
  } catch (error) {
    // The reference stays, which is right as well.
    if (!(error instanceof Refused)) throw error
  }
  for (const listener of listeners) listener()
}

/** Whoever signed in has a reference as actor; others have the name that they gave. */
const isReference = (text: string): boolean => /^[^\s#]+#\S+$/.test(text)

/** The actor of an event: by name, where the actor is a person's reference. */
export const Actor = ({ text }: { readonly text: string }) => {
  const [, draw] = useState(0)
  useEffect(() => {
    if (!isReference(text) || names.has(text)) return
    const redraw = () => draw((n) => n + 1)
    listeners.add(redraw)
    want(text)
    return () => {
      listeners.delete(redraw)
    }
  }, [text])
  const name = names.get(text)
  return name ? (
    <bdi class="name" title={visible(text)}>
      {visible(name)}
    </bdi>
  ) : (
    <Name text={text} />
  )
}
