import { Writable } from 'node:stream'

/** A stream that remembers, as a terminal of a width or as a pipe. */
export const rememberingStream = (terminal?: { readonly columns: number }) => {
  const written: string[] = []
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk, _, done) => {
      written.push(String(chunk))
      done()
    },
  })
  return Object.assign(stream, {
    text: () => written.join(''),
    ...(terminal && { isTTY: true, columns: terminal.columns }),
  })
}
