import { type PacketDecoder, packetDecoder } from './ogg-codings.ts'
import { createLink, type Link } from './ogg-link.ts'
import { oggPages } from './ogg-pages.ts'
import type { Decode } from './sound.ts'

/**
 * An Ogg file can be a chain of links, one behind the other, each with its own header, as recordings of internet radio
 * and joined files are. A link has one decoder.
 */
export const decodeOgg: Decode = async function* (file) {
  let open: { readonly serial: number; readonly decoder: PacketDecoder; readonly link: Link } | undefined
  try {
    for await (const page of oggPages(file.bytes())) {
      if ('isEnd' in page) {
        if (open) yield open.link.missing(page.passedOver)
        continue
      }
      const [first] = page.isFirst && !page.isDamaged ? page.packets : []
      const decoder = first && (await packetDecoder(first))
      if (decoder) {
        open?.decoder.free()
        open = { serial: page.serial, decoder, link: createLink(decoder) }
      }
      if (open && page.serial === open.serial) yield* open.link.push(page)
    }
  } finally {
    open?.decoder.free()
  }
}
