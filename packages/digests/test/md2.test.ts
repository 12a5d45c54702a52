import { expect, it } from 'vitest'
import { createMd2 } from '../src/compute/md2.ts'

// RFC 1319, A.5.
it.each([
  ['', '8350e5a3e24c153df2275c9f80692773'],
  ['a', '32ec01ec4a6dac72c0ab96fb34c0b5d1'],
  ['abc', 'da853b0d3f88d99b30283a69e6ded6bb'],
  ['message digest', 'ab4f496bfb2a530b219ff33031fe06b0'],
  ['abcdefghijklmnopqrstuvwxyz', '4e8ddff3650292ab5a4108c3aa47940b'],
  ['ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789', 'da33def2a42df13975352846c30338cd'],
  [
    '12345678901234567890123456789012345678901234567890123456789012345678901234567890',
    'd5976f79d83d3a0dc9806c3c66f3efd8',
  ],
])('MD2 of %j, in whatever chunks', (text, digest) => {
  for (const length of [1, 7, 16, 100]) {
    const md2 = createMd2()
    for (let at = 0; at < text.length; at += length) md2.update(Buffer.from(text.slice(at, at + length)))
    expect(md2.end()).toBe(digest)
  }
})
