import { Fragment } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { get, Refused } from '../api/client.ts'
import { Name, visible } from './name.tsx'

interface Person {
  readonly name: string | null
  readonly mail: string | null
}

/** People by reference, as far as they were asked for; null: the server keeps none. */
const people = new Map<string, Person | null>()
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
    for (const one of reference) people.set(one, null)
    for (const { reference: of, name, mail } of data.people) people.set(of, { name, mail })
  } catch (error) {
    // The reference stays, which is right as well.
    if (!(error instanceof Refused)) throw error
  }
  for (const listener of listeners) listener()
}

/** Whoever signed in has a reference as actor; others have the name that they gave. */
const isReference = (text: string): boolean => /^[^\s#]+#\S+$/.test(text)

/** The person of a reference, once the server has answered; undefined for other texts. */
const usePerson = (text: string): Person | undefined => {
  const [, draw] = useState(0)
  useEffect(() => {
    if (!isReference(text) || people.has(text)) return
    const redraw = () => draw((n) => n + 1)
    listeners.add(redraw)
    want(text)
    return () => {
      listeners.delete(redraw)
    }
  }, [text])
  return people.get(text) ?? undefined
}

/** The actor of an event: by name, where the actor is a person's reference. */
export const Actor = ({ text }: { readonly text: string }) => {
  const person = usePerson(text)
  return <InWords text={text} words={person?.name ?? person?.mail} />
}

/** One who is mailed, by name and address. */
const Recipient = ({ text }: { readonly text: string }) => {
  const person = usePerson(text)
  const { name, mail } = person ?? {}
  return <InWords text={text} words={name && mail ? `${name} (${mail})` : (mail ?? name)} />
}

/** Those who are mailed: addresses, and references of people. */
export const Recipients = ({ of }: { readonly of: readonly string[] }) => (
  <>
    {of.map((one, i) => (
      <Fragment key={one}>
        {i > 0 && ', '}
        <Recipient text={one} />
      </Fragment>
    ))}
  </>
)

interface InWordsProps {
  readonly text: string
  readonly words: string | null | undefined
}

const InWords = ({ text, words }: InWordsProps) =>
  words ? (
    <bdi class="name" title={visible(text)}>
      {visible(words)}
    </bdi>
  ) : (
    <Name text={text} />
  )
