import type { DeadLetter } from './dead-letter.ts'

type Content = Pick<DeadLetter, 'key' | 'headers' | 'value' | 'raw'>

/** Attributes of the message and of its encoding, by which it is found. They stay as they are, as those of messages that are used. */
const attributes = new Set([
  'content-type',
  'ce_datacontenttype',
  ...['specversion', 'id', 'source', 'type', 'time', 'correlationid', 'traceparent', 'foreign'].map(
    (name) => `ce_${name}`,
  ),
  'traceparent',
  'fonds-sealed',
])

const isAttribute = (name: string): boolean => attributes.has(name.toLowerCase())

/** A dead letter with other texts in the place of its value, its key, and its other headers. */
export const changeLetter = <Letter extends Content>(
  letter: Letter,
  change: (text: string) => string,
): Letter => {
  const { key, headers, value, raw } = letter
  const changed = (text: string): string => (text === '' ? text : change(text))
  return {
    ...letter,
    key: key && changed(key),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, text]) => [name, isAttribute(name) ? text : changed(text)]),
    ),
    value: changed(value),
    ...(raw && {
      raw: {
        key: raw.key && changed(raw.key),
        headers: raw.headers.map((header) =>
          isAttribute(header.name) ? header : { ...header, value: changed(header.value) },
        ),
      },
    }),
  }
}

/** The same with other attributes, in headers that are text. */
export const changeAttributes = <Letter extends Content>(
  letter: Letter,
  change: (text: string) => string,
): Letter => ({
  ...letter,
  headers: Object.fromEntries(
    Object.entries(letter.headers).map(([name, text]) => [name, isAttribute(name) ? change(text) : text]),
  ),
})

export const letterTexts = (letter: Content): readonly string[] => {
  const texts: string[] = []
  changeLetter(letter, (text) => {
    texts.push(text)
    return text
  })
  return texts
}
